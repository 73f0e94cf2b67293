"""The table of schemes, and the kernel that evaluates a scheme by its number."""

from mlcp.compiled.choice import choice
from mlcp.compiled.machine_code import call_for_numbers
from mlcp.jit import either, kernel

from .line import Line

#: File of each scheme by name; its index is the scheme's number in the compiled step.
SCHEMES = {
    "set-valued": "set_valued",
    "global": "global_",
    "local": "local",
    "local-current": "local_current",
    "implicit": "implicit",
}
_MANY = len(SCHEMES)

#: Schemes available in lanes (several vehicles side by side in one SIMD register).
IN_LANES = ("implicit",)

_FILES = [f"contact.schemes.kernels.{file}" for file in SCHEMES.values()]
_BUILT_IN = choice(_FILES, "line", "at", returns=True)
_LANES = choice(_FILES, "line", "at", returns=True, among=[list(SCHEMES).index(k) for k in IN_LANES])


@kernel
def _any(number, at):
    """Evaluate the built-in scheme of a number below _MANY, or else the user's compiled function whose
    address is ``number``."""
    if number < _MANY:
        return _BUILT_IN(number, at)
    at_zero, damping, bound, friction = call_for_numbers(
        number, at.v_t, at.force, at.tangent, at.exact, at.peak
    )
    return Line(at_zero, damping, bound + friction, friction)


#: Kernel ``(number, Sliding) -> Line`` that evaluates the scheme of a number
scheme_line = either(_any, _LANES)
