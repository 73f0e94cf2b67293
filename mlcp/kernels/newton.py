"""Semismooth Newton on the natural map z - clip(z - w), with descent on the Fischer-Burmeister map."""

from __future__ import annotations

import math

from mlcp.compiled.workspace import WorkArray, part, within
from mlcp.jit import kernel
from mlcp.kernels.codes import FAILED, ITERATION_LIMIT, SOLVED
from mlcp.kernels.deadline import deadline_passed
from mlcp.kernels.matrix_rows import PIVOT_FLOOR
from mlcp.kernels.one_row import SizeWork, row_scale
from mlcp.kernels.partial_pivoting import solve_general
from mlcp.kernels.residual import bias_scale, residual_above


class NewtonWork(WorkArray, sizes="n"):
    """Scratch of Newton's method, with a ``SizeWork`` in it."""

    matrix = part("n n", "derivative of the boxed Fischer-Burmeister map, scaled; free rows' A")
    order = part("n", "the free rows of a natural step")
    step = part("n", "right side and solution of a step's equations; then the last point")
    trial = part("n", "end of the natural step; start of the line search")
    scale = part("n", "sqrt |a_ii|")
    phi = part("n", "boxed Fischer-Burmeister map")
    z_slope = part("n", "slopes of the map in z")
    w_slope = part("n", "slopes of the map in w")
    gradient = part("n", "gradient of half the squared norm of the map")
    sizes = within(SizeWork, "w and sizes of the rows")


@kernel
def fischer(a, b):
    """phi(a, b) = a + b - sqrt(a^2 + b^2) and its two slopes; zero iff a, b >= 0 and a b = 0."""
    if a == math.inf:
        return b, 0.0, 1.0
    if b == math.inf:
        return a, 1.0, 0.0
    h = math.hypot(a, b)
    if h == 0.0:
        return 0.0, 1.0 - math.sqrt(0.5), 1.0 - math.sqrt(0.5)
    if a > 0.0 and b > 0.0:
        value = 2.0 * a * b / (a + b + h)  # no cancellation near the solution
    else:
        value = a + b - h
    return value, 1.0 - a / h, 1.0 - b / h


@kernel
def boxed_fischer(z, w, lower, upper):
    """phi(z - lower, -phi(upper - z, -w)) and its slopes in z and w (Billups 1995, eq 2.3.4)."""
    if lower == -math.inf and upper == math.inf:
        return w, 0.0, 1.0
    inner, inner_a, inner_b = fischer(upper - z, -w)
    value, outer_a, outer_b = fischer(z - lower, -inner)
    return value, outer_a + outer_b * inner_a, outer_b * inner_b


@kernel
def merit_at(problem, z, W, beta):
    """Half the squared norm of the ``boxed_fischer`` map in rows of unit diagonal, over beta^2; the
    map's values and slopes are stored in W. beta: largest scaled |b|."""
    merit = 0.0
    for i in range(problem.n):
        s = W.scale[i]
        w = problem.b[i]
        for j in range(problem.n):
            w += problem.A[i, j] * z[j]
        phi, d_z, d_w = boxed_fischer(
            z[i] * s / beta, w / (s * beta), problem.lower[i] * s / beta, problem.upper[i] * s / beta
        )
        W.phi[i], W.z_slope[i], W.w_slope[i] = phi, d_z, d_w
        merit += 0.5 * phi * phi
    return merit


@kernel
def natural_step(problem, z, W):
    """Write to W.trial the end point of a Newton step on z - clip(z - w, lower, upper).

    If free rows depend on each other, PIVOT_FLOOR is added to the diagonal of their scaled matrix.
    """
    A, b, lower, upper, n = problem.A, problem.b, problem.lower, problem.upper, problem.n
    order, x, trial, matrix, scale = W.order, W.step, W.trial, W.matrix, W.scale
    f = 0
    for i in range(n):
        w = b[i]
        for j in range(n):
            w += A[i, j] * z[j]
        target = z[i] - w / (scale[i] * scale[i])
        if target <= lower[i]:
            trial[i] = lower[i]
        elif target >= upper[i]:
            trial[i] = upper[i]
        else:
            trial[i] = z[i]
            order[f] = i
            f += 1
    for ridge in (0.0, PIVOT_FLOOR):
        for r in range(f):
            i = int(order[r])
            w = b[i]
            for j in range(n):
                w += A[i, j] * trial[j]
            x[r] = -w / scale[i]
            for c in range(f):
                matrix[r * f + c] = A[i, int(order[c])] / scale[i] / scale[int(order[c])]
            matrix[r * f + r] += ridge
        if solve_general(matrix, x, f):
            for r in range(f):
                trial[int(order[r])] += x[r] / scale[int(order[r])]
            break


