"""Choice of a ground law in the compiled step, by the law's number; definition of a law's results."""

from mlcp.compiled.choice import choice
from mlcp.compiled.lazy import FLOAT, FLOATS, INT, lazy, several
from mlcp.jit import either, kernel

from .brixius import law as brixius
from .wong_reece_law import wong_reece

#: Every ground law: the file in ``contact/laws`` that describes it, and the file of its kernel in this
#: folder. The number of a law in the compiled step is its index in this table.
LAWS = {
    "brixius": "brixius",
    "magic_formula": "magic_formula",
    "sand": "sand",
    "clay": "clay",
    "wong_reece": "wong_reece_law",
    "tabulated": "curve",
    "user": "sampled",
    "unified_sand": "unified_sand",
    "pacejka": "pacejka",
}

#: Laws whose kernels also run in lanes (several vehicles side by side in one SIMD register).
IN_LANES = ("brixius", "magic_formula", "sand", "clay", "tabulated", "user", "unified_sand", "pacejka")

#: Length of the parameter array of the laws that need no table.
LAW_FLOATS = 12

_FILES = [f"contact.kernels.laws.{file}" for file in LAWS.values()]
_PARAMETERS = "p, slip, load"
_OTHER = choice(_FILES, "law", _PARAMETERS, returns=True, among=range(1, len(LAWS)))


@lazy(several(FLOAT, 7)(INT, FLOATS, FLOAT, FLOAT), "mlcp", "contact")
def other_law(kind, p, slip, load):
    """Law of number ``kind``, other than Brixius'. Compiled only in runs with such a law."""
    return _OTHER(kind, p, slip, load)


@kernel
def _one(kind, p, slip, load):
    """Results of the ground law of number ``kind``, for a single vehicle."""
    if kind == 0:
        return brixius(p, slip, load)
    return other_law(kind, p, slip, load)


_LANES = choice(_FILES, "law", _PARAMETERS, returns=True, among=[list(LAWS).index(k) for k in IN_LANES])
#: ``(number, p, slip, load) -> (mu, dmu/ds, coulomb, gamma, rho, peak, offset)`` of a law at driving
#: slip and load [N]. mu: part of the thrust ratio that vanishes at zero slip; coulomb: its set-valued
#: part there, >= 0; gamma: resistance ratio; rho: rolling-moment ratio T_rr / (F_n r); peak: largest
#: mu over the slips; offset: thrust ratio at zero slip, in the rolling direction as rho is.
ground_law = either(_one, _LANES)
STRESSES = list(LAWS).index("wong_reece")


@kernel
def _one_with_slope(kind, p, slip, load, accuracy, last):
    """Results of the ground law for a single vehicle, with dmu/ds to the given accuracy if the law
    integrates stresses, else exact."""
    if kind == STRESSES:  # an exact dmu/ds takes more integrals than all other values together
        return wong_reece(p, slip, load, accuracy, last)
    return ground_law(kind, p, slip, load)


@kernel
def _lanes_with_slope(kind, p, slip, load, accuracy, last):
    """Results of the ground law for several vehicles in one SIMD register; dmu/ds is exact."""
    return _LANES(kind, p, slip, load)


#: ``ground_law`` with an accuracy of dmu/ds, NO_SLOPE (it may be 0), ROUGH or EXACT, and the last
#: searches of an entry angle in this time step (``LawMemo.searches``).
law_with_slope = either(_one_with_slope, _lanes_with_slope)
