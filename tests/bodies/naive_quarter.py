"""Reference step of the quarter vehicle, slow and simple: three velocities, a diagonal mass matrix.

Independent of ``bodies``: the Jacobian of the five channels (velocities on which ground and brake act)
is written by hand; the ground's forces come from ``contact.GroundContact`` alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from contact import GroundContact, slip_ratio

G = 9.81  # acceleration of gravity [m/s^2]


@dataclass
class Run:
    """Arrays of shape (steps,): motion at the end of each step, forces during the step."""

    time: np.ndarray
    x: np.ndarray
    v_x: np.ndarray
    v_z: np.ndarray
    omega: np.ndarray
    slip: np.ndarray
    load: np.ndarray
    traction: np.ndarray


def drive(vehicle, duration, step, *, speed=0.0, solver="direct"):
    """Run of a ``QuarterVehicle`` from static equilibrium; its torque is a number or a schedule.

    Channels: velocity normal to the ground, sliding velocity of the contact point, lateral velocity
    (always zero), longitudinal velocity of the wheel's centre, and spin, on which the brake acts.
    """
    wheel, m, inertia = vehicle.wheel, vehicle.mass, vehicle.wheel_inertia
    r = wheel.tyre.radius
    J = np.array([[0, 1, 0], [1, 0, -r], [0, 0, 0], [1, 0, 0], [0, 0, 1.0]])  # columns: v_x, v_z, spin
    points = getattr(vehicle.torque, "points", ((0.0, vehicle.torque), (1.0, vehicle.torque)))
    times, torques = np.array(points).T
    weight = m * G * np.array([-np.sin(vehicle.angle), -np.cos(vehicle.angle)])
    ground = GroundContact([wheel], 1, solver)
    ground.set_extra_row(0, -step * vehicle.brake, step * vehicle.brake)
    x, z = 0.0, r - wheel.static_compression(vehicle.static_load)
    v = np.array([speed, 0.0, speed / r])
    rows = []
    for k in range(round(duration / step)):
        air = step * vehicle.pull * np.hypot(v[0], v[1])  # [kg] impulse of the drag / final velocity
        inverse = 1.0 / np.array([m + air, m + air, inertia])
        torque = np.interp((k + 0.5) * step, times, torques)
        momentum = np.array([m * v[0], m * v[1], inertia * v[2]])
        free = inverse * (momentum + step * np.array([*weight, torque]))
        B = J @ np.diag(inverse) @ J.T
        q = np.array(ground.solve(step, [z - r], B, J @ v, J @ free))
        v = free + inverse * (J.T @ q)
        x, z = x + step * v[0], z + step * v[1]
        slip = float(slip_ratio(v[0], v[2], r, wheel.v_0))
        rows.append([(k + 1) * step, x, *v, slip, q[0] / step, q[1] / step])
    return Run(*np.array(rows).T)
