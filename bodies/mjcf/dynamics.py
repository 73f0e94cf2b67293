"""Initial speeds and inverse inertias in MuJoCo's tree of bodies, computed without MuJoCo."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..body import GROUND
from ..joints import Motor
from ..memory.workspace import Workspace
from ..model import Model
from .geometry import Geometry
from .nodes import Node, armatures, columns


class TreeDynamics:
    """Jacobians and inverse inertia of the tree in the initial pose, without loop constraints.

    Attributes:
        speeds: generalised speeds of the initial state in MuJoCo's order.
    """

    def __init__(self, nodes: list[Node], geometry: Geometry) -> None:
        twist = consistent_twists(geometry.model)
        unit = columns(nodes, geometry)
        nv = len(unit)
        parent = {n.name: n.parent for n in nodes}
        self._jacobian = {}
        M = np.zeros((nv, nv))
        own = {n.name: [k for k, u in enumerate(unit) if u[0] == n.name] for n in nodes}
        for node in nodes:
            J, name = np.zeros((6, nv)), node.name
            while name != GROUND:
                for k in own[name]:
                    _, turn, at_origin = unit[k]
                    J[:3, k] = at_origin + np.cross(turn, geometry.position[node.body])
                    J[3:, k] = turn
                name = parent[name]
            self._jacobian[node.name] = J
            body, R = geometry.body[node.body], geometry.rotation[node.body]
            mass = np.zeros((6, 6))
            mass[:3, :3] = node.fraction * body.mass * np.eye(3)
            mass[3:, 3:] = node.fraction * R @ body.inertia_array @ R.T
            M += J.T @ mass @ J
        M += np.diag(armatures(nodes, geometry))
        self._inverse = np.linalg.inv(M) if nv else M
        self.speeds = np.zeros(nv)
        for node in nodes:
            J, k = self._jacobian[node.name], own[node.name]
            rest = twist[node.body] - J @ self.speeds
            if k:
                self.speeds[k] = np.linalg.lstsq(J[:, k], rest, rcond=None)[0]

    def inverse_weight(self, body: str) -> float:
        """Mean translational inverse inertia of a body [1/kg], MuJoCo's ``body_invweight0``."""
        if body == GROUND:
            return 0.0
        J: Any = self._jacobian[body][:3]
        return float(np.trace(J @ self._inverse @ J.T)) / 3.0


def consistent_twists(model: Model) -> dict[str, np.ndarray]:
    """Initial velocities of each body, (6,) [m/s, rad/s], projected onto the constraints of joints and
    gears.

    They are ``v - M^-1 J' (J M^-1 J')^+ J v``, the velocities after a first step without forces; v:
    velocities of the model, J: Jacobian of the rows, M: mass matrix, ^+: pseudo-inverse.
    """
    work = Workspace(model)
    work.stage("detect", "assemble")
    J, _ = model.structure.dense_rows(work.machine.jacobian[: model.structure.jac_size])
    elements = (*model.joint_order, *model.coupling_order)
    soft = {each.name for each in elements if each.compliant or isinstance(each, Motor)}
    keep = [
        k for name, (first, n) in model.rows.items() if name not in soft for k in range(first, first + n)
    ]
    J = J[keep]
    v = work.machine.velocity[: 6 * len(model.body_index)].copy()
    if keep and np.max(np.abs(J @ v)) > 1e-12:
        blocks = work.machine.mass_block.reshape(-1, 6, 6)
        root = [np.linalg.inv(np.linalg.cholesky(block)).T for block in blocks]
        scaled = np.hstack([J[:, 6 * k : 6 * k + 6] @ r for k, r in enumerate(root)])
        change = np.linalg.lstsq(scaled, J @ v, rcond=1e-10)[0]
        v -= np.concatenate([r @ change[6 * k : 6 * k + 6] for k, r in enumerate(root)])
    return dict(zip(model.body_index, v.reshape(-1, 6), strict=True))
