"""Controls, starts and drives of vehicles for several tests."""

import dataclasses

import numpy as np

import bodies as B
from bodies import vehicle

G = 9.80665
OFF = B.Schedule(((0.0, 0.0), (0.2, 0.0), (1.0, 1.0)))  # the clutch closes within the first second


def full_throttle(gear=3, **more):
    """Controls of a start at full throttle in one gear."""
    return {"throttle": B.Schedule(((0.0, 0.0), (0.2, 1.0))), "gear": gear, "clutch": OFF, **more}


def on_grade(mechanism, grade):
    """The mechanism on a plane that rises by ``grade`` ahead: gravity tilted instead of the plane."""
    angle = np.arctan(grade)
    pull = (-G * np.sin(angle), 0.0, -G * np.cos(angle))
    return dataclasses.replace(mechanism, gravity=B.Gravity(pull))


def standing(mechanism, step=1e-3, **inputs):
    """Simulation from the static equilibrium under the given inputs."""
    model = B.compile(mechanism)
    return B.Simulation(model, step, state=B.equilibrium(model, inputs=inputs))


def rolling(mechanism, speed, step=2e-3):
    """Simulation of the whole vehicle rolling ahead at ``speed`` [m/s], springs at rest.

    Its brake, an input, is closed while the springs settle and open afterwards.
    """
    sim = standing(mechanism, step, brake=1.0)
    sim.set_input("brake", 0.0)
    v = sim.work.machine.velocity.reshape(-1, 6)
    for name, k in sim.model.body_index.items():
        v[k, 0] = speed
        if name.endswith((" wheel", " output", "inner shaft", "outer shaft")):
            v[k, 4] = speed / 0.47
    return sim


def drive(sim, seconds, record=0.02):
    """Run; return each wheel's readings over time, and position and velocity of the frame over time."""
    each = max(1, round(record / sim.step))
    wheels, path = {}, []
    for _ in range(round(seconds / sim.step) // each):
        sim.run(each)
        path.append(np.concatenate([sim.position("frame"), sim.velocity("frame")]))
        for name, reading in vehicle.wheel_readings(sim).items():
            wheels.setdefault(name, []).append(dataclasses.astuple(reading)[1:])
    return {k: np.array(v) for k, v in wheels.items()}, np.array(path)


LOAD, TRACTION, LATERAL, RESISTANCE, V_T, V_X, V_Y, SLIP, ROLLING = range(9)
