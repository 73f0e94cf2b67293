"""Multibody vehicle of ``bodies`` as a chassis: four wheels on their ground."""

from __future__ import annotations

import bisect
import dataclasses
import functools
import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..block import parameter
from ..catalogue import register
from ..errors import RigError, known
from ..posed import Posed, limits_of

GROUNDS = ("firm", "soil")
DRIVE = "transfer output bearing"  # joint of the shaft that drives the axles
FIRST_TURN = 0.4  # [rad] smallest column angle, to either side, in the table of column and steer angles
TURNED = 0.75  # [rad] steer angle beyond which the table ends on either side
SLOW = 0.1  # [m/s] speed up to which the slip angles are written as 0
Array = NDArray[np.float64]


@register
@dataclass
class FourWheel(Posed):
    """Vehicle of frame, axles, steering linkage and wheels on their ground, in one solve for each step.

    The gearbox is in neutral with open clutch; the shaft behind it turns as in rolling without slip at
    the commanded speed, so that the speed over ground is less by the slip. The steer angle delta is that
    of an equivalent bicycle: cot(delta) is the mean of the cotangents of both front wheels' steer
    angles. The column angle for a steer angle is interpolated in a table computed from the steering
    linkage.

    Arguments:
        vehicle: name or file, as for ``bodies.vehicle.read``; with a gearbox and a control "steering".
        ground: "firm" (magic formula in the longitudinal direction), or "soil" of the vehicle's file.
        towed: name or file of a trailer, coupled at the vehicle's hitch; "": none.
        front_drive: 0: the front axle is not driven, 1: as in the file.
        step: largest step of the solve [s]; a tick is divided into equal steps.

    Raises:
        RigError: an unknown vehicle or ground, a number out of its range.
    """

    category: ClassVar[str] = "chassis"
    name: ClassVar[str] = "four-wheel"
    about: ClassVar[str] = "bodies, joints and wheels on firm ground or soil"
    vehicle: str = "tractor"
    ground: str = "firm"
    towed: str = ""
    front_drive: float = parameter(0.0, "", "1: front axle driven as in the file", low=0.0, high=1.0)
    step: float = parameter(1e-3, "s", "of the solve", low=1e-6, high=0.1)

    def __post_init__(self) -> None:
        super().__post_init__()
        known(f"{self.title}: unknown ground", self.ground, GROUNDS)
        try:
            self._described = described(self.vehicle, self.ground, self.front_drive > 0.5, self.towed)
        except (ValueError, OSError) as error:
            raise RigError(f"{self.title}: {error}") from None

    @property
    def mechanism(self) -> Any:
        """Mechanism of the vehicle, with the speed of the driving shaft as input "drive"."""
        return self._described.mechanism()

    @property
    def wheelbase(self) -> float:
        """Distance between the axles [m]."""
        return self._described.wheelbase

    def described(self) -> Any:
        """Mechanism at its initial position, with straight wheels."""
        place, yaw = self.output("position"), float(self.output("attitude")[2])
        what, terrain = self._described, self.site.terrain
        return what.mechanism(what.put((float(place[0]), float(place[1]), yaw), terrain), terrain)

    def begin(self) -> None:
        """Start from static equilibrium, with the velocities of rolling at the rig's initial speed."""
        from bodies import Simulation

        names = ("position", "attitude", "velocity", "yaw_rate", "slip_angle")
        self._out = [self.output(n) for n in names]
        self._steer, self._speed = self.input("steer_angle"), self.input("speed_command")
        place, attitude, velocity = self._out[:3]
        what, yaw, speed = self._described, float(attitude[2]), float(velocity[0])
        pose = (float(place[0]), float(place[1]), yaw)
        self._yaw, self._angle = yaw, float(self._steer[0])
        model, state = what.standing(pose, self.site.terrain, self._angle)
        sim = Simulation(model, self.step, state=state, contact=limits_of(model.mechanism))
        self.sim: Any = sim
        twists, self._ratio = what.rolling(sim)
        machine = sim.work.machine
        machine.velocity[: len(twists)] = speed * twists
        self._wheel = [model.input("steering"), model.input("drive")]
        self._frame = model.body("frame")
        self._arrays = [machine.position, machine.quaternion, machine.velocity, machine.input]
        self._arrays[3][self._wheel[1]] = speed * self._ratio
        self._publish()
        if self.site.terrain is None:  # the search for equilibrium has moved the vehicle by millimetres
            self._arrays[0].reshape(-1, 3)[:, :2] += np.subtract(pose[:2], place[:2])
            self._publish()

    def advance(self, time: float, h: float) -> None:
        """Advance by one tick; the steer angle varies linearly from the last value to the new one."""
        count = max(1, math.ceil(h / self.step * (1.0 - 1e-9)))
        if not math.isclose(self.sim.step * count, h, rel_tol=1e-9):
            self._set_step(h / count)
        inputs, (steering, drive) = self._arrays[3], self._wheel
        what, old = self._described, self._angle
        self._angle = float(self._steer[0])
        inputs[drive] = float(self._speed[0]) * self._ratio
        for k in range(count):
            share = (k + 1) / count
            inputs[steering] = what.column(old + share * (self._angle - old))
            self.sim.work.run(1)
        self._publish()

    def _set_step(self, step: float) -> None:
        self.sim.work.machine.clock.step = step

    def _publish(self) -> None:
        """Write pose and velocity of the reference point, computed from those of the frame."""
        k, what = self._frame, self._described
        position, quaternion, twist, _ = self._arrays
        w, x, y, z = quaternion[4 * k : 4 * k + 4].tolist()
        forward = (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y))
        left = (2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x))
        up = (2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y))
        a, b, c = what.offset  # from the frame's centre of mass to the reference point, its axes [m]
        arm = [a * forward[i] + b * left[i] + c * up[i] for i in range(3)]
        at = position[3 * k : 3 * k + 3].tolist()
        v, r = twist[6 * k : 6 * k + 3].tolist(), twist[6 * k + 3 : 6 * k + 6].tolist()
        v = [
            v[0] + r[1] * arm[2] - r[2] * arm[1],
            v[1] + r[2] * arm[0] - r[0] * arm[2],
            v[2] + r[0] * arm[1] - r[1] * arm[0],
        ]
        yaw = math.atan2(forward[1], forward[0])
        self._yaw += math.remainder(yaw - self._yaw, 2.0 * math.pi)
        place, attitude, velocity, rate, slip = self._out
        place[:] = [at[i] + arm[i] for i in range(3)]
        attitude[:] = math.atan2(left[2], up[2]), -math.asin(forward[2]), self._yaw
        velocity[:] = [sum(p * q for p, q in zip(v, axis, strict=True)) for axis in (forward, left, up)]
        rate[0] = r[2]
        if abs(u := float(velocity[0])) > SLOW:
            sideways, turn = float(velocity[1]), what.wheelbase * r[2]
            slip[:] = math.atan((sideways + turn) / u) - self._angle, math.atan(sideways / u)
        else:
            slip[:] = 0.0

    def state(self) -> dict[str, Array]:
        return super().state() | {"turned": np.array([self._yaw, self._angle])}

    def restore(self, state: Any) -> None:
        super().restore(state)
        self._yaw, self._angle = (float(v) for v in state["turned"])


