"""Wheels on soft ground: from their description to the step's arrays, and back for reading."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from contact import GroundContact
from contact.kernels import layout as at
from contact.kernels.arrays import Grounds, Rows, Wheels
from contact.terrain import Terrain

from .kernels import layout as L

#: Where each array of the contact problem lies in the workspaces; ints end in ``_I``.
WHEELS = Wheels(
    ints=L.SOIL_I, floats=L.SOIL_FLOATS, law=L.SOIL_LAW, lateral=L.SOIL_LATERAL,
    table=L.SOIL_TABLE, deepest=L.SOIL_DEEPEST, variant=L.SOIL_VARIANT_I, weight=L.SOIL_WEIGHT,
    now=L.SOIL_NOW, bristle=L.SOIL_BRISTLE,
)  # fmt: skip
ROWS = Rows(
    channel=L.SOIL_CHANNEL_I, minus=L.SOIL_MINUS_I, e=L.SOIL_E, bias=L.SOIL_BIAS, lower=L.SOIL_LOWER,
    upper=L.SOIL_UPPER, z=L.SOIL_Z, active=L.SOIL_ACTIVE_I, A=L.SOIL_A, b=L.SOIL_B,
    work=L.SOIL_WORK, q=L.SOIL_Q, u=L.SOIL_U, report=L.SOIL_REPORT,
)  # fmt: skip
GROUNDS = Grounds(
    ints=L.GROUND_I, floats=L.GROUND_DATA, patches=L.PATCH_DATA, memory=L.MEMORY, rut=L.SOIL_RUT
)
#: Agreement with the ground law where wheels stand beside hard contacts, whose friction is iterated.
MIXED_TOLERANCE = 1e-8


def ground_of(mechanism: Any, channels: int, solver: str = "direct") -> GroundContact | None:
    """The contact problem of a mechanism's soft wheels, None where it has none."""
    soft = [wheel for wheel in mechanism.wheels if wheel.soil is not None]
    if not soft:
        return None
    return GroundContact(
        [wheel.soil for wheel in soft],
        channels - at.CHANNELS * len(soft),
        solver,
        law_tolerance=MIXED_TOLERANCE if is_mixed(mechanism) else None,
        grounds=[w.ground if isinstance(w.ground, Terrain) else None for w in soft],
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
    groups = (
        (WHEELS, ground.wheel_arrays), (ROWS, ground.row_arrays), (GROUNDS, ground.ground_arrays),
    )  # fmt: skip
    for places, arrays in groups:
        for place, array in zip(places, arrays, strict=True):
            to = ints if array.dtype.kind == "i" else floats
            to[place] = array.copy()
    floats[L.SOIL_SETTINGS] = ground.settings.copy()
    floats[L.SOIL_START] = np.zeros(channels)
    floats[L.SOIL_GAP] = np.zeros(len(ground.wheels))
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
    ints[L.REDUCED_INDEX_I] = np.zeros(2 * rows, int)
    ints[L.REDUCED_ACTIVE_I] = np.zeros(rows, int)
    floats[L.REDUCED], floats[L.REDUCED_VECTOR] = np.zeros(rows * rows), np.zeros(12 * rows)
    floats[L.REDUCED_WORK] = np.zeros(2 * rows * rows + 13 * rows)


def ground_on(work: Any, ground: Any) -> GroundContact:
    """The contact problem with a workspace's memory, for the solvers that run from Python."""
    own = copy.copy(ground)

    def views(places, arrays):
        return type(arrays)(
            *(
                (work.i(place) if array.dtype.kind == "i" else work.f(place)).reshape(array.shape)
                for place, array in zip(places, arrays, strict=True)
            )
        )

    own.wheel_arrays = views(WHEELS, ground.wheel_arrays)
    own.row_arrays = views(ROWS, ground.row_arrays)
    own.ground_arrays = views(GROUNDS, ground.ground_arrays)
    return own
