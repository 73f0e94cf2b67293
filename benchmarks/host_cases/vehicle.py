"""The 45-body vehicle, exported to MuJoCo: driven on soft ground, and parked on a grade."""

from __future__ import annotations

import dataclasses
import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

import bodies as B
from contact.hosts.kernels import layout as L
from contact.hosts.mujoco import MujocoGround
from contact.kernels.wheel.normal import compression_force
from contact.normal import series_table

STEP, GRAVITY = 1e-3, 9.80665  # time step [s], gravity [m/s^2]
#: Speed below which the plain force callback reduces its traction; a smaller value causes chatter.
FADE = 0.1  # speed [m/s]
TIME_AT_REST = 5.0  # time at rest before the creep of a parked vehicle is measured [s]


@dataclass(frozen=True)
class Exported:
    """The vehicle in MuJoCo: model, data, function that sets its controls, wheels by position."""

    model: Any
    data: Any
    driver: Any
    wheels: dict[tuple, Any]
    frame: str


def export(locked: bool = False, **inputs: float) -> Exported:
    """Export the vehicle, with MuJoCo's own contact, and find its wheels.

    ``locked``: weld the wheels to their uprights, as a parking pawl does. MuJoCo's dry friction, to
    which brakes are exported, creeps by itself.
    """
    from bodies import vehicle

    mechanism = vehicle.load("hmmwv")
    exported = B.to_mjcf(B.compile(vehicle.load("hmmwv", hard=True)), step=STEP)
    if locked:
        welds = "".join(
            f'<weld body1="{wheel.name} upright" body2="{wheel.body}" solref="0.002 1"/>'
            for wheel in mechanism.wheels
        )
        exported = dataclasses.replace(
            exported, xml=exported.xml.replace("</equality>", welds + "</equality>")
        )
    model, data = exported.load()
    wheels = {}
    for wheel in mechanism.wheels:
        body = model.body(wheel.body).id
        turn = data.xmat[body].reshape(3, 3)
        centre = turn.T @ (np.array(wheel.centre) - data.xpos[body])
        wheels[wheel.body, tuple(centre), tuple(turn.T @ np.array(wheel.spin_axis))] = wheel.soil
    driver = exported.driver(model)
    driver.inputs.update(inputs)
    return Exported(model, data, driver, wheels, mechanism.bodies[0].name)


def soft(vehicle: Exported) -> MujocoGround:
    """Replace MuJoCo's contact of an exported vehicle by soft ground."""
    import mujoco

    vehicle.model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    return MujocoGround(vehicle.model, vehicle.wheels)


def steady_speed(duration: float, throttle: float = 0.4, gear: float = 2.0) -> dict[str, float]:
    """Final speeds of a drive on soft ground in ``bodies`` and in MuJoCo [m/s]; times of a step [us]."""
    import mujoco

    from bodies import vehicle as vehicles

    steps = round(duration / STEP)
    model = B.compile(vehicles.load("hmmwv"))
    simulation = B.Simulation(model, STEP)
    simulation.restore(B.equilibrium(model))
    for name, value in (("throttle", throttle), ("gear", gear)):
        simulation.set_input(name, value)
    simulation.run(steps)
    there = export(throttle=throttle, gear=gear)
    ground = soft(there)
    data, clock = there.data, time.perf_counter
    separate, together, drift, residual = [], [], 0.0, 0.0
    for first in range(0, steps, 100):
        for _ in range(min(100, steps - first)):
            there.driver(data)
            start = clock()
            ground.step(data)
            together.append(clock() - start)
        drift = max(drift, ground.drift(data))
        residual = max(residual, ground.ground.residual)
        if first % 1000:
            continue
        kept = data.qpos.copy(), data.qvel.copy(), data.act.copy(), data.qacc_warmstart.copy()
        now, data.qfrc_applied[:] = data.time, ground.force
        for _ in range(100):
            there.driver(data)
            start = clock()
            mujoco.mj_step(there.model, data)
            separate.append(clock() - start)
        data.qfrc_applied[:], data.time = 0.0, now
        data.qpos[:], data.qvel[:], data.act[:], data.qacc_warmstart[:] = kept
    host = 1e6 * float(np.median(separate))
    x = simulation.velocity(model.mechanism.bodies[0].name)[0]
    return {
        "ours": float(x),
        "mujoco": float(data.qvel[0]),
        "us_host": host,
        "drift": drift,
        "us_ground": 1e6 * float(np.median(together)) - host,
        "residual": residual,
        "slip": float(ground.ground.slip.mean()),
        "missed": simulation.missed,
    }


class ForceCallback:
    """Usual method without a contact solve: the ground law as an explicit force.

    The load follows from the compression and its rate, the thrust from the slip, at the step's start.
    """

    def __init__(self, ground: MujocoGround) -> None:
        self.ground = ground
        self.contacts = ground.ground.contact.wheels
        self.tables = [series_table(wheel.tyre, wheel.bearing) for wheel in self.contacts]

    def step(self, data: Any) -> None:
        """Take one step of MuJoCo under the ground forces from the state at its start."""
        import mujoco

        own, ground = self.ground, self.ground.ground
        mujoco.mj_step1(own.model, data)
        own.solve(data, L.CHECK)  # computes frames, gaps and channel velocities without a solve
        forces = np.zeros_like(ground.u)
        for i, (wheel, (table, deepest)) in enumerate(zip(self.contacts, self.tables, strict=True)):
            normal, sliding, _, centre = ground.u[4 * i : 4 * i + 4]
            compression = max(0.0, -ground.gap[i])
            if compression == 0.0:
                continue
            load = float(compression_force(table, deepest, compression))
            load = max(0.0, load - wheel.damping_time * load / compression * normal)
            faster = max(abs(centre), abs(centre - sliding), FADE)
            slip = min(1.0, max(-1.0, -sliding / faster))
            thrust = float(wheel.thrust_ratio(slip, max(load, 1.0))) * load
            resistance = float(wheel.resistance_ratio(abs(slip), max(load, 1.0))) * load
            forces[4 * i] = load
            forces[4 * i + 1] = thrust
            forces[4 * i + 3] = -resistance * math.tanh(centre / FADE)
        data.qfrc_applied += own.A.T @ forces
        mujoco.mj_step2(own.model, data)
        data.qfrc_applied[:] = 0.0


def parked(kind: str, grade: float, duration: float) -> dict[str, float]:
    """Creep [mm] of the vehicle, wheels locked, down a grade within ``duration`` [s].

    ``kind``: "complementarity", "force callback" or "own contact" (MuJoCo's, on hard ground).
    """
    import mujoco

    there = export(locked=True, throttle=0.0)
    model, data = there.model, there.data
    tilt = math.atan(grade)
    model.opt.gravity[:] = -GRAVITY * math.sin(tilt), 0.0, -GRAVITY * math.cos(tilt)
    if kind == "own contact":

        def step(data):
            mujoco.mj_step(model, data)

    else:
        ground = soft(there)
        step = ForceCallback(ground).step if kind == "force callback" else ground.step
    wheel = model.body(next(iter(there.wheels))[0]).id
    start = {}
    for k in range(round((TIME_AT_REST + duration) / STEP)):
        if k == round(TIME_AT_REST / STEP):
            start = {"frame": data.qpos[0], "wheel": data.xpos[wheel, 0]}
        there.driver(data)
        step(data)
        if not np.isfinite(data.qpos[0]):
            break
    return {
        "creep_mm": 1e3 * float(start["frame"] - data.qpos[0]),
        "speed": float(data.qvel[0]),
        "wheel_speed": float(data.cvel[wheel, 1]),
    }
