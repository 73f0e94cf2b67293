"""Entry points of the structured factorisation for Python: compiled once and cached on disk.

``values`` is a plain tuple of the arrays of ``kkt.Values``: a named tuple costs Python a microsecond.
"""

from mlcp.jit import entry_point, part
from mlcp.kernels.kkt.kkt import Values, back, factor, resolve


@part
def values_of(given):
    """``Values`` of a plain tuple."""
    mass, jac, compliance, momentum, bias = given
    return Values(mass, jac, compliance, momentum, bias)


@entry_point("mlcp")
def factor_entry(source_hash):
    def factor_entry(table, scale, values, panels, delassus, u_free):
        source_hash
        return factor(table, scale, values_of(values), panels, delassus, u_free)

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
    def repeat_entry(plan, given, panels, reduced, solved, times):
        """Factor and back-substitute ``times`` over, for timing without the cost of the call.

        ``plan = table, scale; reduced = delassus, u_free; solved = q, x, velocity, impulse``.
        """
        source_hash
        (table, scale), (delassus, u_free), (q, x, velocity, impulse) = plan, reduced, solved
        smallest, values = 0.0, values_of(given)
        for _ in range(times):
            smallest = factor(table, scale, values, panels, delassus, u_free)
            back(table, panels, q, x, velocity, impulse)
        return smallest

    return repeat_entry
