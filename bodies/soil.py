"""Wheels on soft ground: from their description to the step's arrays, and back for reading."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from contact import GroundContact
from contact.kernels.arrays import Rows, Wheels

from . import checks
from .kernels import layout as L

#: Where each array of the contact problem lies in the workspaces; ints end in ``_I``.
WHEELS = Wheels(
    ints=L.SOIL_I, floats=L.SOIL_FLOATS, law=L.SOIL_LAW, lateral=L.SOIL_LATERAL,
    table=L.SOIL_TABLE, now=L.SOIL_NOW, bristle=L.SOIL_BRISTLE,
)  # fmt: skip
ROWS = Rows(
    channel=L.SOIL_CHANNEL_I, minus=L.SOIL_MINUS_I, e=L.SOIL_E, bias=L.SOIL_BIAS, lower=L.SOIL_LOWER,
    upper=L.SOIL_UPPER, z=L.SOIL_Z, active=L.SOIL_ACTIVE_I, A=L.SOIL_A, b=L.SOIL_B,
    work=L.SOIL_WORK, q=L.SOIL_Q, u=L.SOIL_U, report=L.SOIL_REPORT,
)  # fmt: skip


def ground_of(
    mechanism: Any, channels: int, solver: str = "direct"
) -> GroundContact | None:
    """The contact problem of a mechanism's soft wheels, None where it has none.

    Raises:
        MechanismError: soft and hard wheels together, or soft wheels beside rigid contacts.
    """
    soft = [wheel for wheel in mechanism.wheels if wheel.soil is not None]
    if not soft:
        return None
    who = f"mechanism {mechanism.name!r}"
    if len(soft) < len(mechanism.wheels):
        hard = next(wheel.name for wheel in mechanism.wheels if wheel.soil is None)
        raise checks.MechanismError(
            f"{who}: wheel {hard!r} has no soil, but {soft[0].name!r} has; give all wheels a soil "
            "or none."
        )
    if mechanism.contacts:
        raise checks.MechanismError(
            f"{who}: rigid contact {mechanism.contacts[0].name!r} beside wheels on soil is not "
            "supported in one mechanism; give the wheels hard ground or leave the contact out."
        )
    return GroundContact([wheel.soil for wheel in soft], channels - 4 * len(soft), solver)


def soil_arrays(mechanism: Any, channels: int, floats: list[Any], ints: list[Any]) -> None:
    """Fill in the arrays of the soft wheels' contact problem."""
    ground = ground_of(mechanism, channels)
    if ground is None:
        return
    ints[L.COUNT_I][L.SOIL_WHEELS] = len(ground.wheels)
    for places, arrays in ((WHEELS, ground.wheel_arrays), (ROWS, ground.row_arrays)):
        for place, array in zip(places, arrays, strict=True):
            to = ints if array.dtype.kind == "i" else floats
            to[place] = array.copy()
    floats[L.SOIL_SETTINGS] = ground.settings.copy()
    floats[L.SOIL_START] = np.zeros(channels)
    floats[L.SOIL_GAP] = np.zeros(len(ground.wheels))


def ground_on(work: Any, ground: GroundContact) -> GroundContact:
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
    return own
