"""What Python calls of the structured factorisation: compiled once and cached on disk."""

from mlcp.jit import entry_point
from mlcp.kernels.kkt import Values, back, factor, resolve


@entry_point("mlcp")
def factor_entry(source_hash):
    def factor_entry(table, scale, mass, jac, compliance, momentum, bias, panels, delassus, u_free):
        source_hash
        values = Values(mass, jac, compliance, momentum, bias)
        return factor(table, scale, values, panels, delassus, u_free)

    return factor_entry


@entry_point("mlcp")
def back_entry(source_hash):
    def back_entry(table, panels, q, x, velocity, impulse):
        source_hash
        back(table, panels, q, x, velocity, impulse)

    return back_entry


@entry_point("mlcp")
def resolve_entry(source_hash):
    def resolve_entry(table, panels, momentum, bias, x, velocity, impulse):
        source_hash
        resolve(table, panels, momentum, bias, x, velocity, impulse)

    return resolve_entry


@entry_point("mlcp")
def repeat_entry(source_hash):
    def repeat_entry(
        table, scale, mass, jac, compliance, momentum, bias, panels, delassus, u_free,
        q, x, velocity, impulse, times,
    ):  # fmt: skip
        """Factor and back-substitute ``times`` over, for timing without the cost of the call."""
        source_hash
        smallest, values = 0.0, Values(mass, jac, compliance, momentum, bias)
        for _ in range(times):
            smallest = factor(table, scale, values, panels, delassus, u_free)
            back(table, panels, q, x, velocity, impulse)
        return smallest

    return repeat_entry