class VehicleData:
    """Data shared by all blocks of one vehicle: its description, steering table and equilibria."""

    def __init__(self, name: str, ground: str, front_drive: bool, towed: str) -> None:
        from bodies import vehicle
        from bodies.vehicle import FinalDrive, HalfShafts, PropellerShaft

        car = vehicle.read(name)
        if not front_drive:
            driving = (PropellerShaft, FinalDrive, HalfShafts)
            kept = [p for p in car.parts if not (isinstance(p, driving) and p.name.startswith("front"))]
            car = dataclasses.replace(car, parts=tuple(kept))
        behind = (vehicle.read(towed),) if towed else ()
        on = [v.on(law="dry") if ground == "firm" else v for v in (car, *behind)]
        self.car: vehicle.Vehicle
        self.towed: list[vehicle.Vehicle]
        self.car, *self.towed = dataclasses.replace(on[0], heading=0.0).raised(towing=tuple(on[1:]))
        wheels = {w.name: w for w in self.mechanism().wheels}
        front, rear = ([wheels[f"{a}_{s}"] for s in ("left", "right")] for a in ("front", "rear"))
        self.wheelbase: float = float(front[0].centre[0] - rear[0].centre[0])
        radius = car.rolling("rear_left").contact.tyre.radius
        frame = next(b for b in self.mechanism().bodies if b.name == "frame")
        middle = np.mean([w.centre for w in rear], axis=0) - (0.0, 0.0, radius)
        self.offset: tuple[float, ...] = tuple(np.subtract(middle, frame.position))
        self.reference: Array = middle[:2] - self.car.origin[:2]  # axes of the vehicle
        self.radii: dict[str, float] = {name: wheel.radius for name, wheel in wheels.items()}
        self._standing: dict[Any, tuple[Any, Any]] = {}

    def mechanism(self, car: Any = None, ground: Any = None, steering: float = 0.0) -> Any:
        """Mechanism of the vehicle, with a speed drive at the shaft behind the gearbox."""
        from bodies import Motor

        car = car or self.car
        moved = np.subtract(car.origin, self.car.origin)
        made = car.mechanism(
            {"gear": 0, "clutch": 0.0, "brake": 0.0, "throttle": 0.0, "steering": steering},
            ground=ground,
            towing=tuple(dataclasses.replace(t, origin=tuple(t.origin + moved)) for t in self.towed),
        )
        motor = Motor(name="drive", joint=DRIVE, target="drive", mode="speed")
        return dataclasses.replace(
            made, elements=(*made.elements, motor), inputs={**made.inputs, "drive": 0.0}
        )

    @functools.cached_property
    def table(self) -> tuple[list[float], list[float]]:
        """Table of the steering: delta |delta| [rad^2], ascending, and column angle over delta [-].

        delta: steer angle of the bicycle [rad], from the axes of the front wheels at each angle of the
        column. The ratio is nearly linear in delta |delta|, so few entries suffice.
        """
        from bodies import MechanismError
        from bodies.building.compile import arrays_of
        from bodies.building.planning import Closing
        from bodies.frames import quaternion_matrix

        model = arrays_of(self.mechanism())
        closing = Closing(model)

        def angle(column: float) -> float:
            poses = closing.poses(steering=column)

            def turned(body: str) -> Array:
                return quaternion_matrix(poses[model.body(body), 3:])

            total, frame = 0.0, turned("frame")  # closing the linkage also turns the frame a little
            for side in ("left", "right"):
                axis = frame.T @ turned(f"front_{side} wheel")[:, 1]
                total -= axis[1] / axis[0] if axis[0] else math.inf
            return math.atan2(2.0, total) if total > 0.0 else -math.atan2(2.0, -total)

        found: dict[float, float] = {}
        for side in (1.0, -1.0):
            column = side * FIRST_TURN
            while True:
                try:
                    turned = angle(column)
                except MechanismError:  # the linkage cannot reach this angle of the column
                    break
                found[turned] = column / turned
                if abs(turned) > TURNED:
                    break
                column *= 1.6
        angles = sorted(found)
        return [angle * abs(angle) for angle in angles], [found[angle] for angle in angles]

    def column(self, angle: float) -> float:
        """Angle of the steering column [rad] for a steer angle of the bicycle [rad]."""
        squares, ratios = self.table
        square = min(max(angle * abs(angle), squares[0]), squares[-1])
        k = min(bisect.bisect_right(squares, square), len(squares) - 1)
        (x, x_1), (y, y_1) = squares[k - 1 : k + 1], ratios[k - 1 : k + 1]
        ratio = y + (y_1 - y) / (x_1 - x) * (square - x)
        return math.copysign(math.sqrt(abs(square)), angle) * ratio

    def put(self, pose: tuple[float, float, float], terrain: Any) -> Any:
        """Vehicle with its reference point at a pose (x, y [m], heading [rad]), raised to the ground."""
        x, y, heading = pose
        c, s = math.cos(heading), math.sin(heading)
        a, b = (float(v) for v in self.reference)
        height = 0.0 if terrain is None else float(terrain.height(x, y))
        origin = (x - c * a + s * b, y - s * a - c * b, height + self.car.origin[2])
        return dataclasses.replace(self.car, origin=origin, heading=heading)

    def standing(self, pose: tuple[float, float, float], terrain: Any, angle: float) -> tuple[Any, Any]:
        """Compiled model and static equilibrium with the reference point at a pose, as in ``put``.

        ``angle``: steer angle of the bicycle [rad].
        """
        key = (pose, angle) if terrain is None else None
        if key is None or key not in self._standing:
            from bodies import compile, equilibrium

            model = compile(self.mechanism(self.put(pose, terrain), terrain, self.column(angle)))
            stood = model, equilibrium(model, scrub=terrain is not None)
            if key is None:
                return stood
            self._standing[key] = stood
        return self._standing[key]

    def rolling(self, sim: Any) -> tuple[Array, float]:
        """Velocities of all bodies in straight rolling at 1 m/s [m/s, rad/s], and drive speed [rad/s].

        Least-squares solution: no violation of rigid joints; frame and wheel centres move forward at
        1 m/s; a wheel turns at 1 m/s over its radius.
        """
        from bodies.frames import quaternion_matrix

        work, model = sim.work, sim.model
        work.stage("detect", "assemble")
        J, _ = model.structure.dense_rows(work.machine.jacobian[: model.structure.jac_size])
        soft = {e.name for e in (*model.joint_order, *model.coupling_order) if e.compliant}
        drive = model.rows["drive"][0]
        kept = np.array([n not in soft for n, (_, count) in model.rows.items() for _ in range(count)])
        kept[drive] = False
        rows, wanted = [J[kept]], [np.zeros(int(kept.sum()))]
        k = 6 * model.body("frame")
        rows.append(np.eye(6, J.shape[1], k))
        forward = quaternion_matrix(sim.quaternion("frame"))[:, 0]
        wanted.append(np.append(forward, np.zeros(3)))
        for wheel in model.mechanism.wheels:
            # low weight in front: the gearing turns the front wheels faster than they roll
            weight = 1.0 if wheel.name.startswith("rear") else 1e-3
            row, at = np.zeros((1, J.shape[1])), 6 * model.body(wheel.body) + 3
            row[0, at : at + 3] = weight * quaternion_matrix(sim.quaternion(wheel.body))[:, 1]
            rows.append(row)
            wanted.append(np.array([weight / self.radii[wheel.name]]))
            rows.append(np.eye(3, J.shape[1], at - 3))
            wanted.append(forward)
        found = np.linalg.lstsq(np.vstack(rows), np.concatenate(wanted), rcond=None)[0]
        twists: Array = np.asarray(found, np.float64)
        return twists, float(J[drive] @ twists)


@functools.cache
def described(name: str, ground: str, front_drive: bool, towed: str = "") -> VehicleData:
    """Cached data of a vehicle, shared by all its blocks."""
    return VehicleData(name, ground, front_drive, towed)
