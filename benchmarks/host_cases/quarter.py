"""Quarter vehicle of Peiret et al., the test of every host (other multibody code) against ``bodies``."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import bodies
from bodies import Schedule
from contact import WheelContact
from wheelground.reports.quarter.case import PEAK, RAMP, QuarterVehicleCase

GRAVITY = 9.81
#: Number of steps in a block; blocks with the ground and blocks of the host alone alternate.
BLOCK = 100


@dataclass(frozen=True)
class Quarter:
    """Quarter vehicle for a host: mass [kg], spin inertia [kg m^2], wheel, coefficient of the resisting
    pull [N s^2/m^2], height of the wheel's centre [m], time step [s], beginning of the drive [s].

    Three freedoms: forward, up, spin (positive rolls forward).
    """

    mass: float
    inertia: float
    wheel: WheelContact
    pull: float
    height: float
    step: float
    begin: float = 0.0

    @classmethod
    def of_table_1(cls, scheme: str, step: float = 1e-3, begin: float = 0.0) -> Quarter:
        """Quarter vehicle of Table 1, at rest at time ``begin`` [s] of the ramp of the drive torque."""
        vehicle = QuarterVehicleCase(step).vehicle(scheme)
        sunk = vehicle.wheel.static_compression(vehicle.static_load)
        height = vehicle.wheel.tyre.radius - sunk
        return cls(vehicle.mass, vehicle.wheel_inertia, vehicle.wheel, vehicle.pull, height, step, begin)

    @property
    def load(self) -> float:
        """Static load of the wheel [N]."""
        return self.mass * GRAVITY

    def torque(self, k: int) -> float:
        """Drive torque [N m] in the middle of step k."""
        return PEAK * min((self.begin + (k + 0.5) * self.step) / RAMP, 1.0)

    def resistance(self, v_x: float) -> float:
        """Resisting pull [N] of a step, from the forward speed at its start."""
        return min(self.pull * abs(v_x), self.mass / self.step) * v_x


@dataclass(frozen=True)
class HostRun:
    """Run of a host: velocities (steps, 3) v_x, v_z [m/s], omega [rad/s]; times of a step of host and of
    ground [us]; largest residual; number of steps that missed their tolerance.
    """

    velocities: NDArray[np.float64]
    us_host: float
    us_ground: float
    worst_residual: float
    missed: int


def reference(
    quarter: Quarter, scheme: str, steps: int, *, own_pull: bool = False
) -> NDArray[np.float64]:
    """Velocities (steps, 3) of the quarter vehicle driven in ``bodies``: v_x, v_z [m/s], omega [rad/s].

    The resisting pull depends on the speed at the start of each step, as in a host. With ``own_pull`` it
    is an implicit force of the vehicle, which depends on the speed at the end of the step.
    """
    ramp = Schedule(((0.0, PEAK * quarter.begin / RAMP), (RAMP - quarter.begin, PEAK)))
    vehicle = QuarterVehicleCase(quarter.step).vehicle(
        scheme, torque=ramp, pull=quarter.pull if own_pull else 0.0
    )

    def pull(sim: bodies.Simulation) -> None:
        sim.apply("wheel", force=(-quarter.resistance(float(sim.velocity("wheel")[0])), 0.0, 0.0))

    model = bodies.compile(vehicle.mechanism())
    callback = None if own_pull else pull
    run = bodies.simulate(model, steps * quarter.step, quarter.step, callback=callback)
    v, w = run.velocity("wheel")[1:], run.angular_velocity("wheel")[1:]
    return np.column_stack([v[:, 0], v[:, 2], w[:, 1]])


def error(run: HostRun, exact: NDArray[np.float64], radius: float) -> float:
    """Largest difference of a velocity (omega r for omega), relative to the run's largest speed."""
    scale = np.array([1.0, 1.0, radius])
    return float(np.abs((run.velocities - exact) * scale).max() / np.abs(exact * scale).max())


def slip(run: HostRun, radius: float) -> float:
    """Slip ratio at the end of the run [-]."""
    v_x, _, omega = run.velocities[-1]
    return float(1.0 - v_x / (omega * radius))


def drive(
    quarter: Quarter,
    steps: int,
    step: Callable[[NDArray[np.float64]], None],
    velocity: Callable[[], NDArray[np.float64]],
    ground,
    alone: Callable[[NDArray[np.float64]], None] | None = None,
    save: Callable[[], object] | None = None,
    restore: Callable[[object], None] | None = None,
) -> HostRun:
    """Drive a host whose steps are called from here.

    ``step(force)`` takes a step with the ground, ``alone(force)`` one without it, under generalised
    forces (forward, up, spin). To measure the host's own time, every block of steps is repeated without
    the ground, under the ground's last forces; then the host's state before the repetition is restored.
    """
    out = np.zeros((steps, 3))
    with_ground, without, worst, missed = [], [], 0.0, 0
    force = np.zeros(3)
    clock = time.perf_counter
    for first in range(0, steps, BLOCK):
        block = range(first, min(first + BLOCK, steps))
        for k in block:
            force[0] = -quarter.resistance(velocity()[0])
            force[2] = quarter.torque(k)
            start = clock()
            step(force)
            with_ground.append(clock() - start)
            out[k] = velocity()
            worst = max(worst, ground.residual)
            missed += ground.missed
        if alone is None:
            continue
        kept, wrench = save(), ground.wrench[0].copy()
        for k in block:
            force[0] = wrench[0] - quarter.resistance(velocity()[0])
            force[1], force[2] = wrench[2], wrench[4] + quarter.torque(k)
            start = clock()
            alone(force)
            without.append(clock() - start)
        force[1] = 0.0
        restore(kept)
    host = 1e6 * float(np.median(without)) if without else float("nan")
    return HostRun(out, host, 1e6 * float(np.median(with_ground)) - host, worst, missed)
