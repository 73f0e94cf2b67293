"""The compiled step: detect -> assemble -> factor -> solve contacts -> integrate -> project.

The parts of a step are separately compiled functions, called by their addresses: a model with another
kind of contacts or another solver needs the compilation of one part only. The argument of a part is the
number of the stage. Exception: the argument of the contact part of stage SOLVE is the address of the
contact solve, which the part for hydraulic cylinders calls.
"""

import functools

import numpy as np

from mlcp.jit import call, entry_point, kernel

from . import stages
from .codes import HARD, SOFT
from .contacts.hard import solve_all, solve_contacts
from .contacts.rigid import detect_rigid
from .contacts.soil import leave_tracks, see_ground, solve_soil
from .contacts.wheels import detect_wheels
from .coordinates import measure_coordinates
from .data import run_of
from .records import OBSERVED, RUNNING, USED

CONTACTS = 2 * stages.POSE + 2  # index in ``parts``, after all stages: address of the contact solve


@entry_point("mlcp", "contact", "bodies")
def prepare(F, N, stage):
    if stage == stages.DETECT:
        stages.detect(run_of(F, N))
    else:
        stages.assemble(run_of(F, N))
    return 0


@entry_point("mlcp", "contact", "bodies")
def eliminate(F, N, stage):
    stages.factor(run_of(F, N))
    stages.check_pivot(run_of(F, N))
    return 0


@entry_point("mlcp", "contact", "bodies")
def advance(F, N, stage):
    if stage == stages.INTEGRATE:
        stages.integrate(run_of(F, N))
    elif stage == stages.PROJECT:
        stages.project(run_of(F, N))
        stages.finish(run_of(F, N))
        stages.check_end(run_of(F, N))
    elif stage == stages.MEASURE:
        stages.worst_error(run_of(F, N))
    else:
        stages.correct(run_of(F, N), 0.0, True)
        measure_coordinates(run_of(F, N), np.int64(OBSERVED), np.int64(USED))
    return 0


@functools.cache
def make_touch(contacts):
    """Entry point of the detection of contacts, for one kind of contact problem (see ``codes``)."""

    @entry_point("mlcp", "contact", "bodies")
    def touch(F, N, stage):
        detect_wheels(run_of(F, N))
        if contacts != SOFT:
            detect_rigid(run_of(F, N))
        return 0

    return touch


@entry_point("mlcp", "contact", "bodies")
def vary(F, N, stage):
    """Look up soil maps and ruts before the contact solve; write the ruts in stage INTEGRATE."""
    if stage == stages.SOLVE:
        see_ground(run_of(F, N))
    else:
        leave_tracks(run_of(F, N))
    return 0


@functools.cache
def make_solve(contacts, solver):
    """Entry point of the contact solve, for one kind of contact problem and one solver."""

    @entry_point("mlcp", "contact", "bodies")
    def solve(F, N, stage):
        if contacts == HARD:
            solve_contacts(F, N, solver)
        elif contacts == SOFT:
            solve_soil(F, N, solver)
        else:
            solve_all(F, N, solver)
        return 0

    return solve


@kernel
def record(F, N, keep, out):
    """Write a row of ``out``: the arrays with the numbers ``keep[3:]``, and the count of passes
    (iterations of the contact solves so far)."""
    row, place = keep[2], 0
    for j in range(3, keep.shape[0]):
        for i in range(N[2 * keep[j]], N[2 * keep[j] + 1]):
            out[row, place] = F[i]
            place += 1
    out[row, place] = run_of(F, N).count.iterations
    keep[1], keep[2] = keep[0], row + 1


@kernel
def do_step(F, N, parts, first, last):
    """Run the stages first..last of a step.

    Returns -1: the run continues; 0: the run stops before the step is complete (a new elimination order
    is needed); 1: the run stops after this step.
    """
    count = run_of(F, N).count
    for stage in range(first, last + 1):
        if parts[2 * stage] != 0:
            call(parts[2 * stage], F, N, stage)
        if parts[2 * stage + 1] != 0:
            number = parts[CONTACTS] if stage == stages.SOLVE else stage
            call(parts[2 * stage + 1], F, N, number)
        if count.status != RUNNING:
            if stage == stages.FACTOR and last > stages.FACTOR:
                return 0
            if stage == stages.PROJECT:
                return 1
    return -1


@entry_point("mlcp", "contact", "bodies")
def run(F, N, parts, n, first, last, keep, out):
    """Run the stages first..last of n steps; returns the number of completed steps.

    ``parts`` (2 x 8 + 1): for every stage the address of its part for all mechanisms, then of its
    part for contacts (0: none); last the address of the contact solve. ``keep``: steps per record
    (0: no records), steps to the next record, row of ``out`` of the next record, then the numbers of
    the recorded float arrays.
    """
    for k in range(n):
        ended = do_step(F, N, parts, first, last)
        if ended >= 0:
            return k + ended
        if keep[0] > 0:
            keep[1] -= 1
            if keep[1] == 0:
                record(F, N, keep, out)
    return n
