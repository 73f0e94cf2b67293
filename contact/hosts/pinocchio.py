"""Wheels on soil in a semi-implicit Euler step with Pinocchio's dynamics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.neighbours import need

from ..terrain import Terrain
from ..wheel import WheelContact
from .copies import Copied, HostError
from .generic import GenericHost, accelerations
from .wheels_on_ground import WheelsOnGround


class PinocchioGround(Copied):
    """A Pinocchio model with wheels on soil.

    One step solves ``(M + h D) (v+ - v) = h (tau - nle(q, v) - D v) + A' q_ground``, with bilateral
    rows ``E v+ = 0`` of closed loops, and ends at ``q+ = integrate(q, h v+)``. M: mass matrix; h: step
    length; tau: generalised forces; nle: Pinocchio's nonlinear effects; A: contact Jacobian; q_ground:
    contact impulses.

    Arguments:
        model: ``pinocchio.Model``; its ``damping`` D is implicit.
        wheels: ``WheelContact`` by the name of the wheel's revolute joint, whose origin must be the
            wheel centre.
        terrain: shape of the ground in world axes, a plane at z = 0 by default.
        constraints: number of bilateral rows in ``step``.
        left: the vehicle's left at the neutral configuration, world axes; opposed axes are reversed.
        settings: of ``WheelsOnGround``.

    Raises:
        ModuleNotFoundError: Pinocchio is not installed. HostError: an unknown or not revolute joint.
    """

    def __init__(
        self,
        model: Any,
        wheels: Mapping[str, WheelContact],
        terrain: Terrain | None = None,
        constraints: int = 0,
        left: tuple[float, float, float] = (0.0, 1.0, 0.0),
        **settings: Any,
    ) -> None:
        self._pin = pin = need("pinocchio", "PinocchioGround", "pinocchio")
        self.model, self.data = model, model.createData()
        self.ground = WheelsOnGround(tuple(wheels.values()), terrain, **settings)
        self.host = GenericHost(self.ground, model.nv, constraints)
        self._names, self._left, self._settings = tuple(wheels), left, dict(settings)
        self._damping = np.array(model.damping).ravel()
        self._joints, self._signs = [], np.ones(self.ground.count)
        self._diagonal = self.host.M.reshape(-1)[:: model.nv + 1]  # a view of M's diagonal
        self._frame = pin.LOCAL_WORLD_ALIGNED
        pin.computeJointJacobians(model, self.data, pin.neutral(model))
        for i, name in enumerate(wheels):
            if not model.existJointName(name):
                known = ", ".join(list(model.names)[1:])
                raise HostError(f"PinocchioGround: no joint {name!r} in the model (joints: {known})")
            joint = model.getJointId(name)
            if model.nvs[joint] != 1:
                raise HostError(f"PinocchioGround: joint {name!r} must be revolute, the wheel's axle")
            self._joints.append((joint, model.idx_vs[joint]))
            if self._spin_axis(i) @ np.asarray(left) < 0.0:
                self._signs[i] = -1.0

    def made_of(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        ground = self.ground
        wheels = dict(zip(self._names, ground.contact.wheels, strict=True))
        return (self.model, wheels, ground.terrain, self.host.constraints, self._left), self._settings

    def arrays(self) -> tuple[NDArray[Any], ...]:
        return *self.ground.arrays(), *self.host.arrays()

    def _spin_axis(self, i: int) -> NDArray[np.float64]:
        joint, freedom = self._joints[i]
        J = self.host.J[6 * i : 6 * i + 6]
        found = self._pin.getJointJacobian(self.model, self.data, joint, self._frame)
        J[...] = found if found.ndim == 2 else found[:, None]  # a model with one freedom: shape (6,)
        return self._signs[i] * J[3:, freedom]

    def free(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, step: float) -> NDArray[np.float64]:
        """Velocities at the end of the step without ground and constraints; also sets ``host.M``."""
        pin, model, data = self._pin, self.model, self.data
        pin.computeJointJacobians(model, data, q)
        M = self.host.M
        M[:] = pin.crba(model, data, q)
        M[:] = np.triu(M) + np.triu(M, 1).T
        v = np.asarray(v, float)
        force = np.asarray(tau, float) - pin.nonLinearEffects(model, data, q, v) - self._damping * v
        M[np.diag_indices_from(M)] += step * self._damping
        return v + step * accelerations(M, force)

    def step(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, step: float, E: ArrayLike | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Do one step from (q, v) under generalised forces tau; return new arrays (q+, v+).

        Arguments:
            q (nq,), v (nv,), tau (nv,): as in Pinocchio. step: step length h [s].
            E: rows of closed loops, (constraints, nv), from ``pin.getConstraintsJacobian``.

        Raises:
            HostError: see ``GenericHost.solve``; the object is unchanged.
        """
        pin, model, data, host, ground = self._pin, self.model, self.data, self.host, self.ground
        v = np.asarray(v, dtype=float)
        if E is not None:
            E, v_free = np.asarray(E, dtype=float), self.free(q, v, tau, step)
            Y = np.linalg.solve(host.M, E.T)
            v_free -= Y @ np.linalg.lstsq(E @ Y, E @ v_free, rcond=None)[0]
        else:
            pin.computeJointJacobians(model, data, q)
            host.M[...] = pin.crba(model, data, q).T  # Pinocchio fills the upper triangle
            self._diagonal += step * self._damping
            host.v[...] = v
            host.force[...] = tau - pin.nonLinearEffects(model, data, q, v) - self._damping * v
        for i, (joint, _) in enumerate(self._joints):
            ground.axis[i] = self._spin_axis(i)
            ground.position[i] = data.oMi[joint].translation
        if E is None:
            change = host.call(step, by_force=True)
            v_free = host.v_free
        else:
            place = ground.position, ground.axis
            change = host.solve(step, *place, host.J, host.M, v, v_free, E)
        v_end = v_free + change
        return pin.integrate(model, np.asarray(q, dtype=float), step * v_end), v_end
