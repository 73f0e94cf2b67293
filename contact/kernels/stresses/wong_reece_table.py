"""Tables of Wong and Reece's law: offset and peak over load, entry angle over load and slip."""

import math

from mlcp.jit import kernel

from .stress_pieces import INTEGRAL_FLOATS

# Columns of the parameter array after those of ``stress_pieces``.
LOAD_FLOOR = INTEGRAL_FLOATS  # lower limit of the load as a divisor [N]
LOG_LOW = INTEGRAL_FLOATS + 1  # logarithm of the first load of the table
LOG_STEP = INTEGRAL_FLOATS + 2  # step of this logarithm from load to load
TABLE = INTEGRAL_FLOATS + 3  # POINTS offsets (thrust ratios at zero slip), then POINTS peaks
POINTS = 61  # number of loads
ENTRIES = TABLE + 2 * POINTS  # log of the entry angle: PARTS tables, POINTS loads by SLIPS slips
SLIPS = 17  # number of slips, |s| = (k / (SLIPS - 1))^2 for k = 0 ... SLIPS - 1
DRIVING, BRAKING, TOWED, PARTS = 0, 1, 2, 3  # s >= 0; s < 0 with the kinematics of Part I or Part II
WONG_REECE_FLOATS = ENTRIES + PARTS * POINTS * SLIPS


@kernel
def place_of(p, load):
    """Position of a load [N] in the table, in steps of its logarithm; limited to the table."""
    y = (math.log(load) - p[LOG_LOW]) / p[LOG_STEP]
    return min(max(y, 0.0), POINTS - 1.0)


@kernel
def over_load(p, first, load):
    """Offset or peak at a load [N]: cubic interpolation of the table at ``p[first:]`` over the load's
    logarithm; constant beyond the table."""
    y = place_of(p, load)
    k = min(max(int(y), 1), POINTS - 3)
    t = y - k
    a, b, c, d = p[first + k - 1], p[first + k], p[first + k + 1], p[first + k + 2]
    # Lagrange through the four points at -1, 0, 1, 2
    return (
        -a * t * (t - 1.0) * (t - 2.0) / 6.0
        + b * (t + 1.0) * (t - 1.0) * (t - 2.0) / 2.0
        - c * (t + 1.0) * t * (t - 2.0) / 2.0
        + d * (t + 1.0) * t * (t - 1.0) / 6.0
    )


@kernel
def _through_six(t):
    """Weights of the points 0, 1 ... 5 in Lagrange interpolation at t."""
    a, b, c, d, e = t - 1.0, t - 2.0, t - 3.0, t - 4.0, t - 5.0
    ta, tab, de, cde = t * a, t * a * b, d * e, c * d * e
    return (
        a * b * cde / -120.0, t * b * cde / 24.0, ta * cde / -12.0,
        tab * de / 12.0, tab * c * e / -24.0, tab * c * d / 120.0,
    )  # fmt: skip


@kernel
def entry_near(p, load, slip, kind):
    """Entry angle [rad] at a load [N] and slip, interpolated in the table of the kind DRIVING, BRAKING
    or TOWED."""
    x, y = math.sqrt(abs(slip)) * (SLIPS - 1.0), place_of(p, load)
    i, j = min(max(int(x) - 2, 0), SLIPS - 6), min(max(int(y) - 2, 0), POINTS - 6)
    a, b, c, d, e, f = _through_six(x - i)
    weights = _through_six(y - j)
    total = 0.0
    at = ENTRIES + (kind * POINTS + j) * SLIPS + i
    for weight in weights:
        near = a * p[at] + b * p[at + 1] + c * p[at + 2] + d * p[at + 3] + e * p[at + 4] + f * p[at + 5]
        total += weight * near
        at += SLIPS
    return math.exp(total)
