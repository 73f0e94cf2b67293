"""Power balance of the vehicle: engine power, losses, gain of kinetic energy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import bodies
from bodies import vehicle
from bodies.forces import JointSpring


@dataclass(frozen=True)
class Balance:
    """Mean powers [W]: of the engine, lost by slip, resistance and driveline; gain of kinetic energy."""

    engine: float
    slip: float
    resistance: float
    driveline: float
    gain: float

    @property
    def error(self) -> float:
        """``|engine - slip - resistance - driveline|`` over the engine's power."""
        return abs(self.engine - self.slip - self.resistance - self.driveline) / self.engine


def balance(simulation: bodies.Simulation) -> Balance:
    """Mean power balance over the next 0.1 s of a run at full throttle; advances the run."""
    mechanism = simulation.model.mechanism
    engine = next(e for e in mechanism.elements if isinstance(e, bodies.Engine))
    drags = [
        e for e in mechanism.elements if isinstance(e, JointSpring) and e.damping and not e.stiffness
    ]
    speeds, torques = np.array(engine.tables()[0]).T
    joints = [engine.joint, *(d.joint for d in drags)]

    def rates() -> np.ndarray:
        """Take one step; returns the rates of the hinges at its end [rad/s]."""
        here = [simulation.coordinate(name) for name in joints]
        simulation.run(1)
        there = [simulation.coordinate(name) for name in joints]
        return np.subtract(there, here) / simulation.step

    last = rates()
    before, start = simulation.energy().kinetic, simulation.time
    sums, steps = np.zeros(4), max(1, round(0.1 / simulation.step))
    for _ in range(steps):
        now = rates()
        wheels = vehicle.wheel_readings(simulation).values()
        sums += (
            np.interp(last[0], speeds, torques) * now[0],
            sum(w.slip_loss + w.rolling_loss for w in wheels),
            sum(w.resistance_loss for w in wheels),
            sum(d.damping * rate * rate for d, rate in zip(drags, now[1:], strict=True)),
        )
        last = now
    gain = (simulation.energy().kinetic - before) / (simulation.time - start)
    return Balance(*(float(x) for x in sums / steps), gain)
