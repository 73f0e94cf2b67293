"""Newton steps in the faces of the box: the first method for dense problems.

From a cold start, a few Gauss-Seidel sweeps estimate the free rows. Then, repeatedly, the free rows F
step towards the z at which their w vanishes, z_F - A_FF^-1 w_F.

- A symmetric: this z is the minimiser of z'A z / 2 + b'z in the face of the box. The path bends along
  every bound that it meets and ends at the first minimum, so that every step descends. Rows at a bound
  whose w has the wrong sign become free if the step exceeded LEAST_RELEASING_STEP of the path. After a
  shorter step most of the error is in the free rows, and released rows would return to their bounds.
- A not symmetric: the whole step is taken; then all rows with a wrong sign of w, or beyond a bound,
  change between bound and free at once. The method ends without a solution if more than PATIENCE n rows
  have changed since the number of such rows last fell.

If the pivot of a dependent row vanishes, A_FF + DIAGONAL_RIDGE diag(A_FF) is factored from then on; the
steps are then those of a proximal iteration with the same fixed points. F: ``Factor``; W: ``FaceWork``.
Source: Bertsekas, Projected Newton methods for optimization problems with simple constraints, SIAM J.
    Control Optim. 20 (1982); the search is that of More & Toraldo, SIAM J. Optim. 1 (1991), along
    Newton's direction; Judice & Pires, Basic-set algorithm for a generalized linear complementarity
    problem, J. Optim. Theory Appl. 74 (1992).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from mlcp.jit import kernel
from mlcp.kernels.deadline import deadline_passed
from mlcp.kernels.dense.face_sides import FaceWork as FaceWork  # re-exported for callers
from mlcp.kernels.dense.face_sides import (
    add_column,
    exchange_offending,
    find_noise,
    follow,
    seems_symmetric,
    start,
    update_active,
)
from mlcp.kernels.dense.free_factor import Floor, factor_of, factor_rows, join, leave, solve_factored
from mlcp.kernels.dense_problem import product
from mlcp.kernels.residual import residual_above

DIAGONAL_RIDGE = 1e-9  # fraction of the diagonal added if a row is dependent
SOLVED_RESIDUAL = 1e-12  # natural residual of a solution, a hundredth of the default tolerance
LEAST_RELEASING_STEP = 0.5  # fraction of the path after which rows may leave their bounds
CHANGES = 4  # updating a factor costs as much as a new one if one row in CHANGES joins or leaves
PATIENCE = 3  # largest number of exchanged rows, over n, since the number of offending rows last fell


class NewtonStart(NamedTuple):
    """Start of Newton's method in faces, and the ridge for dependent rows."""

    cold: Any  # True: start with Gauss-Seidel sweeps from 0; else from the active set of z
    ridge: Any  # fraction of the diagonal added if a row is dependent; with 0 the method fails


@kernel
def set_newton_step(f, F, W, ridge):
    """Compute W.step = -(A_FF + ridge diag A_FF)^-1 w_F of the free rows F, and W.rate = A W.step."""
    step, rate, row, x, w = W.step, W.rate, F.row, F.x, W.sizes.w
    for k in range(f):
        x[k] = -w[int(row[k])] if row[k] >= 0.0 else 0.0
    solve_factored(F, f)
    for i in range(F.n):
        step[i] = 0.0
    for k in range(f):
        if row[k] >= 0.0:
            step[int(row[k])] = x[k]
    if 4 * f < F.n:
        for i in range(F.n):
            rate[i] = 0.0
        for k in range(f):
            if row[k] >= 0.0:
                add_column(rate, F, int(row[k]), x[k])
        return
    for i in range(F.n):
        if W.slot[i] >= 0.0:
            rate[i] = -w[i] - ridge * F.A[i, i] * step[i]
        else:
            rate[i] = product(F.A, i, step, F.n)


