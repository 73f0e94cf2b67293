"""Runs of the quarter-vehicle case under a scheme with a solver, and quantities of each run."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

import bodies
from bodies.vehicle import QuarterVehicle
from mlcp import solve

from ..reduced import problem_of
from .case import QuarterVehicleCase


def drive(
    vehicle: QuarterVehicle, duration: float, step: float, *, speed: float = 0.0, **settings: Any
) -> bodies.Trajectory:
    """Run a vehicle from static equilibrium, rolling at ``speed`` [m/s]."""
    return bodies.simulate(bodies.compile(vehicle.mechanism(speed)), duration, step, **settings)


@dataclass(frozen=True)
class QuarterVehicleRun:
    """One run of the case and its wall time [s]; the first record is the start of the run."""

    scheme: str
    solver: str
    trajectory: bodies.Trajectory
    wall_s: float

    @cached_property
    def wheel(self) -> Any:
        """Readings of the wheel over time."""
        return self.trajectory.wheel("wheel")

    @property
    def steady(self) -> dict[str, float]:
        """Slip, thrust, resistance and speed at the end of the run."""
        wheel = self.wheel
        return {
            "slip": float(wheel.slip[-1]),
            "thrust_N": float(wheel.traction[-1]),
            "resistance_N": -float(wheel.resistance[-1]),
            "speed_m_s": float(wheel.v_x[-1]),
        }

    @cached_property
    def _swings(self) -> NDArray[np.float64]:
        return swings(self.wheel.traction)

    @property
    def chatter(self) -> float:
        """Root mean square of the traction's oscillation over its largest value.

        The mean is over time, so that step lengths can be compared: longer steps oscillate more slowly.
        """
        return float(np.sqrt(np.mean(np.square(self._swings)))) if self._swings.size else 0.0

    @property
    def swings_a_second(self) -> float:
        """Rate of reversals of the traction by more than 2 % of its largest value [1/s]."""
        return float(np.count_nonzero(self._swings > 0.02) / self.trajectory.time[-1])


def swings(force: NDArray[np.float64]) -> NDArray[np.float64]:
    """Size of the peak of a force at each inner record, relative to the force's largest magnitude.

    If the changes before and after the record have different signs, the smaller one is the size; else 0.
    """
    before, after = np.diff(force)[:-1], np.diff(force)[1:]
    back = np.where(before * after < 0.0, np.minimum(np.abs(before), np.abs(after)), 0.0)
    largest = float(np.abs(force).max())
    return back / largest if largest > 0.0 else back


def total_variation(force: NDArray[np.float64]) -> float:
    """Largest sum of |differences| of a wheel's force, over the largest force of all wheels [-]."""
    top = float(np.abs(force).max())
    return float(np.abs(np.diff(force, axis=0)).sum(axis=0).max()) / top if top > 0.0 else 0.0


def run_case(case: QuarterVehicleCase, scheme: str, solver: str) -> QuarterVehicleRun:
    """Run the case once under a scheme with a solver."""
    begin = time.perf_counter()
    vehicle, speed = case.vehicle(scheme), case.initial_speed
    trajectory = drive(vehicle, case.duration, case.step, speed=speed, solver=solver)
    return QuarterVehicleRun(scheme, solver, trajectory, time.perf_counter() - begin)


def warm_up(case: QuarterVehicleCase, solvers: tuple[str, ...]) -> None:
    """Run a few steps with each solver, to compile or load the solver's kernels."""
    for solver in solvers:
        drive(case.vehicle("implicit"), 3.0 * case.step, case.step, solver=solver)


def referee(
    case: QuarterVehicleCase, schemes: tuple[str, ...], samples: int
) -> tuple[int, float, float]:
    """Solve the problems of sampled steps again with cvxpy.

    The problems are convex programmes, z'Az/2 + b'z over the box. Two solutions may differ in redundant
    impulses, but neither in the objective nor in ``A z``, the velocities.
    Returns the number of steps, the largest relative excess of our objective over cvxpy's objective
    (negative: ours is better), and the largest difference of A z relative to the largest |b|.
    """
    worst, gap, count = 0.0, -np.inf, 0
    each = max(1, samples // len(schemes))
    steps = round(case.duration / case.step)
    stride = max(1, steps // each)
    for scheme in schemes:
        mechanism = case.vehicle(scheme).mechanism(case.initial_speed)
        sim = bodies.Simulation(bodies.compile(mechanism), case.step)
        for _ in range(min(each, steps)):
            sim.run(stride)
            problem, ours = problem_of(sim)
            A, b = problem.dense_A, problem.b
            theirs = solve(problem, "cvxpy", tol=1e-5, raise_on_failure=False).z
            objectives = [float(0.5 * z @ A @ z + b @ z) for z in (ours, theirs)]
            size = max(abs(objectives[1]), 1e-12)
            gap = max(gap, (objectives[0] - objectives[1]) / size)
            scale = max(float(np.abs(b).max()), 1e-12)
            worst = max(worst, float(np.abs(A @ (theirs - ours)).max()) / scale)
            count += 1
    return count, gap, worst
