"""Contact problem of wheels on soil in the memory of a mechanism's step."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from contact import GroundContact
from contact.kernels.wheel import layout as at
from mlcp import SOLVERS
from mlcp.kernels.numbered import SolverSettings, work_length
from mlcp.solvers.base import Solver

#: Tolerance on the soil law if hard contacts, whose friction bounds are iterated, are in the same
#: problem.
MIXED_TOLERANCE = 1e-8


#: Settings of ``contact.GroundContact`` that a run may change.
OF_CONTACT = ("law_tolerance", "solver_tolerance", "max_passes", "max_newton_steps")
SETTINGS = (*OF_CONTACT, "max_iterations", "relaxation")  # the last two: of the solver in a pass


def ground_of(
    mechanism: Any, channels: int, solver: str | Solver = "direct", **settings: Any
) -> GroundContact | None:
    """Contact problem of a mechanism's wheels on soil; None if no wheel is on soil."""
    soft = [wheel for wheel in mechanism.wheels if wheel.soil is not None]
    if not soft:
        return None
    agreed: dict[str, Any] = {"law_tolerance": MIXED_TOLERANCE} if is_mixed(mechanism) else {}
    return GroundContact(
        [wheel.soil for wheel in soft],
        channels - at.CHANNELS * len(soft),
        solver,
        grounds=[wheel.terrain for wheel in soft],
        **agreed | settings,
    )


def is_mixed(mechanism: Any) -> bool:
    """Whether a mechanism with wheels on soil also has wheels on hard ground or rigid contacts."""
    soft = sum(wheel.soil is not None for wheel in mechanism.wheels)
    return soft > 0 and (soft < len(mechanism.wheels) or len(mechanism.contacts) > 0)


def room_to_solve(rows: int) -> dict[str, Any]:
    """Work array and solver settings of a friction problem with ``rows`` rows; its other arrays are
    zeros at first."""
    settings = SolverSettings(np.array(SOLVERS.settings("direct"), float))
    return {"work": np.zeros(work_length(rows)), "settings": settings}


def add_soil(mechanism: Any, channels: int, values: dict[str, Any], sizes: dict[str, int]) -> None:
    """Add the contact problem of the wheels on soil to the arrays and named sizes of a model's
    memory."""
    ground = ground_of(mechanism, channels)
    if ground is None:
        return
    values["count"].soil_wheels = len(ground.wheels)
    values["count"].varies = int(ground.varies)
    values["contact"] = ground.data
    if is_mixed(mechanism):
        rows = sizes["soil_rows"] = ground.data.rows.z.size
        first = at.CHANNELS * len(ground.wheels)
        given = _given(values["channels"], first, channels, rows)
        values |= {"hard": None, "mixed": {"given": given, **room_to_solve(rows)}}


def _given(of: dict[str, Any], first: int, channels: int, rows: int) -> dict[str, Any]:
    """Friction data by row of the common problem of soil and hard contacts. ``of``: the same data by
    channel (contact coordinate), whose channel numbers row numbers replace.

    ``first``: first channel that is not of a wheel on soil; rows of wheels on soil have no friction
    data.
    """
    shift = rows - channels
    found = {
        "parent": np.full(rows, -1),
        "partner": np.full(rows, -1),
        "proximal": np.zeros(rows, int),
        "coefficient": np.zeros(rows),
        "live": np.ones(rows, int),
    }
    for name in ("parent", "partner"):
        there = of[name][first:]
        found[name][first + shift :] = np.where(there >= 0, there + shift, -1)
    for name in ("proximal", "coefficient"):
        found[name][first + shift :] = of[name][first:]
    return found


def ground_on(work: Any, ground: Any) -> GroundContact:
    """Contact problem of wheels on soil whose arrays are a workspace's memory, for solvers in Python."""
    own = copy.copy(ground)
    own.data = work.contact()
    return own
