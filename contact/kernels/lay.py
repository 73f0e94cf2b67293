"""A line laid as rows: the one place where a force over sliding becomes bounds and compliance."""

from __future__ import annotations

from mlcp.jit import kernel

from ..schemes.kernels.line import Line


@kernel
def sloped(line, v_max, peak):
    """The line without its damper where that is round-off beside the peak [N]: a known force."""
    steep = line.damping * v_max > 1e-12 * peak and peak > 0.0
    return Line(line.at_zero, line.damping if steep else 0.0, line.bound, line.friction)


@kernel
def lay_line(smooth, h, line, jump, rows):
    """Lay a line on row ``smooth`` and, with ``jump`` [N s] more, its friction on the row after it."""
    bound = h * line.bound - h * line.friction
    rows.e[smooth], rows.bias[smooth] = 1.0, 0.0
    if line.damping > 0.0:
        rows.e[smooth] = 1.0 / (h * line.damping)
        rows.bias[smooth] = -line.at_zero / line.damping
        rows.lower[smooth], rows.upper[smooth] = -bound, bound
    else:
        impulse = min(bound, max(-bound, h * line.at_zero))
        rows.lower[smooth], rows.upper[smooth] = impulse, impulse
    stick, held = smooth + 1, jump + h * line.friction
    rows.e[stick], rows.bias[stick] = 0.0, 0.0
    rows.lower[stick], rows.upper[stick] = -held, held


@kernel
def keep_within(smooth, most, rows):
    """Keep what both rows of a line can give within +- most [N s], friction first."""
    stick = smooth + 1
    held = min(rows.upper[stick], most)
    rows.lower[stick], rows.upper[stick] = -held, held
    rest = most - held
    rows.lower[smooth] = min(max(rows.lower[smooth], -rest), rest)
    rows.upper[smooth] = min(max(rows.upper[smooth], -rest), rest)
