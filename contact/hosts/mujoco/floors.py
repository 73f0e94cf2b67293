"""Warning about wheels in contact with the host's own floor in addition to the soil."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np

from mlcp.warned import SentenceWarning


class HostWarning(SentenceWarning):
    """A setting of a host's model that conflicts with the soil contact; the message has the remedy."""


def warn_of_floors(mj: Any, model: Any, wheels: Iterable[tuple[Any, int]]) -> None:
    """Warn (:class:`HostWarning`) of each geom of a wheel that can touch a plane or height field of the
    world.

    Arguments:
        mj: the module ``mujoco``. model: ``MjModel``. wheels: pairs of name and body number.
    """
    kinds = {int(mj.mjtGeom.mjGEOM_PLANE), int(mj.mjtGeom.mjGEOM_HFIELD)}
    floors = [
        g
        for g in range(model.ngeom)
        if int(model.geom_type[g]) in kinds and model.body_weldid[model.geom_bodyid[g]] == 0
    ]
    excluded = {int(pair) for pair in model.exclude_signature}
    for key, body in wheels:
        for geom in np.flatnonzero(model.geom_bodyid == body):
            for floor in floors:
                pair = sorted((body, int(model.geom_bodyid[floor])))
                masks = (model.geom_contype[geom] & model.geom_conaffinity[floor]) | (
                    model.geom_contype[floor] & model.geom_conaffinity[geom]
                )
                if masks and (pair[0] << 16) + pair[1] not in excluded:
                    name = model.geom(int(geom)).name or f"number {geom}"
                    under = model.geom(int(floor)).name or f"number {floor}"
                    warnings.warn(
                        f"MuJoCo: geom {name!r} of the wheel {key!r} can touch the floor {under!r}, "
                        "which would then carry it instead of the soil; set the geom's contype and "
                        "conaffinity to 0",
                        HostWarning,
                        stacklevel=4,
                    )
                    break
