"""Rows from a ``Line``, a linearised force ``at_zero - damping v``: bias, compliance and bounds."""

from mlcp.compiled.branches import where
from mlcp.jit import kernel

from ...schemes.kernels.line import Line


@kernel
def unless(rests, line):
    """The line, but without force in the vehicles whose wheel rests (``rests``)."""
    return Line(
        where(rests, 0.0, line.at_zero),
        where(rests, 0.0, line.damping),
        where(rests, 0.0, line.bound),
        where(rests, 0.0, line.friction),
    )


@kernel
def sloped(line, v_max, peak):
    """The line, with damping 0 (a constant force) if ``damping v_max`` is round-off of the peak [N]."""
    steep = (line.damping * v_max > 1e-12 * peak) & (peak > 0.0)
    return Line(line.at_zero, where(steep, line.damping, 0.0), line.bound, line.friction)


@kernel
def set_line(smooth, h, line, coulomb, rows):
    """Set row ``smooth`` from the smooth part of a line, and the next row, set-valued, from the line's
    friction plus an impulse ``coulomb`` [N s]; h: step length [s]."""
    bound = h * line.bound - h * line.friction
    slopes = line.damping > 0.0
    damping = where(slopes, line.damping, 1.0)
    impulse = min(bound, max(-bound, h * line.at_zero))
    rows.e[smooth] = where(slopes, 1.0 / (h * damping), 1.0)
    rows.bias[smooth] = where(slopes, -line.at_zero / damping, 0.0)
    rows.lower[smooth] = where(slopes, -bound, impulse)
    rows.upper[smooth] = where(slopes, bound, impulse)
    stick, friction = smooth + 1, coulomb + h * line.friction
    rows.e[stick], rows.bias[stick] = 0.0, 0.0
    rows.lower[stick], rows.upper[stick] = -friction, friction


@kernel
def keep_within(smooth, most, rows):
    """Limit the sum of the impulses of a line's two rows to +- most [N s]: the set-valued row keeps its
    bound up to ``most``, the smooth row is limited to the rest."""
    stick = smooth + 1
    friction = min(rows.upper[stick], most)
    rows.lower[stick], rows.upper[stick] = -friction, friction
    rest = most - friction
    rows.lower[smooth] = min(max(rows.lower[smooth], -rest), rest)
    rows.upper[smooth] = min(max(rows.upper[smooth], -rest), rest)
