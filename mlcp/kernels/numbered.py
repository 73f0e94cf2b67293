"""Settings and call of a solver in a compiled program, chosen by its number in ``solver_table``."""

from __future__ import annotations

import importlib
import math

from mlcp.compiled.choice import choice
from mlcp.compiled.records import Record, number
from mlcp.jit import clock, part
from mlcp.kernels.dense_problem import Limits
from mlcp.kernels.solver_table import KERNELS

DIRECT = list(KERNELS).index("direct")
_FILES = list(KERNELS.values())
_solve = choice(_FILES, "in_a_step", "problem, z, active, work, limits, settings", inline=True)


class SolverSettings(Record):
    """Settings of a solver with a kernel."""

    most = number("-", "pivots of a stage, sweeps or Newton steps")
    relaxation = number("-", "relaxation factor of pgs")
    symmetric = number("-", "1: pgs sweeps forward and backward")
    time_limit = number("s", "wall time of one solve; inf: the clock is not read")


def work_length(n: int) -> int:
    """Length of a float64 work array that is long enough for each solver, for n rows."""
    return max(int(importlib.import_module(file).work_size(n)) for file in _FILES)


@part
def solve_numbered(solver, problem, z, active, work, settings, tolerance, least):
    """Solve with the solver of number ``solver``; if it is a constant, no other solver is compiled.

    Arguments: problem, z, active, work as of ``dense_problem``; settings: ``SolverSettings``;
        tolerance and least as in ``Limits``.
    """
    deadline = math.inf
    if settings.time_limit < math.inf:
        deadline = clock() + settings.time_limit
    limits = Limits(tolerance, int(settings.most), deadline, least)
    _solve(solver, problem, z, active, work, limits, settings)
