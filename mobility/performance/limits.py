"""Speed of a vehicle as the least of several limits, and its class: GO, KEEP MOVING, NO-GO."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike

from contact import checks
from mlcp.kinds import above, at_least, checked

from ..kernels import answers as L
from ..kernels import tables as T
from ..kernels.tables import GO, KEEP_MOVING, NO_GO, POWER, SIDE, SIGHT, SOIL
from ..vehicles.powertrain import falling
from ..vehicles.vehicle import LumpedVehicle
from .threads import over_rows

AIR = 1.225  # density [kg/m^3], ISO 2533 at sea level

#: Classes of trafficability, by code.
GO_CLASSES = ("no data", "GO", "KEEP MOVING", "NO-GO")
#: Limits of the speed, by code.
REASONS = (
    "no data", "soil and slope", "power and gear", "side slope", "braking within sight", "driver",
    "land",
)  # fmt: skip


@dataclass(frozen=True)
@checked
class Driver:
    """Limits of a driver: speed, distance of sight, reaction time.

    Arguments:
        maximum: largest speed [m/s], above 0.
        sight: distance within which the vehicle must stop [m], above 0.
        reaction: time before the brakes act [s], at least 0.

    Raises:
        ValueError: naming the field, its value and the allowed range.
    """

    maximum: Annotated[float, above(0.0, "m/s")] = 25.0
    sight: Annotated[float, above(0.0, "m")] = 60.0
    reaction: Annotated[float, at_least(0.0, "s")] = 1.0

    def stopping(self, deceleration: ArrayLike) -> np.ndarray:
        """Largest speed v [m/s] for a stop within sight: v t + v^2 / (2 a) = sight.

        t: reaction time [s], a: deceleration [m/s^2].
        """
        a = np.maximum(np.asarray(deceleration, float), 0.0)
        return np.sqrt((a * self.reaction) ** 2 + 2.0 * a * self.sight) - a * self.reaction


@dataclass(frozen=True)
class Going:
    """Motion of a vehicle, arrays of one shape.

    Attributes:
        kind: class, a code of ``GO_CLASSES``.
        speed: speed along the ground [m/s]; 0 for NO-GO.
        reason: active limit, a code of ``REASONS``.
        slip: steady slip of the shafts [-]; nan for NO-GO.
        gear: number of the gear; 0 for NO-GO.
    """

    kind: np.ndarray
    speed: np.ndarray
    reason: np.ndarray
    slip: np.ndarray
    gear: np.ndarray


def balance(
    vehicle: LumpedVehicle,
    strength: ArrayLike,
    along: ArrayLike,
    across: ArrayLike = 0.0,
    full: bool = True,
) -> np.ndarray:
    """Force balance at points (strength, slope), columns of ``kernels.answers``, shape (..., ANSWERS).

    Arguments:
        vehicle: lumped vehicle.
        strength: strength of the ground [Pa], any shape.
        along, across: slopes as tangents [-], uphill ahead positive; broadcast with the strength.
        full: False: skip limits that cannot be active; slip and torque are then those of the largest
            pull.

    Raises:
        ValueError: strengths that are not above 0, or numbers that are not finite.
    """
    strength, along, across = np.broadcast_arrays(
        *(np.asarray(x, float) for x in (strength, along, across))
    )
    if not (np.isfinite(strength).all() and (strength > 0.0).all()):
        raise ValueError("strength [Pa] must be finite and above 0")
    if not (np.isfinite(along).all() and np.isfinite(across).all()):
        raise ValueError("slopes must be finite numbers (tangents)")
    out = np.empty((strength.size, L.ANSWERS))
    if not strength.size:
        return out.reshape(*strength.shape, L.ANSWERS)
    different, which = np.unique(strength.ravel(), return_inverse=True)
    slopes = np.stack([along.ravel(), across.ravel()], axis=1)
    number = vehicle.contact.ground_law.number
    points_over = _entry()
    soils, which, v = vehicle.soils(different), which.ravel(), vehicle.numbers()
    over_rows(
        lambda r: points_over(number, soils, which[r], v.F, v.N, slopes[r], int(full), out[r]),
        strength.size,
    )
    return out.reshape(*strength.shape, L.ANSWERS)


def _entry() -> Any:
    from ..kernels.entry import points_over

    return points_over


def margins(vehicle: LumpedVehicle, answers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Least margin to all limits, in motion and at a start; below 0: impassable.

    Limits: soil and slope, torque of the strongest gear, side slope (sliding, tipping), brakes.
    """
    torque = np.nan_to_num(answers[..., L.TORQUE], nan=0.0)
    others = np.minimum.reduce(
        [
            (vehicle.most_torque - torque) / (vehicle.weight * vehicle.radius),
            1.0 - answers[..., L.SIDE],
            1.0 - answers[..., L.TIP],
            answers[..., L.BRAKING] / vehicle.gravity,
        ]
    )
    moving = np.minimum(answers[..., L.MARGIN], others)
    return moving, np.minimum(moving, answers[..., L.START])


