"""Scalar kernel of the magic formula: thrust of a tyre over slip, independent of the load."""

from mlcp.jit import kernel
from mlcp.kernels.elementary import atan, sin_cos

# Columns of the parameter array; mu = D sin(C atan(x - E (x - atan x))) with x = B s.
B, C, D, E = 0, 1, 2, 3
ROLLING = 4  # resistance ratio gamma, constant
PEAK = 5  # largest mu over slips in [0, 1]


@kernel
def law(p, slip, load):
    """Ratios of the law (``law.ground_law``), independent of the load."""
    x = p[B] * slip
    bend = x - p[E] * (x - atan(x))
    inner = p[C] * atan(bend)
    d_bend = p[B] * (1.0 - p[E] * (1.0 - 1.0 / (1.0 + x * x)))
    sine, cosine = sin_cos(inner)
    slope = p[D] * cosine * p[C] * d_bend / (1.0 + bend * bend)
    return p[D] * sine, slope, 0.0, p[ROLLING], 0.0, p[PEAK], 0.0
