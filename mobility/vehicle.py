"""What a force balance needs of a vehicle: weight, axles, contact, gears, brakes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bodies import vehicle as vehicles
from bodies.vehicle import ClutchAndGearbox, CombustionEngine, DoubleWishbone, FinalDrive, Vehicle
from contact import ConeIndexSoil, Tyre, WheelContact, checks

from .kernels import layout as L
from .kernels.balance import GRAVITY
from .powertrain import Gear, gears_of


@dataclass(frozen=True)
class Axle:
    """An axle with a wheel on either side.

    Arguments:
        along: place ahead of the centre of mass [m].
        half_track: half the distance of its wheels' centres [m], above 0.
        driven: whether the engine drives it.
        stiffness: of its springs and tyres in series, up and down [N/m], above 0; inf: rigid.

    Raises:
        ValueError: naming the field, its value and the allowed range.
    """

    along: float
    half_track: float
    driven: bool = True
    stiffness: float = np.inf

    def __post_init__(self) -> None:
        checks.within("Axle", "along", self.along, -100.0, 100.0, unit="m")
        checks.positive("Axle", "half_track", self.half_track, unit="m")
        if not self.stiffness > 0.0:
            raise ValueError(f"Axle: stiffness = {self.stiffness!r} N/m must be above 0 (inf: rigid)")


@dataclass(frozen=True)
class LumpedVehicle:
    """A vehicle as a weight on axles with one tyre and one ground law.

    Arguments:
        name: of the vehicle.
        mass: [kg], above 0.
        height: of the centre of mass above the wheels' lowest points, where traction acts [m], above 0.
        axles: at least two, not all at one place; at least one driven.
        contact: tyre, ground law and lateral law of every wheel; its soil is replaced by the map's.
        gears: of the engine, see ``Gear``.
        brakes: sum of the brakes' torques [N m], at least 0.
        drag_area: c_d A [m^2], at least 0.
        open_axles: whether the differentials of the axles are open (both wheels have one torque) or
            locked (one speed). The shafts of several driven axles always turn at one speed.
        start_slip: slip of the wheels when a vehicle starts at full throttle [-], in (0, 1].
        soil_of: from the map's strength [Pa] to the soil that the law looks at; None: a cone index.

    Raises:
        ValueError: naming the field, its value and the allowed range.
    """

    name: str
    mass: float
    height: float
    axles: tuple[Axle, ...]
    contact: WheelContact
    gears: tuple[Gear, ...]
    brakes: float = 0.0
    drag_area: float = 0.0
    open_axles: bool = True
    start_slip: float = 1.0
    soil_of: Callable[[float], Any] | None = None

    def __post_init__(self) -> None:
        owner = f"vehicle {self.name!r}"
        checks.positive(owner, "mass", self.mass, unit="kg")
        checks.positive(owner, "height", self.height, unit="m")
        checks.within(owner, "brakes", self.brakes, 0.0, unit="N m")
        checks.within(owner, "drag_area", self.drag_area, 0.0, unit="m^2")
        checks.within(owner, "start_slip", self.start_slip, 0.0, 1.0, open_low=True)
        if np.ptp([a.along for a in self.axles] or [0.0]) == 0.0:
            raise ValueError(f"{owner}: axles must be at least two, at different places")
        if not any(a.driven for a in self.axles):
            raise ValueError(f"{owner}: no axle is driven; at least one must be")

    @property
    def weight(self) -> float:
        """m g [N]."""
        return self.mass * GRAVITY

    @property
    def radius(self) -> float:
        """Rolling radius of the wheels [m]."""
        return self.contact.tyre.radius

    def numbers(self) -> np.ndarray:
        """The array that the kernels read, see ``kernels.layout``."""
        v = np.zeros(L.FIRST + L.PER_AXLE * len(self.axles))
        v[L.WEIGHT], v[L.HEIGHT], v[L.AXLES] = self.weight, self.height, len(self.axles)
        v[L.LATERAL], v[L.BRAKES] = self.lateral_ratio, self.brakes / self.radius
        v[L.START_SLIP], v[L.OPEN] = self.start_slip, self.open_axles
        for k, axle in enumerate(self.axles):
            row = (axle.along, axle.half_track, self.radius, axle.driven)
            v[L.FIRST + k * L.PER_AXLE : L.FIRST + (k + 1) * L.PER_AXLE] = row
        v[L.PITCH], v[L.HEAVE] = self.yielding
        v[L.MOST] = self.most_torque
        return v

    @property
    def most_torque(self) -> float:
        """Torque of the driven wheels in the strongest gear [N m]."""
        return max(float(gear.torque.max()) for gear in self.gears)

    @property
    def yielding(self) -> tuple[float, float]:
        """How springs and tyres yield: in pitch [rad/(N m)], up and down [m/N]; rigid: 0, 0.

        1 / sum of stiffness x^2,   1 / sum of stiffness,   over the axles
        """
        pitch = sum(a.stiffness * a.along**2 for a in self.axles)
        return 1.0 / pitch, 1.0 / sum(a.stiffness for a in self.axles)

    @property
    def lateral_ratio(self) -> float:
        """Largest lateral ratio [-]: the lateral law's broadside under the mean load; 1 without."""
        law: Any = self.contact.lateral
        if law is None:
            return 1.0
        load = self.weight / (2 * len(self.axles))
        return float(law.lateral_ratio(0.5 * np.pi, load, self.contact.tyre, self.contact.soil))

    def soils(self, strengths: np.ndarray) -> np.ndarray:
        """The law's parameter array for every strength [Pa], shape (n, m)."""
        law, tyre = self.contact.ground_law, self.contact.tyre
        soil_of = self.soil_of or ConeIndexSoil
        return np.array([law.parameters(tyre, soil_of(float(s))) for s in strengths])


