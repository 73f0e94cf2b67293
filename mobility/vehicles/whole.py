"""Multibody vehicle on slopes: start, motion, braking and standstill, many cases in a batch.

This model checks the force balance in ``limits``, and includes the driver's actions at a start. A slope
is a plane under tilted gravity, which is exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import bodies
from bodies import vehicle as vehicles
from bodies.vehicle import ClutchAndGearbox, FinalDrive, Vehicle
from contact import checks
from mlcp import renamed
from mlcp.kinds import Range, checked

from ..kernels.balance import GRAVITY
from ..kernels.tables import GO, KEEP_MOVING, NO_GO
from .lumping import reference_axle
from .suspension import AXLES

BRAKES_ON, REV_UP, CLUTCH = 2.0, 0.6, 0.8  # durations [s]: brakes on, engine unloaded, clutch closing
RUN_UP = 12.0  # duration of the run-up on level ground [s]
FIRM = 3e6  # strength of the ground of the run-up [Pa]
STANDS = 0.1  # speed below which the vehicle counts as standing [m/s]
TIPPED = 0.7  # cosine of the frame's tilt below which the vehicle counts as tipped
SIDES = ("left", "right")
LOOK, AIM = 0.05, 8.0  # driver: time between two corrections [s], look-ahead distance [m]
STEER, MOST_TURN = 20.0, 10.0  # steering: column angle over heading error [-]; largest angle [rad]
LAST = 1.0  # duration of the averages at the end [s]
Seconds = Annotated[float, Range(LAST, 1e6, unit="s")]


@renamed.attributes(holds="succeeds")
@dataclass(frozen=True, eq=False)
class Driven:
    """Results of driven vehicles, arrays (n,).

    Attributes:
        succeeds: whether the vehicle moved on, or for ``WholeVehicle.stand`` stood still.
        speed: speed along the ground [m/s], mean of the last second (of 3 s for ``WholeVehicle.stand``).
        slip: slip of the first driven axle (mean of both wheels), mean of the last second [-]; nan
            without motion.
        distance: displacement along the initial heading [m].
        missed: number of steps that missed their tolerance.
    """

    succeeds: NDArray[np.bool_]
    speed: NDArray[np.float64]
    slip: NDArray[np.float64]
    distance: NDArray[np.float64]
    missed: NDArray[np.int64]


@checked.explained
class WholeVehicle:
    """Multibody vehicle for manoeuvres on slopes of any strength.

    Arguments:
        vehicle: name of a shipped vehicle, a file, or a ``bodies.vehicle.Vehicle``; it needs driven
            axles, an engine with clutch and gearbox, brakes, and a cone index.
        step: step of the integration [s], above 0. threads: threads of a batch; None: all cores.
        ground: plane or height field of ``contact``; None: a plane.

    Raises:
        ValueError: a vehicle without one of these parts, or a step out of range.
    """

    def __init__(
        self,
        vehicle: str | Path | Vehicle = "hmmwv_4x4",
        step: float = 5e-3,
        threads: int | None = None,
        ground: Any = None,
    ) -> None:
        checks.positive("WholeVehicle", "step", step, unit="s")
        read = vehicle if isinstance(vehicle, Vehicle) else vehicles.read(vehicle)
        drives = {p.name: p for p in read.parts if isinstance(p, FinalDrive)}
        driven = [p.name for p in read.parts if isinstance(p, AXLES) and p.name in drives]
        first = reference_axle(read, driven) if driven else ""
        self.wheels: list[str] = [f"{first}_{side} wheel" for side in SIDES if first]
        boxes = [p for p in read.parts if isinstance(p, ClutchAndGearbox)]
        mechanism = read.mechanism(ground=ground) if self.wheels and boxes else None
        if mechanism is None or not {"throttle", "clutch", "gear", "brake"} <= mechanism.inputs.keys():
            raise ValueError(
                f"vehicle {read.name!r} cannot be driven here: it needs driven axles, engine, clutch, "
                "gearbox and brakes"
            )
        self.vehicle: Vehicle = read
        self.gears: int = max(len(p.ratios) for p in boxes)
        self.radius: float = read.rolling(f"{first}_left").contact.tyre.radius
        self.step: float = step
        self.threads: int | None = threads
        self.model: bodies.Model = bodies.compile(mechanism)
        self._steers: bool = "steering" in mechanism.inputs
        self._rest = bodies.equilibrium(self.model, inputs={"brake": 1.0, "clutch": 0.0})
        self._moving: dict[int, bodies.State] = {}

    def start(
        self, strength: ArrayLike, along: ArrayLike, gear: ArrayLike = 1, seconds: Seconds = 15.0
    ) -> Driven:
        """Start from standstill at full throttle: the clutch closes while the brakes are released.

        Arguments:
            strength: cone index [Pa], shape (n,).
            along: slope as tangent, uphill positive, shape (n,).
            gear: number of the gear, shape (n,).
            seconds: duration after the clutch has closed [s].

        Raises:
            ValueError: strengths that are not above 0, or not finite.
        """
        batch = self._on(strength, along, 0.0, gear)
        self._run(batch, BRAKES_ON)
        before = batch.position("frame")[:, 0].copy()
        self._launch(batch)
        return self._finish(batch, seconds, before)

    def keep_moving(
        self, strength: ArrayLike, along: ArrayLike, gear: ArrayLike = 1, seconds: Seconds = 20.0
    ) -> Driven:
        """Drive at full throttle from firm level ground onto the slope, at the gear's speed.

        Arguments: as for ``start``; ``seconds``: duration on the slope.
        """
        batch = self._on(strength, along, 0.0, gear, moving=True)
        before = batch.position("frame")[:, 0].copy()
        return self._finish(batch, seconds, before)

    def brake(self, strength: ArrayLike, along: ArrayLike, gear: ArrayLike = 1) -> NDArray[np.float64]:
        """Brake with open clutch from the gear's speed v to standstill: mean deceleration a [m/s^2].

            a = v^2 / (2 d),   d: braking distance [m];   0: no standstill after 10 s

        Arguments: as for ``start``.
        """
        batch = self._on(strength, along, 0.0, gear, moving=True)
        for name, value in (("throttle", 0.0), ("clutch", 0.0), ("brake", 1.0)):
            batch.set_input(name, value)
        first, before = batch.velocity("frame")[:, 0].copy(), batch.position("frame")[:, 0].copy()
        stop = np.full(batch.n, np.nan)
        for _ in range(100):
            self._run(batch, 0.1)
            now = batch.position("frame")[:, 0] - before
            stop = np.where(np.isnan(stop) & (batch.velocity("frame")[:, 0] < STANDS), now, stop)
            if np.isfinite(stop).all():
                break
        return np.where(np.isfinite(stop), first**2 / (2.0 * np.maximum(stop, 1e-9)), 0.0)

    def stand(self, strength: ArrayLike, along: ArrayLike, across: ArrayLike) -> Driven:
        """Stand on a slope with all brakes on: ``succeeds`` without sliding and tipping.

        Arguments: strength [Pa], along, across [-]: one shape (n,).
        """
        batch = self._on(strength, along, across, 1)
        self._run(batch, BRAKES_ON)
        before = batch.position("frame").copy()
        done = self._finish(batch, 3.0, before[:, 0])
        speed = np.linalg.norm(batch.position("frame")[:, :2] - before[:, :2], axis=1) / 3.0
        q = batch.quaternion("frame")
        upright = 1.0 - 2.0 * (q[:, 1] ** 2 + q[:, 2] ** 2)
        succeeds = (speed < 0.02) & (upright > TIPPED)
        return Driven(succeeds, speed, np.full(batch.n, np.nan), done.distance, done.missed)

    def going(self, strength: ArrayLike, along: ArrayLike, gear: ArrayLike = 1) -> NDArray[np.int64]:
        """Class from driving: GO for a start, KEEP MOVING for motion only, else NO-GO; shape (n,).

        Arguments: as for ``start``.
        """
        starts, goes = self.start(strength, along, gear), self.keep_moving(strength, along, gear)
        return np.select([starts.succeeds, goes.succeeds], [GO, KEEP_MOVING], NO_GO)

    def _on(
        self,
        strength: ArrayLike,
        along: ArrayLike,
        across: ArrayLike,
        gear: ArrayLike,
        moving: bool = False,
    ) -> bodies.Batch:
        """Batch on slopes: at rest with brakes on, or with the motion of the run-up."""
        c, a, b, gears = (np.atleast_1d(x) for x in np.broadcast_arrays(strength, along, across, gear))
        if not (np.isfinite(c).all() and (c > 0.0).all()):
            raise ValueError("strength [Pa] must be finite and above 0")
        if not (np.isfinite(a).all() and np.isfinite(b).all()):
            raise ValueError("slopes must be finite numbers (tangents)")
        if not np.isin(gears, range(1, self.gears + 1)).all():
            raise ValueError(f"gear must be a whole number of 1 to {self.gears}")
        down = GRAVITY / np.sqrt(1.0 + a**2 + b**2)
        run = np.sqrt(1.0 + a**2)  # 1 over the cosine of the slope along; as in the force balance
        gravity = np.stack([-GRAVITY * a / run, -down * b / run, -down], axis=-1)
        batch = bodies.Batch(self.model, c.size, self.step, state=self._rest)
        batch.vary({"soil.cone_index": c.astype(float), "gravity.acceleration": gravity})
        if moving:
            for k, number in enumerate(gears):
                batch[k].restore(self._state_in(int(number)))
        batch.set_input("gear", gears.astype(float))
        return batch

    def _state_in(self, gear: int) -> bodies.State:
        """State at full throttle in a gear on firm level ground, after the run-up."""
        if gear not in self._moving:
            self._moving[gear] = self.launched(FIRM, gear)[0].state()
        return self._moving[gear]

    def launched(self, strength: ArrayLike, gear: ArrayLike) -> bodies.Batch:
        """Batch at full throttle on level ground, after the run-up.

        Arguments: strength [Pa] and gear: one shape (n,).
        """
        batch = self._on(strength, 0.0, 0.0, gear)
        self._launch(batch)
        self._run(batch, RUN_UP)
        return batch

    def _launch(self, batch: bodies.Batch) -> None:
        batch.set_input("throttle", 1.0)
        self._run(batch, REV_UP)
        for share in np.linspace(0.05, 1.0, 20):
            batch.set_input("clutch", share)
            batch.set_input("brake", 1.0 - share)
            self._run(batch, CLUTCH / 20)

    def _run(self, batch: bodies.Batch, seconds: float) -> None:
        """Run the batch with a driver that follows the line y = 0."""
        steps = max(1, round(seconds / self.step))
        every = max(1, round(LOOK / self.step)) if self._steers else steps
        for done in range(0, steps, every):
            if self._steers:
                w, x, y, z = batch.quaternion("frame").T
                heading = np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
                off = heading + batch.position("frame")[:, 1] / AIM
                batch.set_input("steering", np.clip(-STEER * off, -MOST_TURN, MOST_TURN))
            batch.run(min(every, steps - done), self.threads)

    def _finish(self, batch: bodies.Batch, seconds: float, before: np.ndarray) -> Driven:
        """Run the batch; results with means over the last second."""
        self._run(batch, seconds - LAST)
        speed, spin, count = np.zeros(batch.n), np.zeros(batch.n), 20
        for _ in range(count):
            self._run(batch, LAST / count)
            speed += batch.velocity("frame")[:, 0] / count
            spin += np.mean([batch.angular_velocity(w)[:, 1] for w in self.wheels], axis=0) / count
        succeeds = speed > STANDS
        with np.errstate(divide="ignore", invalid="ignore"):
            slip = np.where(succeeds, 1.0 - speed / (self.radius * spin), np.nan)
        distance = batch.position("frame")[:, 0] - before
        return Driven(succeeds, speed, slip, distance, batch.missed.copy())
