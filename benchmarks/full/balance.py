"""Where the engine's power goes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import bodies
from bodies import vehicle
from bodies.forces import JointSpring


@dataclass(frozen=True)
class Balance:
    """Powers of one instant [W]; ``gain`` is the rise of the kinetic energy."""

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
    """Balance over the next steps of a run at full throttle (0.1 s; the run goes on)."""
    mechanism = simulation.model.mechanism
    engine = next(e for e in mechanism.elements if isinstance(e, bodies.Engine))
    drags = [e for e in mechanism.elements
             if isinstance(e, JointSpring) and e.damping and not e.stiffness]
    speeds, torques = np.array(engine.full_load).T
    before, start = simulation.energy().kinetic, simulation.time
    sums, steps = np.zeros(4), max(1, round(0.1 / simulation.step))
    for _ in range(steps):
        here = {d.name: simulation.coordinate(d.joint) for d in drags}
        crank = simulation.coordinate(engine.joint)
        omega = _rate(simulation, engine.joint)
        simulation.run(1)
        turned = (simulation.coordinate(engine.joint) - crank) / simulation.step
        wheels = vehicle.wheel_readings(simulation).values()
        sums += (
            np.interp(omega, speeds, torques) * turned,
            sum(w.slip_loss for w in wheels),
            sum(w.resistance_loss for w in wheels),
            sum(d.damping * ((simulation.coordinate(d.joint) - here[d.name]) / simulation.step) ** 2
                for d in drags))
    gain = (simulation.energy().kinetic - before) / (simulation.time - start)
    return Balance(*(float(x) for x in sums / steps), gain)


def _rate(simulation: bodies.Simulation, hinge: str) -> float:
    """Rate of a hinge on a housing that does not turn [rad/s]."""
    joint = next(j for j in simulation.model.joint_order if j.name == hinge)
    spin = simulation.angular_velocity(joint.body_b) - simulation.angular_velocity(joint.body_a)
    return float(spin @ np.asarray(joint.axis))
