"""Errors of runs that have stopped."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..checks import SimulationError
from ..kernels import records as D


def refuse(work: Any) -> None:
    """Raise SimulationError if the run of a workspace has stopped; no effect on one that can continue.

    Raises:
        SimulationError: velocities that are not finite, a joint error above the mechanism's size, or a
            piston outside its stroke.
    """
    clock, status = work.machine.clock, work.machine.count.status
    who, when = f"mechanism {work.model.mechanism.name!r}", f"at t = {clock.time:.6g} s"
    if status == D.NOT_FINITE:
        raise SimulationError(f"{who}: velocities stopped being finite {when}; try a shorter step.")
    if status == D.JOINTS_OPEN:
        joint, error = worst_joint(work)
        raise SimulationError(
            f"{who}: joint {joint!r} is {error:.3g} m apart {when}, more than the mechanism's own "
            f"size ({clock.parted:.3g} m), so that the run has no meaning any more; try a shorter "
            "step, and look for a mass, stiffness or force in the wrong unit, or a control that drives "
            "a joint farther than the parts reach."
        )

    if status == D.OFF_STROKE:
        from ..hydraulics.lowering import piston_left

        raise SimulationError(f"{who}: {piston_left(work)} {when}")


def worst_joint(work: Any) -> tuple[str, float]:
    """Name of the joint or coupling with the largest present error of a length, and this error [m]."""
    error = np.where(work.machine.angular == 0, np.abs(work.machine.error), -1.0)
    if not error.size:
        return "", 0.0
    row = int(np.argmax(error))
    rows = work.model.rows.items()
    name = next((n for n, (first, size) in rows if first <= row < first + size), "")
    return name, max(float(error[row]), 0.0)
