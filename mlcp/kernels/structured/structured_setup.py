"""Conversion of a structured problem's flat arrays to its kernels' arguments, and back.

A problem comes as two flat arrays, ints (row_start, row_block) and reals (mass, J, e, b, lower,
upper), and scratch as two more: every array argument costs a call from Python 0.05 to 0.1 us.
Sizes: n rows, nb bodies, x (row, body) blocks of J, ``blocks`` blocks of the factor.
"""

from __future__ import annotations

import math

from mlcp.jit import kernel, part
from mlcp.kernels.structured.body_order import mark_last, order_bodies, plan_size
from mlcp.kernels.structured.structured_layout import BodyOrder, BodyRows, Proximal
from mlcp.kernels.structured.unit_mass import factor_masses, unit_mass_rows


@part
def rows_of(ints, n, nb, work):
    """View parts of ``work`` as the scaled rows, to be filled by ``scale_rows``."""
    o = 36 * nb
    x = 6 * (ints.shape[0] - n - 1)
    a = o + x  # start of the scales, n numbers
    return BodyRows(
        n, ints[: n + 1], ints[n + 1 :], work[o:a], work[a + n : a + 2 * n],
        work[a + 2 * n : a + 3 * n], work[a + 3 * n : a + 4 * n], work[a + 4 * n : a + 5 * n],
    )  # fmt: skip


@part
def plan_of(plan, nb, blocks):
    """View the plan, one int64 array, as a ``BodyOrder``."""
    o = 3 * nb + 1
    return BodyOrder(
        nb, blocks, plan[:nb], plan[nb : 2 * nb], plan[2 * nb : o], plan[o : o + nb * nb],
        plan[o + nb * nb :],
    )  # fmt: skip


@kernel
def plan_into(ints, n, nb, bounded, plan):
    """Fill the plan (``plan_size(nb)`` integers, then 2 nb of scratch); return the number of blocks."""
    row_start, row_block = ints[: n + 1], ints[n + 1 :]
    rest = plan_size(nb)
    last, degree = plan[rest : rest + nb], plan[rest + nb : rest + 2 * nb]
    # If bounded rows have few bodies, these are eliminated last: reduction to the rows is then cheap.
    mark_last(bounded, bounded.shape[0], row_start, row_block, last, nb)
    return order_bodies(n, row_start, row_block, last, degree, plan_of(plan, nb, 0))


@part
def scratch_of(ints, n, nb, blocks, work):
    """Parts of work: scale (n,), z (n,), w (n,), real (4 n,), v (6 nb,), body (18 nb,), L, the rest."""
    o = 36 * nb + 6 * (ints.shape[0] - n - 1)
    z = o + 5 * n
    v = z + 6 * n
    L = v + 24 * nb
    rest = L + 36 * blocks
    return (
        work[o : o + n], work[z : z + n], work[z + n : z + 2 * n], work[z + 2 * n : v],
        work[v : v + 6 * nb], work[v + 6 * nb : L], work[L:rest], work[rest:],
    )  # fmt: skip


@part
def proximal_of(n, nb, real, body, H, L):
    """View real (4 n,), body (18 nb,), H and L (36 blocks,) as the ``Proximal`` of a solve."""
    m = 6 * nb
    return Proximal(
        real[:n], real[3 * n : 4 * n], body[:m], real[n : 2 * n], body[m : 2 * m],
        real[2 * n : 3 * n], body[2 * m : 3 * m], H, L,
    )  # fmt: skip


@part
def residual_scratch(ints, n, nb, work):
    """Scratch of the residual at a given z: (z, w, sizes, |z|, v, scales, reach).
    v is (6 nb,), reach (2 nb,), all others (n,).
    """
    o = 36 * nb + 6 * (ints.shape[0] - n - 1)
    z = o + 5 * n
    v = z + 4 * n
    return (
        work[z : z + n], work[z + n : z + 2 * n], work[z + 2 * n : z + 3 * n], work[z + 3 * n : v],
        work[v : v + 6 * nb], work[o : o + n], work[v + 6 * nb : v + 8 * nb],
    )  # fmt: skip


def setup_size(n: int, nb: int, x: int, blocks: int) -> int:
    """Length of the array ``work`` before its last part, the rest (``scratch_of``)."""
    return 60 * nb + 6 * x + 11 * n + 36 * blocks


@kernel
def scale_rows(reals, nb, R, factor, scale):
    """Fill R with the rows scaled to a unit diagonal; False if a mass is not positive definite."""
    n, x = R.n, 6 * R.block.shape[0]
    o = 36 * nb
    J, e, b = reals[o : o + x], reals[o + x :], reals[o + x + n :]
    lower, upper = reals[o + x + 2 * n :], reals[o + x + 3 * n :]
    if not factor_masses(reals[:o], factor, nb):
        return False
    unit_mass_rows(n, R.start, R.block, J, factor, e, R.Y, scale)
    for i in range(n):
        s = math.sqrt(scale[i]) if scale[i] > 0.0 else 1.0
        inverse = 1.0 / s
        scale[i] = s
        for y in range(6 * R.start[i], 6 * R.start[i + 1]):
            R.Y[y] *= inverse
        R.e[i] = e[i] * inverse * inverse
        R.b[i] = b[i] * inverse
        R.lower[i], R.upper[i] = lower[i] * s, upper[i] * s
    return True


@kernel
def start_rows(reals, nb, R, scale, cold, z, state, zs):
    """Write z in scaled rows to ``zs``; if ``cold``, first set z to 0, or to the nearest bound, and the
    states to 0, or to -1 for equal bounds."""
    o = 36 * nb + 6 * R.block.shape[0] + 2 * R.n
    lower, upper = reals[o:], reals[o + R.n :]
    for i in range(R.n):
        if cold:
            z[i] = min(max(0.0, lower[i]), upper[i])
            state[i] = -1 if lower[i] == upper[i] else 0
        zs[i] = z[i] * scale[i]


@kernel
def end_rows(reals, nb, R, scale, zs, z, state):
    """Write zs in the caller's units to z, within the bounds, and the active set of z to ``state``."""
    o = 36 * nb + 6 * R.block.shape[0] + 2 * R.n
    lower, upper = reals[o:], reals[o + R.n :]
    for i in range(R.n):
        z[i] = min(max(zs[i] / scale[i], lower[i]), upper[i])
        state[i] = 0
        if zs[i] <= R.lower[i]:
            z[i] = lower[i]
            state[i] = -1
        elif zs[i] >= R.upper[i]:
            z[i] = upper[i]
            state[i] = 1