@kernel
def collect(problem, z, active, W, symmetric):
    """Assign positions in the factor (slots) to the free rows, in a symmetric problem the rows far from
    their bounds first; return the number of free rows."""
    n, row, slot, far, found = problem.n, W.factor.row, W.slot, W.far, W.step
    total, f = 0.0, 0
    for i in range(n):
        slot[i] = -1.0
        if active[i] == 0:
            far[f] = min(z[i] - problem.lower[i], problem.upper[i] - z[i]) * W.scale[i]
            total += min(far[f], abs(z[i]) * W.scale[i])
            found[f] = i
            f += 1
    mean = total / max(f, 1)
    # one to four: next slots for rows whose ``far`` exceeds 4, 1, 1/4, 0 times the mean
    one, two, three, four = 0, 0, 0, 0
    for k in range(f if symmetric else 0):
        two += 1 if far[k] > 4.0 * mean else 0
        three += 1 if far[k] > mean else 0
        four += 1 if far[k] > 0.25 * mean else 0
    for k in range(f):
        if not symmetric or far[k] > 4.0 * mean:
            at, one = one, one + 1
        elif far[k] > mean:
            at, two = two, two + 1
        elif far[k] > 0.25 * mean:
            at, three = three, three + 1
        else:
            at, four = four, four + 1
        row[at], slot[int(found[k])] = found[k], at
    return f


@kernel
def update(active, f, F, W, floor):
    """Update the factor F, of f slots, to the free rows; return the new number of slots, or -1 if a new
    factor is needed."""
    n, slot = F.n, W.slot
    changes, free, joining = 0, 0, 0
    for i in range(n):
        free += 1 if active[i] == 0 else 0
        joining += 1 if active[i] == 0 and slot[i] < 0.0 else 0
        changes += 1 if (active[i] == 0) != (slot[i] >= 0.0) else 0
    if f == 0 or changes * CHANGES > free or f + joining > n:
        return -1
    for i in range(n):
        if active[i] != 0 and slot[i] >= 0.0:
            leave(F, int(slot[i]), f)
            slot[i] = -1.0
    for i in range(n):
        if active[i] == 0 and slot[i] < 0.0:
            if not join(F, i, f, floor):
                return -1
            slot[i] = f
            f += 1
    return f


@kernel
def face_newton(problem, z, active, W, begin, limits):
    """Solve a dense problem; return the number of steps and the natural residual of z, inf at a failure.

    Arguments: those of ``dense_problem``; the active set of z is the start unless ``begin.cold``. In
        W.sizes.w is w = A z + b. At most 50 + 2 n steps are done, if ``limits.most`` is larger.
    """
    n = problem.n
    for i in range(n):
        if not problem.A[i, i] > 0.0:
            return 0, math.inf
        W.scale[i] = math.sqrt(problem.A[i, i])
    F = factor_of(problem.A, n, W.factor, seems_symmetric(problem.A, W, n))
    start(problem, z, active, F, W, begin.cold)
    floor = Floor(1e-11, 0.0)  # smallest pivot over the row's diagonal entry, and no ridge
    f, best, fewest, patience = 0, math.inf, n + 1, PATIENCE * n
    most = min(limits.most, 50 + 2 * n)
    for it in range(most):
        if deadline_passed(limits.deadline):
            return it, math.inf
        f = update(active, f, F, W, floor)
        if f < 0:
            f = collect(problem, z, active, W, F.symmetric)
            if not factor_rows(F, f, floor):
                floor = Floor(0.01 * begin.ridge, begin.ridge)
                if begin.ridge == 0.0 or not factor_rows(F, f, floor):
                    return it, math.inf
        set_newton_step(f, F, W, floor.ridge)
        if F.symmetric:
            fraction, met = follow(problem, z, F, W)
            find_noise(problem, z, W)
            offending = update_active(problem, z, active, W, fraction > LEAST_RELEASING_STEP)
            if fraction < 0.999999 or met > 0:  # bent, or shortened by more than round-off
                continue
        else:
            for i in range(n):
                z[i] += W.step[i]
                W.sizes.w[i] += W.rate[i]
            find_noise(problem, z, W)
            offending = exchange_offending(problem, z, active, F, W)
            patience = PATIENCE * n if offending < fewest else patience - offending
            fewest = min(fewest, offending)
            if patience < 0:
                return it + 1, math.inf
        if offending == 0:
            residual = residual_above(problem, z, W.sizes, 0.0)
            if residual <= SOLVED_RESIDUAL or not residual < 0.5 * best:
                return it + 1, residual
            best = residual
    return most, math.inf
