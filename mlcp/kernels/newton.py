"""Semismooth Newton on the natural map, globalised by the Fischer-Burmeister merit function."""

from __future__ import annotations

import math

from mlcp.jit import kernel
from mlcp.kernels.deadline import is_late
from mlcp.kernels.elimination import eliminate, solve_eliminated
from mlcp.kernels.residual import bias_scale, residual_above, row_scale

SOLVED = 0
ITERATION_LIMIT = 1
FAILED = 3


@kernel
def newton_work_size(n):
    """Length of the float64 work array that ``newton`` needs for n rows."""
    return 2 * n * n + 13 * n


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
def merit_at(A, b, lower, upper, z, n, work, o_scale, o_phi, o_z_slope, o_w_slope, beta):
    """Half the squared norm of the scaled boxed Fischer map; keeps values and slopes in work."""
    merit = 0.0
    for i in range(n):
        s = work[o_scale + i]
        w = b[i]
        for j in range(n):
            w += A[i, j] * z[j]
        phi, d_z, d_w = boxed_fischer(
            z[i] * s / beta, w / (s * beta), lower[i] * s / beta, upper[i] * s / beta
        )
        work[o_phi + i] = phi
        work[o_z_slope + i] = d_z
        work[o_w_slope + i] = d_w
        merit += 0.5 * phi * phi
    return merit


@kernel
def solve_general(work, o_matrix, n, o_x):
    """Gaussian elimination with partial pivoting of the n x n matrix at o_matrix; x in place."""
    for k in range(n):
        p = k
        for r in range(k + 1, n):
            if abs(work[o_matrix + r * n + k]) > abs(work[o_matrix + p * n + k]):
                p = r
        if not abs(work[o_matrix + p * n + k]) > 1e-14:
            return False
        if p != k:
            for c in range(k, n):
                a, q = o_matrix + k * n + c, o_matrix + p * n + c
                work[a], work[q] = work[q], work[a]
            work[o_x + k], work[o_x + p] = work[o_x + p], work[o_x + k]
        for r in range(k + 1, n):
            factor = work[o_matrix + r * n + k] / work[o_matrix + k * n + k]
            if factor != 0.0:
                for c in range(k + 1, n):
                    work[o_matrix + r * n + c] -= factor * work[o_matrix + k * n + c]
                work[o_x + r] -= factor * work[o_x + k]
    for r in range(n - 1, -1, -1):
        x = work[o_x + r]
        for c in range(r + 1, n):
            x -= work[o_matrix + r * n + c] * work[o_x + c]
        work[o_x + r] = x / work[o_matrix + r * n + r]
    return True


@kernel
def natural_step(A, b, lower, upper, z, n, work, o_order, o_ref, o_x, o_trial):
    """Newton step on z - clip(z - w, lower, upper): the trial point goes to work[o_trial:]."""
    f = 0
    for i in range(n):
        w = b[i]
        for j in range(n):
            w += A[i, j] * z[j]
        target = z[i] - w / work[o_ref + i]
        if target <= lower[i]:
            work[o_trial + i] = lower[i]
        elif target >= upper[i]:
            work[o_trial + i] = upper[i]
        else:
            work[o_trial + i] = z[i]
            work[o_order + f] = i
            f += 1
    rank = eliminate(A, n, 0.0, f, work, o_ref, o_order, False)
    for _sweep in range(2):  # the second is one step of iterative refinement
        for r in range(f):
            i = int(work[o_order + r])
            w = b[i]
            for j in range(n):
                w += A[i, j] * work[o_trial + j]
            work[o_x + r] = -w
        solve_eliminated(f, rank, work, o_x)
        for r in range(f):
            work[o_trial + int(work[o_order + r])] += work[o_x + r]
    return rank == f


