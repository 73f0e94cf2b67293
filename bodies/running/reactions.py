"""Joint reactions from the impulses of the last step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..frames import quaternion_matrix
from ..memory.workspace import Workspace
from ..model import lookup


@dataclass(frozen=True)
class Reaction:
    """Forces and moments of a joint on its bodies in the last step, world axes.

    The forces and moments refer to the pose at the start of the step, where the Jacobian is evaluated:
    the sum of all forces on a body is ``M (v+ - v)/h`` to round-off; M: mass; v, v+: velocity at the
    start and the end of the step; h: step length.

    Attributes:
        force_a, force_b: mean forces on body_a and body_b in the step [N].
        moment_a, moment_b: mean moments on body_a and body_b about their centres of mass [N m]; on the
            ground about the origin.
        torque_b: mean moment on body_b about the joint point of body_b [N m]; zero about every free
            axis.
    """

    force_a: np.ndarray
    force_b: np.ndarray
    moment_a: np.ndarray
    moment_b: np.ndarray
    torque_b: np.ndarray


def reaction(work: Workspace, name: str) -> Reaction:
    """Reaction of the joint ``name`` in the last step: ``J' p / h`` (J: Jacobian of its rows, p: their
    impulses, h: step length).

    Raises:
        UnknownName: no joint of that name; with the nearest names.
    """
    model = work.model
    names = {j.name: k for k, j in enumerate(model.joint_order)}
    k = lookup(names, f"model {model.mechanism.name!r}: joint", name)
    joint = work.machine.joints[k]
    a, b, row = joint.ends.a, joint.ends.b, joint.row
    n = model.rows[name][1]
    h = work.machine.clock.step
    p = work.machine.impulse[row : row + n] / h
    J = work.machine.jacobian
    nb = work.machine.count.bodies

    def wrench(body: int, start: int) -> np.ndarray:
        return J[start : start + 6 * n].reshape(n, 6).T @ p if body < nb else np.zeros(6)

    wa, wb = wrench(a, joint.jac_a), wrench(b, joint.jac_b)
    x = work.machine.position_start.reshape(-1, 3)
    arm = joint.ends.point_b
    if b < nb:
        arm = quaternion_matrix(work.machine.quaternion_start[4 * b : 4 * b + 4]) @ arm
    if a == nb:  # body_a is the ground: the opposite of the force on body_b
        wa = -np.concatenate([wb[:3], wb[3:] + np.cross(x[b], wb[:3])])
    if b == nb:
        wb = -np.concatenate([wa[:3], wa[3:] + np.cross(x[a], wa[:3])])
    return Reaction(wa[:3], wb[:3], wa[3:], wb[3:], wb[3:] - np.cross(arm, wb[:3]))
