"""Numbers that MuJoCo computes of a tree and that the export has to know beforehand."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..body import GROUND
from .geometry import Geometry
from .nodes import Node, columns


class TreeDynamics:
    """Jacobians and inverse inertia of the tree in the initial pose, loops open.

    Attributes:
        speeds: generalised speeds of the initial state in MuJoCo's order.
        misfit: largest difference between a body's described velocity and what the tree's joints
            allow [m/s, rad/s].
    """

    def __init__(self, nodes: list[Node], geometry: Geometry) -> None:
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
            mass[:3, :3] = node.share * body.mass * np.eye(3)
            mass[3:, 3:] = node.share * R @ body.inertia_array @ R.T
            M += J.T @ mass @ J
        self._inverse = np.linalg.inv(M) if nv else M
        self.speeds, self.misfit = np.zeros(nv), 0.0
        for node in nodes:
            J, k = self._jacobian[node.name], own[node.name]
            rest = geometry.twist[node.body] - J @ self.speeds
            if k:
                self.speeds[k] = np.linalg.lstsq(J[:, k], rest, rcond=None)[0]
                rest = rest - J[:, k] @ self.speeds[k]
            self.misfit = max(self.misfit, float(np.max(np.abs(rest))))

    def inverse_weight(self, body: str) -> float:
        """Mean translational inverse inertia of a body [1/kg], MuJoCo's ``body_invweight0``."""
        if body == GROUND:
            return 0.0
        J: Any = self._jacobian[body][:3]
        return float(np.trace(J @ self._inverse @ J.T)) / 3.0
