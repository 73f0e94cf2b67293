"""A wheel without a vehicle, for contact tests; its velocities are ``(v_x, v_y, v_z, omega)``."""

import numpy as np

WEIGHT = np.array([0.0, 0.0, -9.81, 0.0])  # acceleration of gravity [m/s^2]


def channels(radius):
    """Jacobian (4, 4) from the wheel's velocities to normal, sliding, lateral and forward velocity."""
    return np.array([[0, 0, 1.0, 0], [1.0, 0, 0, -radius], [0, 1.0, 0, 0], [1.0, 0, 0, 0]])


class FreeWheel:
    """A wheel without a vehicle: mass [kg] and moment of inertia about the axle [kg m2]."""

    def __init__(self, radius, mass=250.0, inertia=6.0):
        self.J = channels(radius)
        self.inverse = 1.0 / np.array([mass, mass, mass, inertia])
        self.B = self.J @ (self.inverse[:, None] * self.J.T)

    def step(self, ground, h, gap, v, force=(0.0, 0.0, 0.0, 0.0)):
        """One step under the wheel's weight and a force: impulses [N s], velocities at the end."""
        v = np.asarray(v, dtype=float)
        free = v + h * (self.inverse * force + WEIGHT)
        q = ground.solve(h, [gap], self.B, self.J @ v, self.J @ free).copy()
        return q, free + self.inverse * (self.J.T @ q)

    def work(self, q, v):
        """Work of the tangential ground forces over a step [J], and a scale for its round-off [J]."""
        u = self.J @ v
        size = float(np.linalg.norm(q[1:])) * max(1e-3, float(np.abs(u[1:]).max()))
        return float(q[1:] @ u[1:]), size


def lead(ground, h, gap, v):
    """Forces [N] on the channels of a wheel led at velocities that no force changes."""
    J = channels(ground.wheels[0].tyre.radius)
    u = J @ np.asarray(v, dtype=float)
    return ground.solve(h, [gap], 1e-10 * J @ J.T, u, u) / h


def forget(ground):
    """Reset bristles, working data and impulses of the ground to those before the first step."""
    ground.wheel_arrays.bristle.floats[:] = 0.0
    ground.wheel_arrays.now.floats[:] = 0.0
    ground.wheel_arrays.now.share[:] = 1.0
    ground.row_arrays.z[:] = 0.0
