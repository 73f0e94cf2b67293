"""What a circuit adds to the step of a mechanism: its part of "solve contacts", and of its end."""

from __future__ import annotations

import functools

from mlcp.jit import call, entry_point, kernel

from ...kernels.codes import HARD, NO_CONTACTS
from ...kernels.data import run_of
from ...kernels.records import OFF_STROKE, RUNNING
from .cylinders import (
    CLOSE,
    ROUNDED,
    STEPS,
    at_rest,
    bristles,
    condense,
    ends,
    linearise,
    lock,
    move_pistons,
    push,
    push_locked,
    speed_error,
    take,
)
from .oil import find_forces, finish

SLACK = 0.01  # [m] by which a piston may press into its stop


@kernel
def begin_cylinders(run, circuit):
    """The oil at the speeds with which the step starts, and the linearisation there; 0: not agreed."""
    take(run, circuit)
    if circuit.clock.locked == 1:
        lock(circuit)
        return 1
    return find_forces(circuit)


@kernel
def conclude(run, circuit, agreed, error):
    """Impulses of the cylinders; a step in which oil and linkage did not agree is counted."""
    if circuit.clock.locked == 1:
        push_locked(run, circuit)
        return
    push(run, circuit)
    if agreed == 0 or not error <= ROUNDED * CLOSE:
        run.count.missed += 1


@kernel
def push_alone(run, circuit):
    """A step of cylinders without any other channel."""
    agreed = begin_cylinders(run, circuit)
    error = speed_error(run, circuit)
    if circuit.clock.locked == 0:
        for _ in range(STEPS):
            if error <= CLOSE:
                break
            linearise(circuit)
            agreed = move_pistons(circuit)
            old, error = error, speed_error(run, circuit)
            if ends(error, old, agreed) == 1:
                break
    conclude(run, circuit, agreed, error)


@functools.cache
def make_push(contacts):
    """Cylinders and the reduced contact problem, for one kind of contacts."""

    @entry_point("mlcp", "contact", "bodies")
    def push_cylinders(source_hash):
        def push_cylinders(F, N, solve):
            """``solve``: where the contacts alone are solved; its machine code is shared with
            mechanisms without oil."""
            source_hash
            run = run_of(F, N)
            circuit = run.oil
            if contacts == NO_CONTACTS:
                push_alone(run, circuit)
                return 0
            agreed = begin_cylinders(run, circuit)
            count, locked, error = run.count, circuit.clock.locked, 1e300
            missed, lost = count.missed, 0
            if contacts != HARD:
                bristles(run, run.contact, circuit, 1)
            for k in range(STEPS):
                if locked == 0:
                    linearise(circuit)
                condense(run, circuit)
                if contacts == HARD:
                    if at_rest(run, circuit) == 0:
                        call(solve, F, N, 0)
                else:
                    if k > 0:
                        bristles(run, run.contact, circuit, 0)
                    call(solve, F, N, 0)
                lost, count.missed = count.missed - missed, missed
                if locked == 1:
                    break
                speed_error(run, circuit)
                agreed = move_pistons(circuit)
                old, error = error, speed_error(run, circuit)
                if ends(error, old, agreed) == 1:
                    break
            conclude(run, circuit, agreed, error)
            count.missed = missed + max(lost, count.missed - missed)
            return 0

        return push_cylinders

    return push_cylinders


@kernel
def see_lengths(run, circuit):
    """Where the pistons are at the end of the step; 0: one has left its cylinder."""
    inside = 1
    for k in range(len(circuit.branches)):
        branch = circuit.branches[k]
        length = run.coordinate[branch.coordinate] + branch.start
        circuit.solves[k].length = length
        if circuit.clock.locked == 1:
            circuit.now[k].length = length
        if not -SLACK <= length <= branch.stroke + SLACK:
            inside = 0
    return inside


@entry_point("mlcp", "contact", "bodies")
def follow(source_hash):
    def follow(F, N, stage):
        """The oil where the step has ended, after the projection."""
        source_hash
        run = run_of(F, N)
        circuit = run.oil
        if see_lengths(run, circuit) == 0 and run.count.status == RUNNING:
            run.count.status = OFF_STROKE
        if circuit.clock.locked == 0:
            finish(circuit)
            for k in range(len(circuit.branches)):
                circuit.now[k].lever = run.input[circuit.branches[k].lever]
        return 0

    return follow
