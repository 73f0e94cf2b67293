"""The compiled functions that Python calls for structured problems (arrays: ``structured_setup``).

Each method is one of its own, so that a program waits only for the compilation of what it uses.
"""

from __future__ import annotations

import math

from mlcp.jit import entry_point
from mlcp.kernels.interior import interior_point
from mlcp.kernels.proximal_newton import FAILED, proximal_newton
from mlcp.kernels.reduced import reduced_solve
from mlcp.kernels.structured_layout import Rows
from mlcp.kernels.structured_setup import (
    end_rows,
    plan_into,
    plan_of,
    rows_of,
    scale_rows,
    scratch_of,
    setup_size,
    start_rows,
)
from mlcp.kernels.unit_mass import (
    factor_masses,
    row_velocities,
    structured_residual,
    unit_mass_rows,
    velocities,
)

COLD, WARM = 1e-7, 1e-8  # first proximal weight, relative to diag(A)


@entry_point("mlcp")
def run_plan(source_hash):
    def run_plan(ints, n, nb, bounded, plan):
        """See ``plan_into``."""
        source_hash
        return plan_into(ints, n, nb, bounded, plan)

    return run_plan


@entry_point("mlcp")
def run_structured(source_hash):
    def run_structured(ints, reals, plan, blocks, n, nb, bounded, z, state, cold, patient, tol, work):
        """``proximal_newton`` from z and state, or from rest; the result replaces them.

        Arguments:
            ints, reals, plan, blocks: the problem and its plan; n rows, nb bodies. blocks = 0: the
                plan is made here, and the work must have room for the most blocks possible.
            bounded: the rows with a bound.
            cold: start from rest; z and state need not be filled.
            patient, tol: see ``proximal_newton``.
            work: ``structured_work_size``.
        Returns: (code, steps, factorisations, residual, blocks).
        """
        source_hash
        if blocks == 0:
            blocks = plan_into(ints, n, nb, bounded, plan)
        R, P = rows_of(ints, n, nb, work), plan_of(plan, nb, blocks)
        scale, zs, w, real, v, body, L, rest = scratch_of(ints, n, nb, blocks, work)
        if not scale_rows(reals, nb, R, work, scale):
            return FAILED, 0, 0, math.inf, blocks
        start_rows(reals, nb, R, scale, cold, z, state, zs)
        code, steps, factored, residual = proximal_newton(
            R, P, zs, w, v, COLD if cold else WARM, tol, patient, rest[: 36 * blocks], L, state,
            real, body,
        )  # fmt: skip
        end_rows(reals, nb, R, scale, zs, z, state)
        return code, steps, factored, residual, blocks

    return run_structured


@entry_point("mlcp")
def run_reduced(source_hash):
    def run_reduced(ints, reals, plan, blocks, n, nb, bounded, z, state, cold, tol, work, scratch):
        """``reduced_solve`` with the arguments of ``run_structured``; scratch: int64, m + nb."""
        source_hash
        if blocks == 0:
            blocks = plan_into(ints, n, nb, bounded, plan)
        m = bounded.shape[0]
        R, P = rows_of(ints, n, nb, work), plan_of(plan, nb, blocks)
        scale, zs, w, real, v, body, L, rest = scratch_of(ints, n, nb, blocks, work)
        if not scale_rows(reals, nb, R, work, scale):
            return FAILED, 0, 0, math.inf, blocks
        start_rows(reals, nb, R, scale, cold, z, state, zs)
        code, steps, residual = reduced_solve(
            R, P, zs, w, v, tol, L, state, real, body, bounded, rest[: 6 * nb * m],
            rest[6 * nb * m :], scratch[:m], scratch[m:],
        )  # fmt: skip
        end_rows(reals, nb, R, scale, zs, z, state)
        return code, steps, 1, residual, blocks

    return run_reduced


@entry_point("mlcp")
def run_interior(source_hash):
    def run_interior(ints, reals, plan, blocks, n, nb, z, state, tol, work):
        """``interior_point`` with the arguments of ``run_structured``: (code, steps, residual)."""
        source_hash
        R, P = rows_of(ints, n, nb, work), plan_of(plan, nb, blocks)
        scale, zs, w, real, v, body, L, rest = scratch_of(ints, n, nb, blocks, work)
        if not scale_rows(reals, nb, R, work, scale):
            return FAILED, 0, math.inf
        code, steps, residual = interior_point(R, P, zs, w, v, tol, L, real, body, rest)
        end_rows(reals, nb, R, scale, zs, z, state)
        return code, steps, residual

    return run_interior


def structured_work_size(n: int, nb: int, x: int, m: int, blocks: int) -> int:
    """Length of the float64 work array; x row blocks, m bounded rows."""
    return setup_size(n, nb, x, blocks) + max(36 * blocks, 6 * nb * m + 2 * m * m + 13 * m, 6 * n)


@entry_point("mlcp")
def run_structured_residual(source_hash):
    def run_structured_residual(ints, reals, n, nb, z, w, a, work):
        """w = A z + b and diag(A) from the parts; returns the natural residual.

        work: 42 nb + 6 x, x the number of row blocks.
        """
        source_hash
        x = ints.shape[0] - n - 1
        o = 36 * nb
        mass, J, e, b = reals[:o], reals[o : o + 6 * x], reals[o + 6 * x :], reals[o + 6 * x + n :]
        lower, upper = reals[o + 6 * x + 2 * n :], reals[o + 6 * x + 3 * n :]
        R = Rows(n, ints[: n + 1], ints[n + 1 :], work[o : o + 6 * x], e, b, lower, upper)
        v = work[o + 6 * x : o + 6 * x + 6 * nb]
        if not factor_masses(mass, work[:o], nb):
            return math.inf
        unit_mass_rows(n, R.start, R.block, J, work[:o], e, R.Y, a)
        velocities(R, z, v)
        row_velocities(R, z, v, w)
        beta = 0.0
        for i in range(n):
            beta = max(beta, abs(b[i]) / (math.sqrt(a[i]) if a[i] > 0.0 else 1.0))
        return structured_residual(z, w, n, lower, upper, a, beta if beta > 0.0 else 1.0)

    return run_structured_residual
