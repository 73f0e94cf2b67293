"""Stage "solve" of a step with hard contacts, alone or together with wheels on soil."""

from contact.kernels.solve.mixed import solve_mixed
from contact.kernels.solve.rigid_reduced import solve_with_friction
from contact.kernels.wheel import layout as at
from mlcp.compiled.row_types import as_array
from mlcp.jit import kernel, part

from ..data import run_of
from .soil import prepare_soil, write_back_soil
from .wheels import release_wheels


@part
def solve_contacts(F, N, solver):
    """Solve the reduced contact problem (of the channel impulses; joints are eliminated) of a machine
    without wheels on soil; store its natural residual.

    The code ``solver`` is a compile-time constant, so that the other solvers are not compiled.
    """
    run = run_of(F, N)
    clock, count = run.clock, run.count
    if count.channels == 0:
        return
    release_wheels(run)
    residual, rounds, converged = solve_with_friction(
        run.hard, solver, clock.friction_tolerance, clock.solver_tolerance
    )
    clock.residual = residual
    clock.residual_max = max(clock.residual_max, residual)
    count.iterations += rounds
    if converged == 0 or not residual <= clock.solver_tolerance:
        count.missed += 1


@kernel
def prepare_mixed(run):
    """Prepare the wheels on soil; copy the mark "live" of every other channel (contact coordinate) to
    its row of the common problem.

    A row without the mark (an open contact) is left out of the step's problem.
    """
    release_wheels(run)
    prepare_soil(run)
    live, channels = run.mixed.given.live, run.channels.live
    first = at.CHANNELS * run.count.soil_wheels
    row = live.shape[0] - (channels.shape[0] - first)
    for k in range(channels.shape[0] - first):
        live[row + k] = channels[first + k]


@part
def solve_all(F, N, solver):
    """Solve wheels on soil by their ground law and hard contacts by Coulomb's, all rows together."""
    run = run_of(F, N)
    prepare_mixed(run)
    clock, channels = run.clock, run.channels
    solve_mixed(
        clock.step, run.contact, run.mixed, as_array(channels.B), as_array(channels.free),
        solver, clock.friction_tolerance, clock.solver_tolerance,
    )  # fmt: skip
    write_back_soil(run)
