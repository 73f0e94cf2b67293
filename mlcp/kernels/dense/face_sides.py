"""Changes of the active set in ``face_newton`` (Newton steps in faces of the box, sets of free rows): by
Gauss-Seidel sweeps, full steps, or a bent path.

active: -1 at the lower bound, 0 free, 1 at the upper bound. F: a ``Factor``; W: a ``FaceWork``.
"""

import math

import numpy as np

from mlcp.compiled.workspace import WorkArray, part, within
from mlcp.jit import kernel, summing
from mlcp.kernels.dense.free_factor import FactorWork
from mlcp.kernels.one_row import SizeWork

SWEEPS = 3  # number of first Gauss-Seidel sweeps of a symmetric problem; others take twice as many
GOLDEN = 0.6180339887498949


class FaceWork(WorkArray, sizes="n"):
    """Scratch of Newton's steps in the faces."""

    sizes = within(SizeWork, "w and sizes of the rows")
    slot = part("n", "slot of every row in the factor, -1 if it has none")
    step = part("n", "step of every row")
    rate = part("n", "A times the step")
    far = part("n", "fraction of the step up to a row's bound")
    noise = part("n", "round-off of w; the sign of a smaller |w| is ignored")
    scale = part("n", "sqrt a_ii")
    factor = within(FactorWork, "factor of the free rows' matrix")


@summing
def product_and_transposed(A, i, x, transposed, n):
    """Return A[i] . x; add x[i] A[i], a term of A'x, to the array ``transposed``."""
    total, own = 0.0, x[i]
    for j in range(n):
        at = np.uint64(j)
        entry = A[np.uint64(i), at]
        total += entry * x[at]
        transposed[at] += own * entry
    return total


@kernel
def seems_symmetric(A, W, n):
    """True if A x = A' x, to 1e-12 of the rows' scales, for one vector x of irregular numbers.

    One pass over A. A wrong result costs only time: the residual is computed from A itself.
    """
    x, forth, back = W.far, W.step, W.rate
    size = 0.0
    for i in range(n):
        x[i] = 1.0 + (i * GOLDEN) % 1.0
        size += x[i] * W.scale[i]
        back[i] = 0.0
    for i in range(n):
        forth[i] = product_and_transposed(A, i, x, back, n)
    for i in range(n):
        if not abs(forth[i] - back[i]) <= 1e-12 * size * W.scale[i]:
            return False
    return True


@kernel
def add_column(to, F, i, factor):
    """Add ``factor A[:, i]`` to the array ``to`` (n,)."""
    if F.symmetric:
        for c in range(F.n):
            to[np.uint64(c)] += factor * F.A[np.uint64(i), np.uint64(c)]
    else:
        for c in range(F.n):
            to[np.uint64(c)] += factor * F.transposed[np.uint64(i * F.n + c)]


@kernel
def sweep(problem, z, w, F, backwards):
    """Do one sweep of projected Gauss-Seidel in z; update w = A z + b."""
    n = problem.n
    for k in range(n):
        i = n - 1 - k if backwards else k
        new = min(max(z[i] - w[i] / problem.A[i, i], problem.lower[i]), problem.upper[i])
        if new != z[i]:
            add_column(w, F, i, new - z[i])
            z[i] = new


@kernel
def start(problem, z, active, F, W, cold):
    """Set z, active and W.sizes.w = A z + b at the start.

    cold: from Gauss-Seidel sweeps that begin at 0. Else rows of z at a bound stay there, and the others
    start at 0: of the given z, which has round-off, only the active set is used.
    """
    n, w = problem.n, W.sizes.w
    for i in range(n):
        w[i] = problem.b[i]
        W.slot[i] = -1.0
    for i in range(n):
        active[i] = 0
        low, high = problem.lower[i], problem.upper[i]
        if not cold and (z[i] <= low or z[i] >= high):
            active[i] = -1 if z[i] <= low else 1
            z[i] = low if z[i] <= low else high
        else:
            z[i] = min(max(0.0, low), high)
        if z[i] != 0.0:
            add_column(w, F, i, z[i])
    if cold:
        for k in range(SWEEPS if F.symmetric else 2 * SWEEPS):
            sweep(problem, z, w, F, k % 2 == 1)
    find_noise(problem, z, W)
    if cold:
        update_active(problem, z, active, W, True)