def lumped(vehicle: str | Path | Vehicle, **changes: Any) -> LumpedVehicle:
    """The lumped vehicle of a vehicle's file, as it is described.

    Arguments:
        vehicle: name of a shipped vehicle, a file, or a ``bodies.vehicle.Vehicle``.
        changes: fields of ``LumpedVehicle`` that the file does not say, such as ``drag_area`` [m^2].

    Raises:
        ValueError: a vehicle without axles on double wishbones, engine, gearbox or final drive, or with
            wheels of different contact; the sentence says which.
    """
    described = vehicle if isinstance(vehicle, Vehicle) else vehicles.read(vehicle)
    drives = {p.name: p for p in described.parts if isinstance(p, FinalDrive)}
    suspended = [p for p in described.parts if isinstance(p, DoubleWishbone)]
    engines = [p for p in described.parts if isinstance(p, CombustionEngine)]
    boxes = [p for p in described.parts if isinstance(p, ClutchAndGearbox)]
    for found, what in (
        (suspended, "axle on double wishbones"),
        (engines, "engine"),
        (boxes, "gearbox"),
        (drives, "final drive"),
    ):
        if not found:
            raise ValueError(f"vehicle {described.name!r} has no {what}: a map needs one")
    if described.wheels:
        raise ValueError(
            f"vehicle {described.name!r} gives wheels a ground contact of their own "
            f"({', '.join(described.wheels)}): a map needs one tyre and one law for all"
        )
    mechanism = described.mechanism()
    masses = np.array([b.mass for b in mechanism.bodies])
    places = np.array([b.position for b in mechanism.bodies])
    centre = masses @ places / masses.sum()
    where = {b.name: np.array(b.position) for b in mechanism.bodies}
    wheels = np.mean(
        [where[f"{p.name}_{s} wheel"] for p in suspended for s in ("left", "right")], axis=0
    )
    axles, tyre = [], described.wheel.tyre
    for part in suspended:
        left, right = (where[f"{part.name}_{side} wheel"] for side in ("left", "right"))
        axles.append(
            Axle(
                0.5 * (left + right)[0] - centre[0],
                0.5 * abs(left - right)[1],
                part.name in drives,
                _stiffness(part, tyre),
            )
        )
    fields: dict[str, Any] = {
        "name": described.name,
        "mass": float(masses.sum()),
        "height": float(centre[2]) - wheels[2] + described.wheel.tyre.radius,
        "axles": tuple(axles),
        "contact": described.wheel,
        "gears": gears_of(engines[0], boxes[0], list(drives.values())),
        "brakes": 2.0 * sum(p.brake_capacity for p in suspended),
        "open_axles": all(p.differential == "open" for p in drives.values()),
    }
    known = LumpedVehicle.__dataclass_fields__
    for name in changes:
        checks.known("field of LumpedVehicle", name, known)
    return LumpedVehicle(**(fields | changes))


def _stiffness(part: DoubleWishbone, tyre: Tyre) -> float:
    """Of both wheels of an axle on springs and tyres [N/m]: the spring's at the lower arm's lever.

    The lever: how fast the spring shortens over how fast the lower ball joint rises, for a turn of the
    lower arm about its hinges. The spring's rate: of the part of its table that carries the vehicle.
    """
    front, rear, ball = (np.array(p) for p in part.lower_arm)
    top, foot = (np.array(p) for p in part.spring)
    axis = front - rear
    along = (top - foot) / np.linalg.norm(top - foot)
    lever = np.cross(axis, foot - rear) @ along / np.cross(axis, ball - rear)[2]
    table = np.array(part.spring_table)
    middle = len(table) // 2
    rate = (table[middle, 1] - table[middle - 1, 1]) / (table[middle, 0] - table[middle - 1, 0])
    return 2.0 / (1.0 / (rate * lever**2) + 1.0 / tyre.stiffness)
