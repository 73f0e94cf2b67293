"""Compiled function of the terrain's shape for calls from Python."""

from mlcp.jit import entry_point

from .terrain import terrain_at


@entry_point("mlcp", "contact")
def terrain_over(kind, record, rows, columns, x, y, out):
    """Write ``(z, dz/dx, dz/dy)`` of the ground at the n points x, y [m] to ``out`` (n, 3)."""
    for k in range(x.shape[0]):
        values = terrain_at(kind, record, 0, rows, columns, x[k], y[k])
        for c in range(3):
            out[k, c] = values[c]