@kernel
def newton(A, b, lower, upper, z, n, tol, max_iterations, deadline, least, work):
    """Semismooth Newton: the natural map's step where it helps, else Fischer-Burmeister descent.

    The natural step (an active-set guess) is taken when it divides the natural residual by two.
    Otherwise the Newton step of the boxed Fischer-Burmeister map, or its steepest descent when
    that is no descent direction, is taken with an Armijo line search on half its squared norm.

    Arguments: as ``direct``; tol on the natural residual; work ``newton_work_size(n)`` long.
    Returns: (code, iterations, residual).
    Source: De Luca, Facchinei & Kanzow, A semismooth equation approach to the solution of nonlinear
        complementarity problems, Math. Program. 75 (1996), algorithm of section 4; the boxed map
        is Billups' (1995).
    Differs from the source: the natural step is tried first, and its point is projected.
    """
    o_ref = 2 * n * n
    o_x, o_trial, o_order, o_scale = o_ref + n, o_ref + 2 * n, o_ref + 3 * n, o_ref + 4 * n
    o_sizes = o_ref + 9 * n
    beta = bias_scale(A, b, n)
    for i in range(n):
        s = row_scale(A[i, i])
        work[o_scale + i] = s
        work[o_ref + i] = s * s
        if not abs(z[i]) < math.inf:
            z[i] = 0.0
        z[i] = min(max(z[i], lower[i]), upper[i])
    residual = residual_above(A, b, lower, upper, z, n, work, o_sizes, least)
    for iteration in range(max_iterations):
        if residual <= tol:
            return SOLVED, iteration, residual
        if residual == math.inf:
            return FAILED, iteration, residual
        if is_late(deadline):
            return ITERATION_LIMIT, iteration, residual
        natural_step(A, b, lower, upper, z, n, work, o_order, o_ref, o_x, o_trial)
        for i in range(n):
            work[o_x + i] = z[i]
            z[i] = min(max(work[o_trial + i], lower[i]), upper[i])
        trial = residual_above(A, b, lower, upper, z, n, work, o_sizes, least)
        if trial <= 0.5 * residual:
            residual = trial
            continue
        for i in range(n):
            z[i] = work[o_x + i]
        if not fischer_step(A, b, lower, upper, z, n, work, beta):
            return FAILED, iteration + 1, residual_above(A, b, lower, upper, z, n, work, o_sizes, least)
        residual = residual_above(A, b, lower, upper, z, n, work, o_sizes, least)
    return (SOLVED if residual <= tol else ITERATION_LIMIT), max_iterations, residual


@kernel
def fischer_step(A, b, lower, upper, z, n, work, beta):
    """One globalised step on the boxed Fischer-Burmeister map; False when the search ends."""
    o_matrix, o_ref = n * n, 2 * n * n
    o_x, o_trial, o_scale = o_ref + n, o_ref + 2 * n, o_ref + 4 * n
    o_phi, o_dz, o_dw, o_gradient = o_ref + 5 * n, o_ref + 6 * n, o_ref + 7 * n, o_ref + 8 * n
    merit = merit_at(A, b, lower, upper, z, n, work, o_scale, o_phi, o_dz, o_dw, beta)
    for i in range(n):  # H = D_z + D_w A in scaled variables, gradient = H' phi
        work[o_gradient + i] = 0.0
    for i in range(n):
        for j in range(n):
            h = work[o_dw + i] * A[i, j] / (work[o_scale + i] * work[o_scale + j])
            if i == j:
                h += work[o_dz + i]
            work[o_matrix + i * n + j] = h
            work[o_gradient + j] += h * work[o_phi + i]
        work[o_x + i] = -work[o_phi + i]
    newton_direction = solve_general(work, o_matrix, n, o_x)
    slope = 0.0
    size = 0.0
    for i in range(n):
        slope += work[o_gradient + i] * work[o_x + i]
        size += work[o_x + i] * work[o_x + i]
    if not newton_direction or not slope < -1e-10 * size:
        slope = 0.0
        for i in range(n):
            work[o_x + i] = -work[o_gradient + i]
            slope -= work[o_gradient + i] * work[o_gradient + i]
    if not slope < 0.0:
        return False
    for i in range(n):
        work[o_trial + i] = z[i]
    t = 1.0
    for _halving in range(50):
        for i in range(n):
            z[i] = work[o_trial + i] + t * work[o_x + i] * beta / work[o_scale + i]
        trial = merit_at(A, b, lower, upper, z, n, work, o_scale, o_phi, o_dz, o_dw, beta)
        if trial <= merit + 1e-4 * t * slope:
            return True
        t *= 0.5
    for i in range(n):
        z[i] = work[o_trial + i]
    return False
