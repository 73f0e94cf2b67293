"""Dense problems of a compiled step, or of a structured problem's bounded rows, from a given active set.

First, if every a_ii > 0, Newton steps in the faces of the box, that is, for given sets of free rows
(``face_newton``). If these fail, Lemke's path for boxes (``lemke_solve``) from the last active set.
"""

from __future__ import annotations

import math

from mlcp.compiled.lazy import FLOAT, FLOATS, INT, INTS, lazy, named, several
from mlcp.jit import kernel
from mlcp.kernels.codes import SOLVED
from mlcp.kernels.dense.face_newton import FaceWork, NewtonStart, face_newton
from mlcp.kernels.dense.lemke_solve import SOLVED_RESIDUAL, PathWork, lemke_solve
from mlcp.kernels.dense_problem import IN_A_STEP, Limits
from mlcp.kernels.residual import residual_above


@kernel
def to_sides(problem, z, active):
    """Set z_i to the bound of ``active[i]`` (-1 lower, 1 upper); where this bound is infinite, set
    active[i] to 0 and clip z_i to the box. For equal bounds active[i] is set to -1."""
    for i in range(problem.n):
        low, high = problem.lower[i], problem.upper[i]
        bound = low if active[i] < 0 else high
        if low == high:
            z[i], active[i] = low, -1
        elif active[i] != 0 and abs(bound) < math.inf:
            z[i] = bound
        else:
            z[i], active[i] = min(max(z[i] if abs(z[i]) < math.inf else 0.0, low), high), 0


@kernel
def by_faces(problem, z, active, work, limits):
    """Run Newton steps in the faces; return (whether they solve the problem, number of steps).

    If they fail, z is the start in the box that Lemke's path needs.
    """
    to_sides(problem, z, active)
    n = problem.n
    W, given = FaceWork(work, n), work[work.shape[0] - n :]
    for i in range(n):
        given[i] = z[i]
    steps, residual = face_newton(problem, z, active, W, NewtonStart(False, 0.0), limits)
    if residual > SOLVED_RESIDUAL and residual < math.inf:
        residual = residual_above(problem, z, W.sizes, limits.least)
    if residual <= SOLVED_RESIDUAL:
        return True, steps
    for i in range(n):
        z[i] = given[i]
    return False, steps


def work_size(n: int) -> int:
    """Length of the float64 array ``work`` of ``direct`` for n rows."""
    return max(FaceWork.length(n), PathWork.length(n)) + n


_LIMITS = named(Limits, FLOAT, INT, FLOAT, FLOAT)
_ARGUMENTS = IN_A_STEP, FLOATS, INTS, FLOATS, _LIMITS


@lazy(several(INT, 2)(*_ARGUMENTS), "mlcp")
def lazy_lemke(problem, z, active, work, limits):
    """Follow Lemke's path, compiled by itself: in most runs the Newton steps solve every problem."""
    code, pivots, _residual = lemke_solve(problem, z, active, work, limits)
    return code, pivots


@lazy(several(INT, 2)(*_ARGUMENTS), "mlcp")
def direct(problem, z, active, work, limits):
    """Solve w = A z + b, lower <= z <= upper, w complementary.

    In a compiled step it is compiled by itself: one compilation serves steps with any kind of contact.

    Arguments: those of ``dense_problem``; on entry z has the values that linearly dependent rows keep
        on Lemke's path.
    Returns: (code of ``codes``, number of steps and pivots); after a failure z is the best point known.
    """
    solved, steps = by_faces(problem, z, active, work, limits)
    if solved:
        return SOLVED, steps
    code, pivots = lazy_lemke(problem, z, active, work, limits)
    return code, steps + pivots


@kernel
def in_a_step(problem, z, active, work, limits, settings):
    """Call ``direct`` in a compiled time step (``numbered.solve_numbered``); result: z, active."""
    direct(problem, z, active, work, limits)
