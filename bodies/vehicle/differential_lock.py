"""The lock of a differential: a clutch between its outputs."""

from __future__ import annotations

from .. import checks
from ..driveline import Clutch
from .part import Assembly, Part


def lock_outputs(to: Assembly, part: Part, outputs: tuple[str, str], kind: str, capacity: float) -> None:
    """Nothing for "open"; a clutch of a capacity [N m], closed for "locked", else as a control says.

    A capacity that the drive exceeds makes it a limited-slip unit: the outputs then turn at unlike
    speeds, and their torques differ by twice the capacity.
    """
    if kind == "open":
        return
    if kind != "locked" and kind not in to.controls:
        raise checks.UnknownName(f"{part.who}: differential", kind, {"open", "locked", *to.controls})
    to.add(
        Clutch(
            name=f"{part.name} lock",
            joint_1=outputs[0],
            joint_2=outputs[1],
            capacity=capacity,
            engagement=1.0 if kind == "locked" else to.control(kind),
        )
    )
