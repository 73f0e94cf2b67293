"""One wheel on soil as a co-simulation unit, from its motion to the ground force."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from .. import checks
from ..lateral import BrixiusLateral, Crolla
from ..laws import LAWS
from ..schemes.regularisation import REGULARISATIONS
from ..soil import ConeIndexSoil
from ..terrain import Slope
from ..tyre import Tyre
from ..wheel import WheelContact
from .wheels_on_ground import WheelsOnGround

_XYZ = ("x", "y", "z")
#: Lateral laws by name.
SIDES = {"crolla": Crolla(), "brixius": BrixiusLateral(), "none": None}


def _vector(name: str, unit: str, said: str, start: tuple[float, float, float] = (0.0, 0.0, 0.0)):
    return {f"{name}_{k}": (value, unit, f"{said}, {k}") for k, value in zip(_XYZ, start, strict=True)}


class WheelOnSoftGround:
    """Wheel of another simulation, whose mobility G (twist change per unit impulse) is approximated:

        mobility    G = diag(1/m, 1/m, 1/m, 1/I, 1/I_y, 1/I)   about the wheel's own axes

    with m the mass of the wheel and of its load, I_y the inertia of wheel and driveline about the axle,
    and I the inertia about the two other axes. The twist without ground forces at the end of the step is
    the twist at its start plus step length times G times all other forces, which are inputs. G is exact
    for a quarter vehicle (one mass on one wheel).
    """

    title = "Wheel on soft ground, solved as a complementarity problem (effective-mass host)"
    parameters: ClassVar[dict[str, tuple[Any, str, str]]] = {
        "diameter": (0.762, "m", "undeformed tyre diameter"),
        "width": (0.2, "m", "tyre width"),
        "section_height": (0.14, "m", "tyre section height"),
        "pressure": (2e5, "Pa", "inflation pressure"),
        "deflection_ratio": (-1.0, "", "tyre deflection over section height; -1: from the load"),
        "cone_index": (4e5, "Pa", "cone index of the soil"),
        "grade": (0.0, "", "rise over run of the ground along x"),
        "law": ("brixius", "", "ground law: " + ", ".join(LAWS)),
        "lateral": ("crolla", "", "side force over the slip angle: " + ", ".join(SIDES)),
        "regularisation": ("implicit", "", ", ".join(REGULARISATIONS)),
        "carried_mass": (250.0, "kg", "mass of the wheel and of its load"),
        "spin_inertia": (6.0, "kg m^2", "inertia about the axle, driveline included"),
        "tilt_inertia": (10.0, "kg m^2", "inertia about the two other axes"),
    }
    inputs: ClassVar[dict[str, tuple[float, str, str]]] = {
        **_vector("position", "m", "wheel centre"),
        **_vector("axis", "", "spin axis, pointing left", (0.0, 1.0, 0.0)),
        **_vector("velocity", "m/s", "velocity of the wheel centre"),
        **_vector("rate", "rad/s", "angular velocity of the wheel"),
        **_vector("other_force", "N", "all other forces on the carried mass, weight included"),
        **_vector("other_torque", "N m", "all other torques on the wheel, drive included"),
    }
    outputs: ClassVar[dict[str, tuple[float, str, str]]] = {
        **_vector("force", "N", "ground force on the wheel, mean over the step"),
        **_vector("torque", "N m", "ground torque about the wheel centre"),
        **_vector("point", "m", "contact point"),
        "slip": (0.0, "", "slip ratio"),
        "load": (0.0, "N", "normal force"),
        "sinkage": (0.0, "m", "sinkage of the soil"),
        "residual": (0.0, "", "natural residual of the solve"),
        "missed": (0.0, "", "number of steps that missed their tolerance"),
    }

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        for table in (self.parameters, self.inputs, self.outputs):
            self.values.update({name: start for name, (start, _, _) in table.items()})

    def start(self) -> None:
        """Make the wheel and its ground from the parameters."""
        p = self.values
        ratio = None if p["deflection_ratio"] < 0.0 else p["deflection_ratio"]
        tyre = Tyre(
            p["diameter"], p["width"], p["section_height"], p["pressure"], deflection_ratio=ratio
        )
        wheel = WheelContact(
            tyre, ConeIndexSoil(p["cone_index"]), law=p["law"], regularisation=p["regularisation"]
        )
        checks.known("lateral law", p["lateral"], SIDES)
        self.ground = WheelsOnGround([wheel], Slope(grade_x=p["grade"]), lateral=SIDES[p["lateral"]])
        for name in ("carried_mass", "spin_inertia", "tilt_inertia"):
            checks.positive("WheelOnSoftGround", name, p[name])
        self._masses = 1.0 / p["carried_mass"], 1.0 / p["spin_inertia"], 1.0 / p["tilt_inertia"]

    def _read(self, name: str) -> np.ndarray:
        return np.array([self.values[f"{name}_{k}"] for k in _XYZ])

    def step(self, time: float, h: float) -> None:
        """Solve the step from ``time`` to ``time + h``."""
        axis, twist = self._read("axis"), np.r_[self._read("velocity"), self._read("rate")]
        light, spin, tilt = self._masses
        G = np.zeros((6, 6))
        G[:3, :3] = light * np.eye(3)
        G[3:, 3:] = tilt * np.eye(3) + (spin - tilt) * np.outer(axis, axis)
        others = np.r_[self._read("other_force"), self._read("other_torque")]
        wrench = self.ground.solve(
            h, [self._read("position")], [axis], [twist], [twist + h * G @ others], G
        )[0]
        values, ground = self.values, self.ground
        for k, name in enumerate(_XYZ):
            values[f"force_{name}"] = float(wrench[k])
            values[f"torque_{name}"] = float(wrench[3 + k])
            values[f"point_{name}"] = float(ground.point[0, k])
        for name in ("slip", "load", "sinkage"):
            values[name] = float(getattr(ground, name)[0])
        values["residual"] = ground.residual
        values["missed"] += ground.missed
