"""Backhoe moved by levers, on the ground or on its tractor: bodies and oil in one solve."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from .block import Block, parameter
from .bus import core
from .catalogue import register
from .errors import RigError
from .machine import Machine
from .panels.panel import Panel, shipped
from .port import Port
from .posed import Posed

JOINTS = ("swing", "boom pin", "crowd pin", "bucket pin")
#: Names of the mechanism's inputs by the names of the rig's signals.
INPUTS = {
    "swing_lever": "swing lever",
    "boom_lever": "boom lever",
    "crowd_lever": "crowd lever",
    "bucket_lever": "bucket lever",
    "bucket_load": "load",
    "digging_force": "digging force",
}
READINGS = ("joint_angle", "tip_position", "tip_reach")
Array = NDArray[np.float64]


@register
@dataclass
class Backhoe(Posed):
    """Backhoe of ``bodies.hydraulics`` on the ground: levers in, motion and pressures out.

    It starts in static equilibrium in its initial pose. Levers are constant over a tick.
    Pistons stop at the ends of their strokes. The bucket has no contact with soil: its load is given
    by the signals "bucket_load" and "digging_force".

    Arguments:
        step: largest step of the solve [s]; a tick is divided into equal steps.

    Raises:
        RigError: a number out of its range.
    """

    category: ClassVar[str] = "linkage"
    name: ClassVar[str] = "backhoe"
    about: ClassVar[str] = "16 bodies and five cylinders on one pump, in one solve"
    step: float = parameter(1e-3, "s", "of the solve", low=1e-6, high=0.1)

    def described(self) -> Any:
        """Mechanism of the backhoe."""
        return described()

    def begin(self) -> None:
        """Start in static equilibrium."""
        from bodies import Simulation

        self._count = max(1, math.ceil(self.site.tick / self.step * (1.0 - 1e-9)))
        model, state = standing()
        self.sim: Any = Simulation(model, self.site.tick / self._count, state=state)
        self._points = points_of(model.mechanism)
        self._publish()

    def advance(self, time: float, h: float) -> None:
        """Advance the simulation by one tick with the levers' present values."""
        for signal, name in INPUTS.items():
            self.sim.set_input(name, float(self.input(signal)[0]))
        self.sim.run(self._count)
        self._publish()

    def _publish(self) -> None:
        oil = self.sim.hydraulics
        publish(self, self.sim, *self._points)
        self.output("cylinder_extension")[:] = oil.extensions
        self.output("cylinder_pressure")[:] = oil.pressures.ravel()
        self.output("pump_pressure")[0] = oil.pump[0]

    def panel(self) -> Panel:
        """Panel with the levers, the pressures, and a side view of the links."""
        return shipped("digging")


@register
@dataclass
class BackhoeLoader(Machine):
    """Vehicle "backhoe_loader": a tractor with stabilisers and the backhoe.

    Arguments:
        file, text, step: as for ``Machine``, of a vehicle with the shipped backhoe.

    Raises:
        RigError: a file without the joints of the backhoe.
    """

    name: ClassVar[str] = "backhoe loader"
    about: ClassVar[str] = "tractor with converter, backhoe and stabilisers"
    file: str = "backhoe_loader"

    def __post_init__(self) -> None:
        super().__post_init__()
        known = {element.name for element in self._mechanism.elements}
        for name in (*JOINTS, "digging"):
            if name not in known:
                raise RigError(f"{self.title}: {self.file}: it has no {name!r}")

    @property
    def outputs(self) -> Mapping[str, Port]:
        """Ports of a machine, and of the backhoe's angles and tip."""
        ports = core().outputs("linkage")
        return {**super().outputs, **{name: ports[name] for name in READINGS}}

    def begin(self) -> None:
        """Start in static equilibrium."""
        self._points = points_of(self._mechanism)
        super().begin()

    def _publish(self) -> None:
        super()._publish()
        publish(self, self.sim, *self._points)


def publish(block: Block, sim: Any, arm: Array, axis: Array) -> None:
    """Write the angles of the backhoe's joints, and position and reach of the bucket's tip, as outputs.

    Arguments:
        block: block with these outputs. sim: its simulation.
        arm, axis: results of ``points_of`` [m].
    """
    from bodies.frames import quaternion_matrix

    block.output("joint_angle")[:] = [sim.coordinate(joint) for joint in JOINTS]
    tip = sim.position("bucket") + quaternion_matrix(sim.quaternion("bucket")) @ arm
    post = quaternion_matrix(sim.quaternion("swing post"))
    block.output("tip_position")[:] = tip
    across = (post.T @ (tip - sim.position("swing post")) - axis)[:2]
    block.output("tip_reach")[0] = np.linalg.norm(across)


def points_of(mechanism: Any) -> tuple[Array, Array]:
    """Positions of the bucket's tip in the bucket's axes, of the swing axis in the swing post's [m]."""
    from bodies.frames import quaternion_matrix

    places = []
    for body, element in (("bucket", "digging"), ("swing post", "swing")):
        on = next(b for b in mechanism.bodies if b.name == body)
        at: Any = next(e for e in mechanism.elements if e.name == element)
        turned = quaternion_matrix(np.array(on.orientation))
        places.append(turned.T @ np.subtract(at.position, on.position))
    return places[0], places[1]


@functools.cache
def described() -> Any:
    """Mechanism of the backhoe on the ground."""
    from bodies.hydraulics import backhoe

    return backhoe()


@functools.cache
def standing() -> tuple[Any, Any]:
    """Compiled model of the backhoe and its static equilibrium."""
    from bodies import compile, equilibrium

    model = compile(described())
    return model, equilibrium(model)
