"""Wheels on soft ground: from their description to the step's arrays, and back for reading."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from contact import GroundContact
from contact.kernels import layout as at
from contact.kernels.data import Contact
from contact.terrain import Terrain
from mlcp.solvers.base import Solver

from .kernels import layout as L
from .places import CONTACT, make_friction, slots

#: Agreement with the ground law where wheels stand beside hard contacts, whose friction is iterated.
MIXED_TOLERANCE = 1e-8


#: What a run may set of ``contact.GroundContact``.
SETTINGS = ("law_tolerance", "solver_tolerance", "max_passes", "max_iterations", "relaxation")


def ground_of(
    mechanism: Any, channels: int, solver: str | Solver = "direct", **settings: Any
) -> GroundContact | None:
    """The contact problem of a mechanism's soft wheels, None where it has none."""
    soft = [wheel for wheel in mechanism.wheels if wheel.soil is not None]
    if not soft:
        return None
    agreed: dict[str, Any] = {"law_tolerance": MIXED_TOLERANCE} if is_mixed(mechanism) else {}
    return GroundContact(
        [wheel.soil for wheel in soft],
        channels - at.CHANNELS * len(soft),
        solver,
        grounds=[w.ground if isinstance(w.ground, Terrain) else None for w in soft],
        **agreed | settings,
    )


def is_mixed(mechanism: Any) -> bool:
    """Whether wheels on soil stand beside hard wheels or rigid contacts."""
    soft = sum(wheel.soil is not None for wheel in mechanism.wheels)
    return soft > 0 and (soft < len(mechanism.wheels) or len(mechanism.contacts) > 0)


def soil_arrays(mechanism: Any, channels: int, floats: list[Any], ints: list[Any]) -> None:
    """Fill in the arrays of the soft wheels' contact problem."""
    ground = ground_of(mechanism, channels)
    if ground is None:
        return
    ints[L.COUNT_I][L.SOIL_WHEELS] = len(ground.wheels)
    ints[L.COUNT_I][L.VARIES] = int(ground.varies)
    for slot, number, _, _ in slots(Contact, CONTACT):
        first, stop = ground.data.N[2 * slot : 2 * slot + 2]
        if number < L.N_FLOATS:
            floats[number] = ground.data.F[first:stop].copy()
        else:
            ints[number - L.N_FLOATS] = ground.data.N[first:stop].copy()
    ints[L.CONTACT_TABLE_I] = ground.data.N[: 2 * Contact.SLOTS].copy()
    if is_mixed(mechanism):
        _mixed_arrays(channels, floats, ints)


def _mixed_arrays(channels: int, floats: list[Any], ints: list[Any]) -> None:
    """Friction of the extra rows: the same as of their channels, counted by rows; room to solve."""
    first = at.CHANNELS * int(ints[L.COUNT_I][L.SOIL_WHEELS])
    rows = floats[L.SOIL_Z].size
    shift = rows - channels
    for to, of in ((L.ROW_PARENT_I, L.CHANNEL_PARENT_I), (L.ROW_PARTNER_I, L.CHANNEL_PARTNER_I)):
        there = ints[of][first:]
        ints[to] = np.full(rows, -1)
        ints[to][first + shift :] = np.where(there >= 0, there + shift, -1)
    ints[L.ROW_PROXIMAL_I], floats[L.ROW_COEFFICIENT] = np.zeros(rows, int), np.zeros(rows)
    ints[L.ROW_PROXIMAL_I][first + shift :] = ints[L.CHANNEL_SOFT_I][first:]
    floats[L.ROW_COEFFICIENT][first + shift :] = floats[L.CHANNEL_COEFFICIENT][first:]
    ints[L.ROW_LIVE_I], floats[L.ROW_NOTHING] = np.ones(rows, int), np.zeros(rows)
    make_friction(rows, floats, ints)


def ground_on(work: Any, ground: Any) -> GroundContact:
    """The contact problem with a workspace's memory, for the solvers that run from Python."""
    own = copy.copy(ground)
    own.data = work.contact()
    return own
