"""Reference time step of jointed bodies, slow and simple: dense matrices, finite-difference Jacobians.

Independent of ``bodies``: joints are error functions of the poses, their Jacobians come from
central differences, and one dense linear system gives velocities and impulses.
"""

import numpy as np


def skew(a):
    """Skew-symmetric matrix [a] of a vector a: [a] b = a x b."""
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0.0]])


def rotation(r):
    """Rotation matrix of a rotation vector (Rodrigues)."""
    angle = np.linalg.norm(r)
    if angle < 1e-12:
        return np.eye(3) + skew(r)
    k = skew(r / angle)
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


class World:
    """Bodies as dicts, joints as error functions of poses.

    Keys of a body: mass, inertia (in body axes), position x, rotation R, velocity v, angular velocity w.
    """

    def __init__(self, bodies, errors, gravity):
        self.bodies, self.errors, self.gravity = bodies, errors, np.array(gravity, float)

    def error(self):
        return np.concatenate([e(self.bodies) for e in self.errors])

    def moved(self, twist, scale):
        """Move poses by ``scale`` times a twist (translation, rotation vector); return the old poses."""
        old = [(b["x"], b["R"]) for b in self.bodies]
        for k, b in enumerate(self.bodies):
            t = scale * twist[6 * k : 6 * k + 6]
            b["x"], b["R"] = b["x"] + t[:3], rotation(t[3:]) @ b["R"]
        return old

    def back(self, old):
        for b, (x, R) in zip(self.bodies, old, strict=True):
            b["x"], b["R"] = x, R

    def jacobian(self, eps=1e-6):
        columns = []
        for k in range(6 * len(self.bodies)):
            unit = np.zeros(6 * len(self.bodies))
            unit[k] = 1.0
            values = []
            for sign in (1, -1):
                old = self.moved(unit, sign * eps)
                values.append(self.error())
                self.back(old)
            columns.append((values[0] - values[1]) / (2 * eps))
        return np.array(columns).T

    def step(self, h):
        """Take a step of h [s]: semi-implicit Euler with one SHAKE projection of the joint errors.

        Gyroscopic torque: one Newton step of the midpoint rule.
        """
        n = 6 * len(self.bodies)
        M, rhs = np.zeros((n, n)), np.zeros(n)
        for k, b in enumerate(self.bodies):
            inertia = b["R"] @ b["inertia"] @ b["R"].T
            M[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = b["mass"] * np.eye(3)
            M[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = inertia
            w, momentum = b["w"], inertia @ b["w"]
            y = np.linalg.solve(
                inertia + 0.5 * h * (skew(w) @ inertia - skew(momentum)), h * np.cross(w, momentum)
            )
            rhs[6 * k : 6 * k + 3] = b["mass"] * (b["v"] + h * self.gravity)
            rhs[6 * k + 3 : 6 * k + 6] = momentum - inertia @ y
        J = self.jacobian()
        m = len(J)
        K = np.block([[M, J.T], [J, np.zeros((m, m))]])
        v = np.linalg.lstsq(K, np.concatenate([rhs, np.zeros(m)]), rcond=1e-12)[0][:n]
        self.moved(v, h)
        dq = np.linalg.lstsq(K, np.concatenate([np.zeros(n), -self.error()]), rcond=1e-12)[0][:n]
        self.moved(dq, 1.0)
        v = v + dq / h
        for k, b in enumerate(self.bodies):
            b["v"], b["w"] = v[6 * k : 6 * k + 3], v[6 * k + 3 : 6 * k + 6]


def point_error(a, b, sa, sb):
    """Error function: vector from a point of body a (None: ground) to a point of body b."""

    def error(bodies):
        first = sa if a is None else bodies[a]["x"] + bodies[a]["R"] @ sa
        return bodies[b]["x"] + bodies[b]["R"] @ sb - first

    return error


def axis_error(a, b, axis_a, axis_b):
    """Error function: two components, perpendicular to axis_a, of axis_a x axis_b; zero if parallel."""

    def error(bodies):
        u = axis_a if a is None else bodies[a]["R"] @ axis_a
        c = np.cross(u, bodies[b]["R"] @ axis_b)
        t = np.cross(axis_a, [1.0, 0, 0] if abs(axis_a[0]) < 0.9 else [0, 1.0, 0])
        t /= np.linalg.norm(t)
        s = np.cross(axis_a, t)
        if a is not None:
            t, s = bodies[a]["R"] @ t, bodies[a]["R"] @ s
        return np.array([t @ c, s @ c])

    return error
