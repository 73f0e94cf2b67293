"""The compiled functions that Python calls for structured problems.

A problem comes as two flat arrays, ints (row_start, row_block) and reals (mass, J, e, b, lower,
upper), and scratch as two more: every array argument costs a call from Python 0.05 to 0.1 us.
"""

from __future__ import annotations

import math

from mlcp.jit import entry_point, kernel
from mlcp.kernels.plan import make_plan, mark_late
from mlcp.kernels.proximal_newton import proximal_newton
from mlcp.kernels.reduced import reduced_solve
from mlcp.kernels.structured_layout import Plan, Rows
from mlcp.kernels.unit_mass import (
    factor_masses,
    row_velocities,
    structured_residual,
    unit_mass_rows,
    velocities,
)

REDUCED = 64  # most bounded rows for which the bilateral ones are eliminated
COLD, WARM = 1e-7, 1e-8  # first proximal weight, relative to diag(A)


@kernel
def plan_into(ints, n, nb, bounded, plan):
    """Fill the plan (``plan_size(nb)``, then 2 nb of scratch); returns the number of blocks."""
    row_start, row_block = ints[: n + 1], ints[n + 1 :]
    o = 3 * nb + 1 + nb * nb
    rest = o + nb * (nb - 1) // 2
    late, degree = plan[rest : rest + nb], plan[rest + nb : rest + 2 * nb]
    # Bodies of the bounded rows last, if they are few: then the rows' reduced problem is cheap.
    mark_late(bounded, bounded.shape[0], row_start, row_block, late, nb)
    return make_plan(
        nb, n, row_start, row_block, late, degree, plan[:nb], plan[nb : 2 * nb],
        plan[2 * nb : 3 * nb + 1], plan[3 * nb + 1 : o], plan[o:rest],
    )  # fmt: skip


@entry_point("mlcp")
def run_plan(source_hash):
    def run_plan(ints, n, nb, bounded, plan):
        """See ``plan_into``."""
        source_hash
        return plan_into(ints, n, nb, bounded, plan)

    return run_plan


@entry_point("mlcp")
def run_structured(source_hash):
    def run_structured(
        ints, reals, plan, blocks, n, nb, bounded, z, state, cold, tol, work, scratch
    ):
        """Solve a structured problem from z and state, or from rest; the result replaces them.

        Arguments:
            ints, reals, plan, blocks: the problem and its plan; n rows, nb bodies. blocks = 0: the
                plan is made here, and the work must have room for the most blocks possible.
            bounded (m,): the rows with a bound.
            cold: start from rest; z and state need not be filled.
            tol: see ``proximal_newton``.
            work: ``structured_work_size``; scratch: int64, m + nb.
        Returns: (code, steps, factorisations, residual, blocks).
        """
        source_hash
        if blocks == 0:
            blocks = plan_into(ints, n, nb, bounded, plan)
        m, x = bounded.shape[0], ints.shape[0] - n - 1
        row_start, row_block = ints[: n + 1], ints[n + 1 :]
        o = 36 * nb
        mass, J, e, b = reals[:o], reals[o : o + 6 * x], reals[o + 6 * x :], reals[o + 6 * x + n :]
        lower, upper = reals[o + 6 * x + 2 * n :], reals[o + 6 * x + 3 * n :]
        factor, Y, a = work[:o], work[o : o + 6 * x], work[o + 6 * x : o + 6 * x + n]
        o += 6 * x + n
        R = Rows(
            n, row_start, row_block, Y,
            work[o : o + n], work[o + n : o + 2 * n], work[o + 2 * n : o + 3 * n],
            work[o + 3 * n : o + 4 * n],
        )  # fmt: skip
        zs, w, real = work[o + 4 * n : o + 5 * n], work[o + 5 * n : o + 6 * n], work[o + 6 * n :]
        o += 10 * n
        v, body = work[o : o + 6 * nb], work[o + 6 * nb : o + 24 * nb]
        L = work[o + 24 * nb : o + 24 * nb + 36 * blocks]
        o += 24 * nb + 36 * blocks
        P = Plan(
            nb, blocks, plan[:nb], plan[nb : 2 * nb], plan[2 * nb : 3 * nb + 1],
            plan[3 * nb + 1 : 3 * nb + 1 + nb * nb], plan[3 * nb + 1 + nb * nb :],
        )  # fmt: skip
        if not factor_masses(mass, factor, nb):
            return 3, 0, 0, math.inf, blocks
        unit_mass_rows(n, row_start, row_block, J, factor, e, Y, a)
        # Few bounded rows: eliminate the others first; if that fails, as without.
        reduced = m <= REDUCED and 2 * m <= n
        # Rows scaled to a unit diagonal; a row that is zero stays.
        for i in range(n):
            s = math.sqrt(a[i]) if a[i] > 0.0 else 1.0
            inverse = 1.0 / s
            a[i] = s
            for y in range(6 * row_start[i], 6 * row_start[i + 1]):
                Y[y] *= inverse
            R.e[i] = e[i] * inverse * inverse
            R.b[i] = b[i] * inverse
            R.lower[i], R.upper[i] = lower[i] * s, upper[i] * s
            if cold:
                z[i] = min(max(0.0, lower[i]), upper[i])
                state[i] = -1 if lower[i] == upper[i] else 0
            zs[i] = z[i] * s
        code, steps, factored, residual = 3, 0, 0, math.inf
        if reduced:
            X, small = work[o : o + 6 * nb * m], work[o + 6 * nb * m :]
            code, steps, residual = reduced_solve(
                R, P, zs, w, v, tol, L, state, real, body, bounded, X, small,
                scratch[:m], scratch[m:],
            )  # fmt: skip
            factored = 1
        if code != 0:
            if reduced:
                for i in range(n):
                    zs[i] = z[i] * a[i]
                    state[i] = -1 if lower[i] == upper[i] else 0
            code, steps, factored, residual = proximal_newton(
                R, P, zs, w, v, COLD if cold else WARM, tol, work[o : o + 36 * blocks], L, state,
                real, body,
            )  # fmt: skip
        for i in range(n):
            z[i] = min(max(zs[i] / a[i], lower[i]), upper[i])
            state[i] = 0
            if zs[i] <= R.lower[i]:
                z[i] = lower[i]
                state[i] = -1
            elif zs[i] >= R.upper[i]:
                z[i] = upper[i]
                state[i] = 1
        return code, steps, factored, residual, blocks

    return run_structured


def structured_work_size(n: int, nb: int, x: int, m: int, blocks: int) -> int:
    """Length of the float64 work array of ``run_structured``; x row blocks, m bounded rows."""
    rest = max(36 * blocks, 6 * nb * m + 2 * m * m + 13 * m)
    return 60 * nb + 6 * x + 11 * n + 36 * blocks + rest


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
