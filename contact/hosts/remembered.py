"""State that a solve of wheels on their ground leaves to the next one: list and restore its arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlcp.checks import shown

from ..grounds import check_memory
from .copies import HostError


def remembered(ground: Any) -> dict[str, NDArray]:
    """Views of the arrays, by name, that the next solve starts from."""
    rows = ground.contact.row_arrays
    return {
        "impulses": rows.z,
        "active": rows.active,
        "bristle": ground.contact.wheel_arrays.bristle.floats,
        "change": ground.block.change,
        "trend": ground.block.trend,
        "memory": ground.contact.memory,
    }


def restore(ground: Any, state: Mapping[str, NDArray]) -> None:
    """Write a saved state into the arrays of ``remembered``.

    Raises:
        HostError: a state of other wheels or another ground, or damaged; the arrays are unchanged.
    """
    places = remembered(ground)
    if not isinstance(state, Mapping):
        raise HostError(f"WheelsOnGround: state = {shown(state)} is none; state() returns one")
    for name, place in places.items():
        found = state.get(name)
        found = found if isinstance(found, np.ndarray) else np.empty(0, dtype=object)
        if found.shape != place.shape or found.dtype.kind not in "fi" or not np.isfinite(found).all():
            raise HostError(
                f"WheelsOnGround: {name!r} of the state is not finite numbers of shape "
                f"{place.shape}; it is of other wheels or another ground, or damaged"
            )
    if np.any(np.abs(state["active"]) > 1):
        raise HostError("WheelsOnGround: 'active' of the state holds more than -1, 0 and 1")
    check_memory("WheelsOnGround: state", state["memory"], ground.contact.ground_arrays.each, HostError)
    for name, place in places.items():
        place[...] = state[name]
