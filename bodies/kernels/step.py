"""The step: detect -> assemble -> factor -> solve contacts -> integrate -> project, as it is compiled.

It is compiled in parts that call each other by address, so that each is compiled once, in a process of
its own, and the next kind of contacts or solver costs its own part only. A part is called with the
number of the stage; what solves a step's contacts together with something else, with the address of
the contacts alone.
"""

from __future__ import annotations

import functools

import numpy as np

from mlcp.jit import call, entry_point, kernel

from .codes import HARD, SOFT
from .contacts.hard import solve_all, solve_contacts
from .contacts.rigid import detect_rigid
from .contacts.soil import leave_tracks, see_ground, solve_soil
from .contacts.wheels import detect_wheels
from .coordinates import measure_coordinates
from .data import run_of
from .records import RUNNING, USED, WATCHED
from .stages import (
    DETECT,
    FACTOR,
    INTEGRATE,
    MEASURE,
    POSE,
    PROJECT,
    SOLVE,
    assemble,
    correct,
    detect,
    factor,
    finish,
    integrate,
    project,
    watch_end,
    watch_pivot,
    worst_error,
)

CONTACTS = 2 * POSE + 2  # place behind all stages: contacts that another part calls in turn


@entry_point("mlcp", "contact", "bodies")
def prepare(source_hash):
    def prepare(F, N, stage):
        source_hash
        if stage == DETECT:
            detect(run_of(F, N))
        else:
            assemble(run_of(F, N))
        return 0

    return prepare


@entry_point("mlcp", "contact", "bodies")
def eliminate(source_hash):
    def eliminate(F, N, stage):
        source_hash
        factor(run_of(F, N))
        watch_pivot(run_of(F, N))
        return 0

    return eliminate


@entry_point("mlcp", "contact", "bodies")
def advance(source_hash):
    def advance(F, N, stage):
        source_hash
        if stage == INTEGRATE:
            integrate(run_of(F, N))
        elif stage == PROJECT:
            project(run_of(F, N))
            finish(run_of(F, N))
            watch_end(run_of(F, N))
        elif stage == MEASURE:
            worst_error(run_of(F, N))
        else:
            correct(run_of(F, N), 0.0, True)
            measure_coordinates(run_of(F, N), np.int64(WATCHED), np.int64(USED))
        return 0

    return advance


@functools.cache
def make_touch(contacts):
    """Where the contacts are."""

    @entry_point("mlcp", "contact", "bodies")
    def touch(source_hash):
        def touch(F, N, stage):
            source_hash
            detect_wheels(run_of(F, N))
            if contacts != SOFT:
                detect_rigid(run_of(F, N))
            return 0

        return touch

    return touch


@entry_point("mlcp", "contact", "bodies")
def vary(source_hash):
    def vary(F, N, stage):
        """Soil maps and ruts: seen before the contacts are solved, left behind after."""
        source_hash
        if stage == SOLVE:
            see_ground(run_of(F, N))
        else:
            leave_tracks(run_of(F, N))
        return 0

    return vary


@functools.cache
def make_solve(contacts, solver):
    """The reduced contact problem, for one kind of contacts and one solver."""

    @entry_point("mlcp", "contact", "bodies")
    def solve(source_hash):
        def solve(F, N, stage):
            source_hash
            if contacts == HARD:
                solve_contacts(F, N, solver)
            elif contacts == SOFT:
                solve_soil(F, N, solver)
            else:
                solve_all(F, N, solver)
            return 0

        return solve

    return solve


@kernel
def record(F, N, keep, out):
    """Write a record: the arrays named in ``keep`` one after the other, and the count of passes."""
    row, place = keep[2], 0
    for j in range(3, keep.shape[0]):
        for i in range(N[2 * keep[j]], N[2 * keep[j] + 1]):
            out[row, place] = F[i]
            place += 1
    out[row, place] = run_of(F, N).count.iterations
    keep[1], keep[2] = keep[0], row + 1


@kernel
def do_step(F, N, parts, first, last):
    """Do the stages first..last of a step; whether a run must end: 0 before, 1 after it, -1 goes on."""
    count = run_of(F, N).count
    for stage in range(first, last + 1):
        if parts[2 * stage] != 0:
            call(parts[2 * stage], F, N, stage)
        if parts[2 * stage + 1] != 0:
            number = parts[CONTACTS] if stage == SOLVE else stage
            call(parts[2 * stage + 1], F, N, number)
        if count.status != RUNNING:
            if stage == FACTOR and last > FACTOR:
                return 0
            if stage == PROJECT:
                return 1
    return -1


@entry_point("mlcp", "contact", "bodies")
def run(source_hash):
    def run(F, N, parts, n, first, last, keep, out):
        """Do the stages first..last of n steps; returns how many steps were done.

        ``parts`` (2 x 8 + 1): addresses of what every mechanism does in a stage, and what its contacts
        add; 0 is nothing. ``keep``: steps a record (0: none), steps to the next one, its row of ``out``,
        and the numbers of the float arrays that it holds.
        """
        source_hash
        for k in range(n):
            ended = do_step(F, N, parts, first, last)
            if ended >= 0:
                return k + ended
            if keep[0] > 0:
                keep[1] -= 1
                if keep[1] == 0:
                    record(F, N, keep, out)
        return n

    return run
