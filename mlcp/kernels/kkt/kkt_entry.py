"""Entry points of the structured factorisation for Python: compiled once and cached on disk.

``values`` is a plain tuple of the arrays of ``kkt.Values``: a named tuple costs Python a microsecond.
"""

from mlcp.jit import entry_point, part
from mlcp.kernels.kkt.kkt import Values, back, factor, resolve


@part
def values_of(given):
    """Make ``Values`` from a plain tuple."""
    mass, jac, compliance, momentum, bias = given
    return Values(mass, jac, compliance, momentum, bias)


@entry_point("mlcp")
def factor_entry(table, scale, values, panels, delassus, u_free):
    return factor(table, scale, values_of(values), panels, delassus, u_free)


@entry_point("mlcp")
def back_entry(table, panels, q, x, velocity, impulse):
    back(table, panels, q, x, velocity, impulse)


@entry_point("mlcp")
def resolve_entry(table, panels, momentum, bias, x, velocity, impulse):
    resolve(table, panels, momentum, bias, x, velocity, impulse)
