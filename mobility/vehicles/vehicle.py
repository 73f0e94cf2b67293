"""Lumped vehicle for the force balance: weight, axles, contact, gears, brakes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from contact import ConeIndexSoil, WheelContact
from mlcp.kinds import Range, Vector, above, at_least, checked, within

from ..kernels.balance import GRAVITY
from ..kernels.data import Lumped
from .powertrain import GearStage
from .suspension import Give
from .twist import Roll


@dataclass(frozen=True)
@checked
class Axle:
    """Axle with a wheel on either side.

    Arguments:
        along: position ahead of the centre of mass [m].
        half_track: half the distance of the axle's wheel centres [m], above 0.
        driven: whether the engine drives the axle.
        give: compliance of the axle's springs; default: rigid.
        contact: contact of the axle's wheels; None: the vehicle's ``contact``.
        ratio: final-drive ratio over that of the vehicle's reference wheels, above 0.
        load: load of both wheels in the pose of the description [N], used with more than two axles; None
            for all axles: the load is distributed by stiffness.
        twist: torque of the propeller shaft about the vehicle's longitudinal axis, over the torque of
            the axle's wheels [-]; 0: no final drive on the axle.
        roll: roll of the axle relative to the body; None: independent wheels, roll about the ground.

    Raises:
        ValueError: naming the field, its value and the allowed range.
    """

    along: Annotated[float, within(-100.0, 100.0, "m")]
    half_track: Annotated[float, above(0.0, "m")]
    driven: bool = True
    give: Give = Give()  # noqa: RUF009
    contact: WheelContact | None = None
    ratio: Annotated[float, above(0.0)] = 1.0
    load: float | None = None
    twist: float = 0.0
    roll: Roll | None = None

    def __post_init__(self) -> None:
        if not self.give.stiffness > 0.0:
            raise ValueError(
                f"Axle: give.stiffness = {self.give.stiffness!r} N/m must be above 0 (inf: none)"
            )


STRENGTH = 3e5  # strength of the soil with which ``check_strength`` calls a ground law [Pa]


@dataclass(frozen=True)
@checked
class LumpedVehicle:
    """Vehicle as a weight on axles, with one ground law.

    Arguments:
        name: name of the vehicle.
        mass: mass of the vehicle [kg], above 0.
        height: height of the centre of mass above the lowest points of the undeflected wheels [m].
        axles: at least two, not all at one position; at least one driven.
        contact: tyre, ground law and lateral law of the wheels on axles without a ``contact`` of their
            own; the map replaces its soil.
        gears: torque curves of the gears, see ``GearStage``.
        brakes: sum of the brakes' torques [N m], at least 0.
        drag_area: drag coefficient times frontal area [m^2], at least 0.
        open_axles: True: open differentials of the axles (equal torques), False: locked (equal speeds).
            The shafts of several driven axles always have equal speeds.
        start_slip: slip of the wheels at a start with full throttle [-], in (0, 1].
        soil_of: function from the map's strength [Pa] to the law's soil; None: a cone index.
        gravity: g [m/s^2], above 0.
        gearing: description of the permitted gears, for maps.

    Raises:
        ValueError: naming the field, its value and the allowed range.
    """

    name: str
    mass: Annotated[float, above(0.0, "kg")]
    height: Annotated[float, above(0.0, "m")]
    axles: tuple[Axle, ...]
    contact: WheelContact
    gears: tuple[GearStage, ...]
    brakes: Annotated[float, at_least(0.0, "N m")] = 0.0
    drag_area: Annotated[float, at_least(0.0, "m^2")] = 0.0
    open_axles: bool = True
    start_slip: Annotated[float, Range(0.0, 1.0, open_low=True)] = 1.0
    soil_of: Callable[[float], Any] | None = None
    gravity: Annotated[float, above(0.0, "m/s^2")] = GRAVITY
    gearing: str = ""

    def __post_init__(self) -> None:
        owner = f"vehicle {self.name!r}"
        if np.ptp([a.along for a in self.axles] or [0.0]) == 0.0:
            raise ValueError(f"{owner}: axles must be at least two, at different places")
        if not any(a.driven for a in self.axles):
            raise ValueError(f"{owner}: no axle is driven; at least one must be")
        laws = {one.ground_law.number for one in self.contacts}
        if len(laws) > 1:
            raise ValueError(
                f"{owner}: its axles have different ground laws; a map needs one law for all"
            )

    @property
    def weight(self) -> float:
        """Weight m g [N]."""
        return self.mass * self.gravity

    @property
    def radius(self) -> float:
        """Rolling radius of the wheels [m]."""
        return self.contact.tyre.radius

    @property
    def contacts(self) -> tuple[WheelContact, ...]:
        """Contact of the wheels of every axle."""
        return tuple(axle.contact or self.contact for axle in self.axles)

    @functools.cached_property
    def loads(self) -> np.ndarray:
        """Axle loads on the level [N]: of two axles by equilibrium, of more by their stiffness."""
        given = [np.nan if axle.load is None else axle.load for axle in self.axles]
        known = np.array(given) if np.isfinite(given).all() else np.zeros(len(given))
        x = np.array([axle.along for axle in self.axles])
        known = known + self.shares * (self.weight - known.sum())
        return known - self.takes * (known @ x)

    @functools.cached_property
    def compliance(self) -> np.ndarray:
        """Compliance of tyres and soil [m/N] and their deflection on the level [m], for every axle."""
        rows = []
        for contact, load in zip(self.contacts, self._rough_loads, strict=True):
            wheel = 0.5 * load
            try:
                low, mid, high = (contact.static_compression(f * wheel) for f in (0.6, 1.0, 1.4))
            except ValueError:  # the soil cannot carry the load: take the tyre alone
                low, mid, high = (f * wheel / contact.tyre.stiffness for f in (0.6, 1.0, 1.4))
            rows.append(((high - low) / (0.8 * load), mid))
        return np.array(rows)

    @property
    def _rough_loads(self) -> np.ndarray:
        """Axle loads on the level for equal springs [N]."""
        x = np.array([axle.along for axle in self.axles])
        off = x - x.mean()
        return np.maximum(
            self.weight * (1.0 / x.size - x.mean() * off / (off @ off)), 1e-3 * self.weight
        )

    @functools.cached_property
    def shares(self) -> np.ndarray:
        """Fraction of each axle in a vertical force under which all axles deflect equally [-]."""
        stiff = 1.0 / (self.compliance[:, 0] + [1.0 / axle.give.stiffness for axle in self.axles])
        return stiff / stiff.sum()

    @functools.cached_property
    def takes(self) -> np.ndarray:
        """Decrease of each axle's load over the moment that lifts the vehicle's front [1/m]."""
        x = np.array([axle.along for axle in self.axles])
        off = x - self.shares @ x
        return self.shares * off / (self.shares @ off**2)

    def rolling(self) -> np.ndarray:
        """Data of every axle for the roll by the shafts' torque: fields ``twist`` to ``over`` of its
        record in ``kernels.data``.
        """
        unsprung = np.array([axle.give.unsprung for axle in self.axles])
        radii = np.array([contact.tyre.radius for contact in self.contacts])
        body = self.mass - unsprung.sum()
        height = (self.mass * self.height - unsprung @ radii) / body
        rows = []
        for k, axle in enumerate(self.axles):
            track = axle.half_track**2
            roll = axle.roll or Roll(axle.give.stiffness * track, centre=-radii[k])
            centre = radii[k] + roll.centre  # height of the roll centre above the ground [m]
            below = max(track / self.compliance[k, 0] - self.loads[k] * centre, 1.0)
            over = body * self.gravity * (height - centre)
            rows.append((axle.twist, roll.stiffness, roll.stiffening, below, over))
        return np.array(rows)

    def numbers(self) -> Any:
        """Records of the vehicle for the kernels, a ``kernels.data.Lumped``."""
        v = Lumped.made({"axles": len(self.axles)})
        whole = v.whole
        whole.weight, whole.height = self.weight, self.height
        whole.lateral, whole.brakes = self.lateral_ratio, self.brakes / self.radius
        whole.start_slip, whole.open, whole.most = self.start_slip, self.open_axles, self.most_torque
        whole.gravity = self.gravity
        rolling = self.rolling()
        for k, axle in enumerate(self.axles):
            radius, give, one = self.contacts[k].tyre.radius, axle.give, v.axles[k]
            one.along, one.half_track, one.radius = axle.along, axle.half_track, radius
            one.driven, one.load = axle.driven, self.loads[k] / self.weight
            one.takes = self.takes[k]
            one.tyre, one.flat = self.compliance[k]
            one.spring, one.bend = 1.0 / give.stiffness, give.bend
            one.path, one.path_driven = give.path, give.path_driven
            one.unsprung = give.unsprung / self.mass
            one.twist, one.roll, one.stiffening, one.below, one.over = rolling[k]
            one.lead, one.gearing = self.radius * axle.ratio / radius, 1.0 / axle.ratio
        return v

    @property
    def most_torque(self) -> float:
        """Largest torque of the driven wheels in any gear [N m]."""
        return max(float(gear.torque.max()) for gear in self.gears)

    @property
    def lateral_ratio(self) -> float:
        """Largest lateral force over the load [-], by the lateral law at 90 degrees; 1 without a law."""
        law: Any = self.contact.lateral
        if law is None:
            return 1.0
        load = self.weight / (2 * len(self.axles))
        return float(law.lateral_ratio(0.5 * np.pi, load, self.contact.tyre, self.contact.soil))

    def check_strength(self) -> None:
        """Raise ``ValueError`` if the ground law has no soil of a map's strength."""
        law = self.contact.ground_law
        try:
            law.need((self.soil_of or ConeIndexSoil)(STRENGTH))
        except ValueError:
            raise ValueError(
                f"vehicle {self.name!r}: its ground law {law.name!r} has no cone index, and a map's "
                'strength is one; give a law such as "brixius" in [contact], or soil_of in Python'
            ) from None

    def soils(self, strengths: Vector) -> np.ndarray:
        """Parameters of the ground law for every strength [Pa] and axle, shape (n, axles, m)."""
        soil_of = self.soil_of or ConeIndexSoil
        soils = [soil_of(float(s)) for s in strengths]
        axles = [
            [contact.ground_law.parameters(contact.tyre, soil) for soil in soils]
            for contact in dict.fromkeys(self.contacts)
        ]
        which = [list(dict.fromkeys(self.contacts)).index(contact) for contact in self.contacts]
        return np.ascontiguousarray(np.array(axles)[which].swapaxes(0, 1))
