"""Joint reactions from the impulses of the last step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .kernels import layout as L
from .model import lookup
from .workspace import Workspace


@dataclass(frozen=True)
class Reaction:
    """What a joint did to its bodies in the last step, world axes.

    Attributes:
        force_a, force_b: mean force on body_a and body_b over the step [N].
        moment_a, moment_b: mean moment about the centre of mass of body_a and body_b [N m]; for
            the ground about the origin.
        torque_b: moment on body_b about the joint point [N m].
    """

    force_a: np.ndarray
    force_b: np.ndarray
    moment_a: np.ndarray
    moment_b: np.ndarray
    torque_b: np.ndarray


def reaction(work: Workspace, name: str) -> Reaction:
    """Reaction of the joint ``name``: ``J' p / h`` along the Jacobian of the last step.

    Raises:
        UnknownName: no joint of that name, with the nearest.
    """
    model = work.model
    names = {j.name: k for k, j in enumerate(model.joint_order)}
    k = lookup(names, f"model {model.mechanism.name!r}: joint", name)
    _, a, b, ja, jb, row = work.i(L.JOINT_I)[6 * k : 6 * k + 6]
    n = model.rows[name][1]
    h = work.f(L.SCALAR)[L.STEP]
    p = work.f(L.IMPULSE)[row : row + n] / h
    J, R = work.f(L.JACOBIAN), work.f(L.ROTATION).reshape(-1, 3, 3)
    nb = work.i(L.COUNT_I)[L.BODIES]

    def wrench(body: int, start: int) -> np.ndarray:
        return J[start : start + 6 * n].reshape(n, 6).T @ p if body < nb else np.zeros(6)

    wa, wb = wrench(a, ja), wrench(b, jb)
    x = work.f(L.POSITION).reshape(-1, 3)
    data = work.f(L.JOINT_DATA)[36 * k : 36 * k + 36]
    point = x[b] + R[b] @ data[3:6] if b < nb else data[3:6]
    if a == nb:  # the ground takes the opposite of the other side
        wa = -np.concatenate([wb[:3], wb[3:] + np.cross(x[b], wb[:3])])
    if b == nb:
        wb = -np.concatenate([wa[:3], wa[3:] + np.cross(x[a], wa[:3])])
    arm = point - x[b] if b < nb else point
    return Reaction(wa[:3], wb[:3], wa[3:], wb[3:], wb[3:] - np.cross(arm, wb[:3]))
