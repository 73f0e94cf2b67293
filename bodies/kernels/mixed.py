"""Stage "solve contacts" where wheels on soil stand beside hard wheels or rigid contacts."""

from __future__ import annotations

from contact.kernels import layout as at
from contact.kernels.data import friction_of
from contact.kernels.mixed import solve_mixed
from mlcp.compiled.row_types import as_array
from mlcp.jit import kernel, part

from . import layout as L
from .data import run_of
from .soil import book_soil, prepare_soil, soil_of
from .wheels import release_wheels


@kernel
def prepare_mixed(run, contact, friction):
    """As for wheels on soil alone; and which of the extra rows take part in this step."""
    release_wheels(run)
    prepare_soil(run, contact)
    live, channels = friction.given.live, run.channel_live
    first = at.CHANNELS * run.count.soil_wheels
    row = live.shape[0] - (channels.shape[0] - first)
    for k in range(channels.shape[0] - first):
        live[row + k] = channels[first + k]


@part
def solve_all(F, N, solver):
    """Wheels on soil to their ground law, everything hard to Coulomb's; all rows together."""
    run, contact, friction = run_of(F, N), soil_of(F, N), friction_of(F, N, N[L.FRICTION_PLACE])
    prepare_mixed(run, contact, friction)
    clock, C = run.clock, run.count.channels
    solve_mixed(
        clock.step, contact, friction, as_array(run.delassus).reshape((C, C)), as_array(run.free),
        solver, clock.friction_tolerance, clock.solver_tolerance,
    )  # fmt: skip
    book_soil(run, contact)