@kernel
def newton(problem, z, work, limits):
    """Semismooth Newton: the natural map's step if it helps, else Fischer-Burmeister descent.

    The natural step (an active-set guess) is taken when it at least halves the natural residual.
    Otherwise the Newton step of the boxed Fischer-Burmeister map is taken, or, if this step is no
    descent direction, the steepest descent of half the map's squared norm, with Armijo line search.

    Arguments: those of ``dense_problem``.
    Returns: (code, iterations, residual).
    Source: De Luca, Facchinei & Kanzow, A semismooth equation approach to the solution of nonlinear
        complementarity problems, Math. Program. 75 (1996), algorithm of section 4; the boxed map
        is Billups' (1995).
    Differs from the source: the natural step is tried first, and its point is projected.
    """
    lower, upper, n, W = problem.lower, problem.upper, problem.n, NewtonWork(work, problem.n)
    beta = bias_scale(problem)
    for i in range(n):
        W.scale[i] = row_scale(problem.A[i, i])
        if not abs(z[i]) < math.inf:
            z[i] = 0.0
        z[i] = min(max(z[i], lower[i]), upper[i])
    residual = residual_above(problem, z, W.sizes, limits.least)
    for iteration in range(limits.most):
        if residual <= limits.tolerance:
            return SOLVED, iteration, residual
        if residual == math.inf:
            return FAILED, iteration, residual
        if deadline_passed(limits.deadline):
            return ITERATION_LIMIT, iteration, residual
        natural_step(problem, z, W)
        for i in range(n):
            W.step[i] = z[i]
            z[i] = min(max(W.trial[i], lower[i]), upper[i])
        trial = residual_above(problem, z, W.sizes, limits.least)
        if trial <= 0.5 * residual:
            residual = trial
            continue
        for i in range(n):
            z[i] = W.step[i]
        descended = fischer_step(problem, z, W, beta)
        residual = residual_above(problem, z, W.sizes, limits.least)
        if not descended:
            return FAILED, iteration + 1, residual
    return (SOLVED if residual <= limits.tolerance else ITERATION_LIMIT), limits.most, residual


@kernel
def fischer_step(problem, z, W, beta):
    """Step on the boxed Fischer-Burmeister map with line search; False if no step length reduces its
    norm."""
    n, scale, gradient, step, trial = problem.n, W.scale, W.gradient, W.step, W.trial
    merit = merit_at(problem, z, W, beta)
    for i in range(n):  # H = D_z + D_w A in scaled variables, gradient = H' phi
        gradient[i] = 0.0
    for i in range(n):
        for j in range(n):
            h = W.w_slope[i] * problem.A[i, j] / (scale[i] * scale[j])
            if i == j:
                h += W.z_slope[i]
            W.matrix[i * n + j] = h
            gradient[j] += h * W.phi[i]
        step[i] = -W.phi[i]
    newton_direction = solve_general(W.matrix, step, n)
    slope = 0.0
    size = 0.0
    for i in range(n):
        slope += gradient[i] * step[i]
        size += step[i] * step[i]
    if not newton_direction or not slope < -1e-10 * size:
        slope = 0.0
        for i in range(n):
            step[i] = -gradient[i]
            slope -= gradient[i] * gradient[i]
    if not slope < 0.0:
        return False
    for i in range(n):
        trial[i] = z[i]
    t = 1.0
    for _halving in range(50):
        for i in range(n):
            z[i] = trial[i] + t * step[i] * beta / scale[i]
        if merit_at(problem, z, W, beta) <= merit + 1e-4 * t * slope:
            return True
        t *= 0.5
    for i in range(n):
        z[i] = trial[i]
    return False


@kernel
def in_a_step(problem, z, active, work, limits, settings):
    """Call ``newton`` in a compiled time step (``numbered.solve_numbered``); start and result: z."""
    newton(problem, z, work, limits)


def work_size(n: int) -> int:
    """Length of the float64 array ``work`` of ``newton`` for n rows."""
    return NewtonWork.length(n)
