"""Solvers with a kernel: their numbers, their settings, and one call for all of them.

A compiled program has a solver as its number and a record of settings. A solver with a kernel is
registered here and in ``mlcp.solvers``, and nowhere else.
"""

from __future__ import annotations

import math

from mlcp.compiled.late import FLOAT, FLOATS, INT, INTS, TABLE, late, named, several
from mlcp.compiled.records import Record, number
from mlcp.jit import clock, part
from mlcp.kernels.dense.direct import direct, work_size
from mlcp.kernels.dense_problem import Limits, Problem
from mlcp.kernels.newton import NewtonWork, newton
from mlcp.kernels.pgs import pgs

DIRECT, PGS, NEWTON = 0, 1, 2
NUMBERS = {"direct": DIRECT, "pgs": PGS, "newton": NEWTON}  # by the names of ``mlcp.SOLVERS``


class SolverSettings(Record):
    """Settings of a solver with a kernel."""

    most = number("-", "pivots of a stage, sweeps or Newton steps")
    relaxation = number("-", "of pgs")
    symmetric = number("-", "1: it sweeps forth and back")
    time_limit = number("s", "of wall time of one solve; inf: the clock is not looked at")


def work_length(n: int) -> int:
    """Length of a float64 work array for every solver of n rows."""
    return max(work_size(n), NewtonWork.length(n))


_PROBLEM = named(Problem, TABLE, FLOATS, FLOATS, FLOATS, INT)
_LIMITS = named(Limits, FLOAT, INT, FLOAT, FLOAT)


@late(several(INT, 2)(_PROBLEM, FLOATS, INTS, FLOATS, _LIMITS), "mlcp")
def pivoting(source_hash):
    def pivoting(problem, z, active, work, limits):
        """``direct``, lazily compiled: one for all kinds of contacts."""
        source_hash
        return direct(problem, z, active, work, limits)

    return pivoting


@part
def solve_numbered(solver, problem, z, active, work, settings, tolerance, least):
    """Solve with the solver of that number; for a constant number the others are not compiled.

    Arguments: as ``direct``; settings: ``SolverSettings``; tolerance and least as in ``Limits``.
    """
    deadline = math.inf
    if settings.time_limit < math.inf:
        deadline = clock() + settings.time_limit
    limits = Limits(tolerance, int(settings.most), deadline, least)
    if solver == PGS:
        pgs(problem, z, work, limits, settings.relaxation, settings.symmetric != 0.0)
    elif solver == NEWTON:
        newton(problem, z, work, limits)
    else:
        pivoting(problem, z, active, work, limits)