def limits(
    vehicle: LumpedVehicle, driver: Driver, slip: np.ndarray, torque: np.ndarray, braking: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """``(speed [m/s], reason, gear)`` of passable points, without air drag.

    Arguments: slip [-], torque of the driven wheels [N m] and largest deceleration [m/s^2], one shape.
    """
    from ..kernels.entry import limits_over

    points = np.stack([np.ravel(x) for x in (slip, torque, braking)], axis=1).astype(float)
    out = np.empty((len(points), 3))
    limits_over(falling(vehicle.gears), numbers(vehicle, driver), points, out)
    speed, reason, gear = (out[:, k].reshape(np.shape(slip)) for k in range(3))
    return speed, reason.astype(int), gear.astype(int)


def numbers(
    vehicle: LumpedVehicle,
    driver: Driver,
    strengths: tuple[float, float] = (0.0, np.inf),
    steepest: float = np.inf,
) -> np.ndarray:
    """Array of the numbers of vehicle and driver for the kernels, see ``kernels.tables``."""
    v = np.zeros(T.NUMBERS)
    v[T.WEIGHT], v[T.RADIUS] = vehicle.weight, vehicle.radius
    v[T.DRAG] = 0.5 * AIR * vehicle.drag_area
    v[T.WEAKEST], v[T.STRONGEST] = strengths
    v[T.SIDEWAYS] = min(vehicle.lateral_ratio, min(a.half_track for a in vehicle.axles) / vehicle.height)
    v[T.MAXIMUM], v[T.SIGHT_DISTANCE] = driver.maximum, driver.sight
    v[T.REACTION], v[T.STEEPEST] = driver.reaction, steepest
    v[T.KNOWN_SLIP] = vehicle.contact.ground_law.known_slip
    return v


def why_not(vehicle: LumpedVehicle, answers: np.ndarray) -> np.ndarray:
    """Code of ``REASONS`` for impassable points: the first of side slope, soil, brakes, power."""
    side = np.maximum(answers[..., L.SIDE], answers[..., L.TIP]) > 1.0
    return np.select(
        [side, answers[..., L.MARGIN] < 0.0, answers[..., L.BRAKING] < 0.0], [SIDE, SOIL, SIGHT], POWER
    )


@checked
def going(
    vehicle: LumpedVehicle,
    strength: ArrayLike,
    along: ArrayLike,
    across: ArrayLike = 0.0,
    driver: Driver | None = None,
) -> Going:
    """Motion of a vehicle at points (strength, slope), from the force balance without a table.

        m dv/dt = 0:  sum over the wheels of (thrust - resistance) = m g sin(slope) + drag

    NO-GO: no balance at any slip, or another limit of ``margins`` is exceeded. KEEP MOVING: the vehicle
    can move but not start, since the net force uphill at ``start_slip`` is negative. GO: it can do both.
    The speed is the least of three limits:
    by the gears at the torque of the balance, by stopping within sight, and by the driver. Air drag is
    treated as an additional slope of the same force.

    Arguments:
        vehicle, driver: vehicle and its driver, default ``Driver()``.
        strength: strength of the ground [Pa]; along, across: slopes as tangents [-], -2 to 2, uphill
            ahead positive; any one shape.

    Raises:
        ValueError: strengths that are not above 0, steeper slopes, or numbers that are not finite.
    """
    driver = driver or Driver()
    strength, along, across = np.broadcast_arrays(
        *(np.asarray(x, float) for x in (strength, along, across))
    )
    for name, slopes in (("along", along), ("across", across)):
        if slopes.size:
            checks.grade("going", name, float(slopes.flat[np.argmax(np.abs(slopes))]))

    def at(slope: np.ndarray) -> tuple[np.ndarray, ...]:
        answers = balance(vehicle, strength, slope, across)
        moving, starting = margins(vehicle, answers)
        goes = moving >= 0.0
        slip = np.where(goes, answers[..., L.SLIP], np.nan)
        found = limits(vehicle, driver, slip, answers[..., L.TORQUE], answers[..., L.BRAKING])
        return answers, goes, starting >= 0.0, slip, *found

    answers, goes, starts, slip, speed, reason, gear = at(along)
    if vehicle.drag_area > 0.0:
        low, high = np.zeros_like(speed), np.where(goes, speed, 0.0)
        for _ in range(20):  # bisection: the possible speed decreases with the drag
            middle = 0.5 * (low + high)
            drag = 0.5 * AIR * vehicle.drag_area * middle**2 / vehicle.weight
            _, still, _, slip, speed, reason, gear = at(along + drag)
            more = still & (speed >= middle)
            low, high = np.where(more, middle, low), np.where(more, high, middle)
        speed = low
    kind = np.select([goes & starts, goes], [GO, KEEP_MOVING], NO_GO)
    return Going(
        kind,
        np.where(goes, speed, 0.0),
        np.where(goes, reason, why_not(vehicle, answers)),
        slip,
        np.where(goes, gear, 0),
    )
