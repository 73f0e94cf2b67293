"""The few compiled functions of the package that Python calls; the rest are called by kernels."""

from __future__ import annotations

import math

from mlcp.jit import entry_point
from mlcp.kernels.blocks import delassus_diagonal, factor_masses, make_plan, mark_late
from mlcp.kernels.direct import direct
from mlcp.kernels.newton import newton
from mlcp.kernels.pgs import pgs
from mlcp.kernels.proximal_newton import (
    proximal_newton,
    row_velocities,
    structured_residual,
    velocity_of,
)
from mlcp.kernels.reduced import reduced_solve
from mlcp.kernels.residual import bias_scale, natural_residual, row_scale


@entry_point("mlcp")
def run_direct(source_hash):
    def run_direct(A, b, lower, upper, z, active, work, max_pivots):
        source_hash
        return direct(A, b, lower, upper, z, active, b.shape[0], work, max_pivots)

    return run_direct


@entry_point("mlcp")
def run_pgs(source_hash):
    def run_pgs(A, b, lower, upper, z, relaxation, symmetric, tol, max_sweeps):
        source_hash
        n = b.shape[0]
        return pgs(A, b, lower, upper, z, n, relaxation, symmetric, tol, max_sweeps)

    return run_pgs


@entry_point("mlcp")
def run_newton(source_hash):
    def run_newton(A, b, lower, upper, z, tol, max_iterations, work):
        source_hash
        return newton(A, b, lower, upper, z, b.shape[0], tol, max_iterations, work)

    return run_newton


@entry_point("mlcp")
def run_residual(source_hash):
    def run_residual(A, b, lower, upper, z):
        source_hash
        return natural_residual(A, b, lower, upper, z, b.shape[0])

    return run_residual


@entry_point("mlcp")
def scale_box_programme(source_hash):
    def scale_box_programme(A, b, lower, upper, scale, P, q, lo, up):
        """Unit diagonal and max |b| = 1; the upper triangle of A goes to P column by column."""
        source_hash
        n = b.shape[0]
        beta = bias_scale(A, b, n)
        k = 0
        for j in range(n):
            scale[j] = row_scale(A[j, j])
            for i in range(j + 1):
                P[k] = A[i, j] / (scale[i] * scale[j])
                k += 1
            q[j] = b[j] / (scale[j] * beta)
            lo[j] = max(lower[j] * scale[j] / beta, -1e30)
            up[j] = min(upper[j] * scale[j] / beta, 1e30)
        for j in range(n):
            scale[j] = beta / scale[j]

    return scale_box_programme


@entry_point("mlcp")
def run_plan(source_hash):
    def run_plan(
        row_start,
        row_block,
        bounded,
        late,
        adjacent,
        degree,
        order,
        position,
        start,
        rows,
        where,
    ):
        source_hash
        nb, n = order.shape[0], row_start.shape[0] - 1
        mark_late(bounded, bounded.shape[0], row_start, row_block, late, nb)
        return make_plan(
            nb,
            n,
            row_start,
            row_block,
            late,
            adjacent,
            degree,
            order,
            position,
            start,
            rows,
            where,
        )

    return run_plan


@entry_point("mlcp")
def run_structured(source_hash):
    def run_structured(
        row_start, row_block, J, mass, e, b, lower, upper,
        order, position, start, rows, where, blocks,
        z, w, v, a, mass_factor, delta, smallest, shrink, tol, H, L, state, real, body,
    ):  # fmt: skip
        """Factor the masses, form diag(A), solve; (code, steps, factorisations, residual)."""
        source_hash
        n, nb = b.shape[0], order.shape[0]
        if not factor_masses(mass, mass_factor, nb):
            return 3, 0, 0, math.inf
        delassus_diagonal(n, row_start, row_block, J, mass_factor, e, a)
        return proximal_newton(
            n, nb, row_start, row_block, J, mass, mass_factor, e, b, lower, upper, a,
            order, position, start, rows, where, blocks,
            z, w, v, delta, smallest, shrink, tol, H, L, state, real, body,
        )  # fmt: skip

    return run_structured


@entry_point("mlcp")
def run_reduced(source_hash):
    def run_reduced(
        row_start, row_block, J, mass, e, b, lower, upper,
        order, position, start, rows, where, blocks,
        z, w, v, a, mass_factor, tol, L, state, real, body, bounded, Y, small, active, filled,
    ):  # fmt: skip
        """By eliminating the bilateral rows; (code, corrections, residual)."""
        source_hash
        n, nb = b.shape[0], order.shape[0]
        if not factor_masses(mass, mass_factor, nb):
            return 3, 0, math.inf
        delassus_diagonal(n, row_start, row_block, J, mass_factor, e, a)
        return reduced_solve(
            n, nb, row_start, row_block, J, mass, mass_factor, e, b, lower, upper, a,
            order, position, start, rows, where, blocks,
            z, w, v, tol, L, state, real, body, bounded, Y, small, active, filled,
        )  # fmt: skip

    return run_reduced


@entry_point("mlcp")
def run_structured_residual(source_hash):
    def run_structured_residual(
        row_start, row_block, J, mass, e, b, lower, upper, z, w, v, a, mass_factor
    ):
        """w = A z + b and diag(A) of a structured problem; returns the natural residual."""
        source_hash
        n, nb = b.shape[0], mass.shape[0] // 36
        if not factor_masses(mass, mass_factor, nb):
            return math.inf
        delassus_diagonal(n, row_start, row_block, J, mass_factor, e, a)
        velocity_of(z, v, n, nb, row_start, row_block, J, mass_factor)
        row_velocities(z, v, w, n, row_start, row_block, J, e, b)
        beta = 0.0
        for i in range(n):
            beta = max(beta, abs(b[i]) / row_scale(a[i]))
        return structured_residual(z, w, n, lower, upper, a, beta if beta > 0.0 else 1.0)

    return run_structured_residual
