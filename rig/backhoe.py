"""Backhoe moved by levers: bodies and oil in one solve."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mlcp.checks import nearest

from .block import parameter
from .catalogue import register
from .errors import RigError
from .panel import Panel, shipped
from .posed import Posed

CARRIERS = ("ground", "tractor")
JOINTS = ("swing", "boom pin", "crowd pin", "bucket pin")
#: Input of the mechanism by the operator's signal.
INPUTS = {
    "swing_lever": "swing lever", "boom_lever": "boom lever", "crowd_lever": "crowd lever",
    "bucket_lever": "bucket lever", "bucket_load": "load", "digging_force": "digging force",
}  # fmt: skip
Array = NDArray[np.float64]


@register
@dataclass
class Backhoe(Posed):
    """Backhoe of ``bodies.hydraulics``, alone or on its tractor: levers in, motion and pressures out.

    It starts in static equilibrium in the described pose. Levers are constant over a tick. Pistons stop
    at the ends of their strokes. The bucket has no contact with soil: its load is given by the signals
    "bucket_load" and "digging_force".

    Arguments:
        carrier: "ground", or "tractor": on wheels and stabilisers that stand on soil.
        step: largest step of the solve [s]; a tick is divided into equal steps.

    Raises:
        RigError: an unknown carrier, a number out of its range.
    """

    category: ClassVar[str] = "linkage"
    name: ClassVar[str] = "backhoe"
    about: ClassVar[str] = "16 bodies and five cylinders on one pump, in one solve"
    carrier: str = "ground"
    step: float = parameter(1e-3, "s", "of the solve", low=1e-6, high=0.1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.carrier not in CARRIERS:
            known = nearest(self.carrier, CARRIERS)
            raise RigError(f"{self.title}: unknown carrier {self.carrier!r}; {known}")

    def described(self) -> Any:
        """Mechanism of the backhoe on its carrier."""
        return described(self.carrier)

    def begin(self) -> None:
        """Start in static equilibrium."""
        from bodies import Simulation

        self._count = max(1, math.ceil(self.site.tick / self.step * (1.0 - 1e-9)))
        model, state, self._arm, self._axis = standing(self.carrier)
        self.sim: Any = Simulation(model, self.site.tick / self._count, state=state)
        names = ("joint_angle", "tip_position", "tip_reach", "cylinder_extension", "cylinder_pressure")
        self._out = [self.output(name) for name in (*names, "pump_pressure")]
        self._cylinders = [b.cylinder.name for b in model.circuit.branches]
        self._publish()

    def advance(self, time: float, h: float) -> None:
        """Advance the simulation by one tick with the levers' present values."""
        for signal, name in INPUTS.items():
            self.sim.set_input(name, float(self.input(signal)[0]))
        self.sim.run(self._count)
        self._publish()

    def _publish(self) -> None:
        from bodies.frames import quaternion_matrix

        sim, oil = self.sim, self.sim.hydraulics
        angle, tip, reach, extension, pressure, pump = self._out
        angle[:] = [sim.coordinate(joint) for joint in JOINTS]
        tip[:] = sim.position("bucket") + quaternion_matrix(sim.quaternion("bucket")) @ self._arm
        post = quaternion_matrix(sim.quaternion("swing post"))
        reach[0] = np.linalg.norm((post.T @ (tip - sim.position("swing post")) - self._axis)[:2])
        extension[:] = [oil.extension(name) for name in self._cylinders]
        pressure[:] = np.concatenate([oil.pressure(name) for name in self._cylinders])
        pump[0] = oil.pump[0]

    def panel(self) -> Panel:
        """Panel with the levers, the pressures, and a side view of the links."""
        return shipped("digging")


@functools.cache
def described(carrier: str) -> Any:
    """Mechanism of a backhoe on its carrier."""
    from bodies.hydraulics import backhoe, backhoe_loader

    return backhoe() if carrier == "ground" else backhoe_loader()


@functools.cache
def standing(carrier: str) -> tuple[Any, Any, Array, Array]:
    """Compiled model, its static equilibrium, and two points [m].

    The points: tip of the bucket in the bucket's axes, swing axis in the axes of the swing post.
    """
    from bodies import compile, equilibrium
    from bodies.frames import quaternion_matrix

    mechanism = described(carrier)
    places = []
    for body, element in (("bucket", "digging"), ("swing post", "swing")):
        on = next(b for b in mechanism.bodies if b.name == body)
        at: Any = next(e for e in mechanism.elements if e.name == element)
        turned = quaternion_matrix(np.array(on.orientation))
        places.append(turned.T @ np.subtract(at.position, on.position))
    model = compile(mechanism)
    return model, equilibrium(model), *places
