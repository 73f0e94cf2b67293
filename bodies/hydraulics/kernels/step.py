"""A circuit in the step of a mechanism: kernels for the stage "solve" and after the projection."""

import functools

from mlcp.jit import call, entry_point, kernel

from ...kernels.codes import HARD, NO_CONTACTS
from ...kernels.data import run_of
from ...kernels.records import OFF_STROKE, RUNNING
from . import cylinders
from .oil import find_forces, finish


@kernel
def begin_cylinders(run, circuit):
    """Solve the oil at the speeds of the step's start.

    If the pistons are locked, write instead p_0 and S of the cylinders' impulses ``p_0 - S B' q``,
    linear in the impulses q of all other channels (contact coordinates); see ``cylinders``.

    Returns 1; 0 if the solve of the oil did not converge.
    """
    cylinders.copy_linkage(run, circuit)
    if circuit.clock.locked == 1:
        cylinders.lock(circuit)
        return 1
    return find_forces(circuit)


@kernel
def conclude(run, circuit, agreed, error):
    """Write the impulses of the cylinders; count the step as missed if its iteration of oil and linkage
    has not converged."""
    if circuit.clock.locked == 1:
        cylinders.apply_locked_forces(run, circuit)
        return
    cylinders.apply_forces(run, circuit)
    if agreed == 0 or not error <= cylinders.ROUND_OFF_FACTOR * cylinders.SPEED_TOLERANCE:
        run.count.missed += 1


@kernel
def step_without_contacts(run, circuit):
    """Solve oil and linkage in a mechanism without contacts, stops, brakes and other bounded rows."""
    agreed = begin_cylinders(run, circuit)
    error = cylinders.speed_error(run, circuit)
    if circuit.clock.locked == 0:
        for _ in range(cylinders.STEPS):
            if error <= cylinders.SPEED_TOLERANCE:
                break
            cylinders.linearise(circuit)
            agreed = cylinders.move_pistons(circuit)
            old, error = error, cylinders.speed_error(run, circuit)
            if cylinders.has_ended(error, old, agreed) == 1:
                break
    conclude(run, circuit, agreed, error)


@functools.cache
def make_oil_solve(contacts):
    """Entry point for cylinders together with the contact problem, for one kind of contacts."""

    @entry_point("mlcp", "contact", "bodies")
    def solve_oil(F, N, solve):
        """Solve oil and contacts in turn.

        ``solve``: address of the compiled contact solve.
        """
        run = run_of(F, N)
        circuit = run.oil
        if contacts == NO_CONTACTS:
            step_without_contacts(run, circuit)
            return 0
        agreed = begin_cylinders(run, circuit)
        count, locked, error = run.count, circuit.clock.locked, 1e300
        missed, lost = count.missed, 0
        if locked == 0:
            agreed = cylinders.approach_pistons(run, circuit, agreed)
        if contacts != HARD:
            cylinders.bristles(run, run.contact, circuit, 1)
        for k in range(cylinders.STEPS):
            if locked == 0:
                cylinders.linearise(circuit)
            cylinders.condense(run, circuit)
            if contacts == HARD:
                if cylinders.other_channels_rest(run, circuit) == 0:
                    call(solve, F, N, 0)
            else:
                if k > 0:
                    cylinders.bristles(run, run.contact, circuit, 0)
                    run.contact.wheels.passes.resumes = 1
                call(solve, F, N, 0)
            lost, count.missed = count.missed - missed, missed
            if locked == 1:
                break
            cylinders.speed_error(run, circuit)
            agreed = cylinders.move_pistons(circuit)
            old, error = error, cylinders.speed_error(run, circuit)
            if cylinders.has_ended(error, old, agreed) == 1:
                break
        if contacts != HARD:
            run.contact.wheels.passes.resumes = 0
        conclude(run, circuit, agreed, error)
        count.missed = missed + max(lost, count.missed - missed)
        return 0

    return solve_oil


@kernel
def store_lengths(run, circuit):
    """Write the positions of the pistons at the end of the step; returns 0 if one has left its cylinder,
    else 1."""
    inside = 1
    for k in range(len(circuit.branches)):
        branch = circuit.branches[k]
        length = run.coordinate[branch.coordinate] + branch.start
        circuit.solves[k].length = length
        if circuit.clock.locked == 1:
            circuit.now[k].length = length
        if not -0.01 <= length <= branch.stroke + 0.01:  # [m] tolerated penetration of a stop
            inside = 0
    return inside


@entry_point("mlcp", "contact", "bodies")
def follow(F, N, stage):
    """Update the oil at the end of the step, after the projection."""
    run = run_of(F, N)
    circuit = run.oil
    if store_lengths(run, circuit) == 0 and run.count.status == RUNNING:
        run.count.status = OFF_STROKE
    if circuit.clock.locked == 0:
        finish(circuit)
        for k in range(len(circuit.branches)):
            circuit.now[k].lever = run.input[circuit.branches[k].lever]
    return 0