@kernel
def find_noise(problem, z, W):
    """Set W.noise (n,) to the round-off of |w_i| that the largest z and b_i cause."""
    largest, scale = 0.0, W.scale
    for i in range(problem.n):
        own = abs(z[i]) * scale[i]
        largest = own if own > largest else largest
    largest *= 4e-16 * problem.n
    for i in range(problem.n):
        W.noise[i] = largest * scale[i] + 1e-14 * abs(problem.b[i])


@kernel
def update_active(problem, z, active, W, frees):
    """Set active: -1, 1 at a bound whose w has the right sign, else 0; return the number of changes.

    frees: True to free rows at a bound; else only free rows change.
    """
    lower, upper, w, noise = problem.lower, problem.upper, W.sizes.w, W.noise
    changes = 0
    for i in range(problem.n):
        if active[i] != 0 and not frees:
            continue
        new = 0
        if z[i] <= lower[i] and (w[i] >= -noise[i] or lower[i] == upper[i]):
            new = -1
        elif z[i] >= upper[i] and w[i] <= noise[i]:
            new = 1
        if new != active[i]:
            changes += 1
        active[i] = new
    return changes


@kernel
def exchange_offending(problem, z, active, F, W):
    """Move free rows that are beyond a bound to it; make rows at a bound free if w has the wrong sign.

    Returns: the number of these rows.
    """
    lower, upper, w, noise = problem.lower, problem.upper, W.sizes.w, W.noise
    offending = 0
    for i in range(problem.n):
        margin = noise[i] / problem.A[i, i]
        if active[i] != 0:
            if active[i] * w[i] > noise[i] and lower[i] < upper[i]:
                active[i] = 0
                offending += 1
        elif z[i] < lower[i] - margin:
            active[i] = -1
            offending += 1
        elif z[i] > upper[i] + margin:
            active[i] = 1
            offending += 1
    for i in range(problem.n):
        bound = min(max(z[i], lower[i]), upper[i])
        if bound != z[i]:
            add_column(w, F, i, bound - z[i])
            z[i] = bound
    return offending


@kernel
def follow(problem, z, F, W):
    """Move z to the first minimum of z'A z / 2 + b'z along W.step, bent at each bound met; update w.

    Returns: (fraction of the step, 1 for the whole step; number of bounds met).
    """
    lower, upper, n, w = problem.lower, problem.upper, problem.n, W.sizes.w
    step, rate, far = W.step, W.rate, W.far
    for i in range(n):
        far[i] = math.inf
        if step[i] > 0.0 and upper[i] < math.inf:
            far[i] = max(upper[i] - z[i], 0.0) / step[i]
        elif step[i] < 0.0 and lower[i] > -math.inf:
            far[i] = min(lower[i] - z[i], 0.0) / step[i]
    t, met, slope, bend = 0.0, 0, 0.0, 0.0
    for i in range(n):
        slope += w[i] * step[i]
        bend += rate[i] * step[i]
    while True:
        row, nearest = 0, far[0]
        for i in range(1, n):
            if far[i] < nearest:
                row, nearest = i, far[i]
        if not slope < 0.0:
            return (1.0 if met == 0 else t), met
        end = min(nearest, 1.0)
        lowest = t - slope / bend if bend > 0.0 else math.inf
        length = min(lowest, end) - t
        for i in range(n):
            z[i] += length * step[i]
            w[i] += length * rate[i]
        if lowest <= end or end == 1.0:
            return min(lowest, end), met
        t = end
        own = step[row]
        z[row] = upper[row] if own > 0.0 else lower[row]
        slope += length * bend - w[row] * own
        bend += own * (own * problem.A[row, row] - 2.0 * rate[row])
        far[row] = math.inf
        add_column(rate, F, row, -own)
        step[row] = 0.0
        met += 1
