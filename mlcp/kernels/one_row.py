"""Figures of one row for its residual: scale, gap, own size and size passed on (``residual``)."""

from __future__ import annotations

import math

import numpy as np

from mlcp.compiled.workspace import Workspace, part
from mlcp.jit import kernel

LEAST_RELATIVE_Z = 1e-5  # lower limit of a z over its row's size: some round-offs of 1e-10
LEAST_GROWTH = 1.0 + 1e-12  # smaller growth factors of a size count as none


class SizeWork(Workspace, sizes="n"):
    """Figures of the rows for their residuals."""

    w = part("n", "A z + b")
    scale = part("n", "sqrt |a_ii|")
    gap = part("n", "z - clip(z - w / a_ii, lower, upper)")
    rests = part("n", "1 for a row at rest at a bound")
    size = part("n", "the rows' sizes, scaled")
    hand = part("n", "the |z| that count in the sizes of others")
    most = part("n", "largest size passed on: the row's size, except for a zero diagonal")
    giver = part("n", "rows that pass on a size")
    grown = part("2 n", "the rows that grew in the last sweep, then those of this one")
    terms = part("n", "sum |a_ij z_j| + |b_i|")


@kernel
def row_scale(a_ii):
    """sqrt(|a_ii|), the factor that turns row i into one with a unit diagonal; 1 for a zero one."""
    if a_ii == 0.0:
        return 1.0
    return math.sqrt(abs(a_ii))


@kernel
def row_gap(z, w, lower, upper):
    """z - clip(z - w, lower, upper), without computing z - w, which loses a small w beside a large z."""
    return max(min(w, z - lower), z - upper) + 0.0 * z  # NaN for a z that is no number


@kernel
def own_size(b, lower, upper, scale):
    """Size of a row by its own numbers: its b, and the z forced by its bounds."""
    return max(abs(b) / scale, scale * abs(min(max(0.0, lower), upper)))


@kernel
def at_rest(z, w, lower, upper):
    """True if z is nearer to the bound in w's direction than w is to zero (w over a_ii)."""
    return (w > 0.0 and z - lower <= w) or (w < 0.0 and upper - z <= -w)


@kernel
def bound_pushed_to(w, lower, upper):
    """Bound in w's direction."""
    return lower if w > 0.0 else upper


@kernel
def handed_on(z, rests, size, scale):
    """The |z_j| by which row j counts in the sizes of others; of a row at rest, z is its bound."""
    return abs(z) if rests else max(abs(z), LEAST_RELATIVE_Z * size / scale)


@kernel
def handed_to(A, i, W, scale, n):
    """max_j min(|a_ij| hand_j / s_i, most_j), the size that others pass to row i, four at a time."""
    hand, most = W.hand, W.most
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    j = 0
    while j + 4 <= n:
        row, at = np.uint64(i), np.uint64(j)
        second, third, fourth = at + np.uint64(1), at + np.uint64(2), at + np.uint64(3)
        p, x = abs(A[row, at]) * hand[at], most[at] * scale
        q, y = abs(A[row, second]) * hand[second], most[second] * scale
        r, u = abs(A[row, third]) * hand[third], most[third] * scale
        t, v = abs(A[row, fourth]) * hand[fourth], most[fourth] * scale
        p, q, r, t = p if p < x else x, q if q < y else y, r if r < u else u, t if t < v else v
        a, b, c, d = p if p > a else a, q if q > b else b, r if r > c else c, t if t > d else d
        j += 4
    while j < n:
        a = max(a, min(abs(A[i, j]) * hand[j], most[j] * scale))
        j += 1
    return max(max(a, b), max(c, d)) / scale


@kernel
def size_unreached(gap, scale):
    """Size of a row without own or passed size: its residual is 1 unless it has no gap."""
    return abs(gap) * scale if abs(gap) * scale > 0.0 else 1.0


@kernel
def touched_up(z, w, own, lower, upper, off):
    """The z of a row whose small size asks for more digits than the others: 0, or where its w vanishes.

    off: what is no z beside the largest one.
    """
    if abs(z) <= off and lower <= 0.0 <= upper:
        return 0.0
    return min(max(z - w / own, lower), upper) if own > 0.0 else z


@kernel
def row_residual(z, w, lower, upper, scale, size):
    """|z - clip(z - w / a_ii, lower, upper)| of one row, relative to its size."""
    return abs(row_gap(z, w / (scale * scale), lower, upper)) * scale / size
