"""Wheels on soft ground in MuJoCo: the contact solve inside ``mj_step``, and a plain callback."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels import layout as at
from ..terrain import Terrain
from ..wheel import WheelContact
from .kernels import layout as L
from .wheels_on_ground import HostError, WheelsOnGround

_GROUND = L.CHECK | L.SOLVE | L.REPORT


def _module() -> Any:
    try:
        import mujoco
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "this adapter needs MuJoCo: pip install 'wheelground[mujoco]'"
        ) from None
    return mujoco


class MujocoGround:
    """The wheels of a MuJoCo model on soft ground; ``step(data)`` instead of ``mj_step``.

    Arguments:
        model: ``MjModel``. Geoms of the wheels should have no contacts of their own.
        wheels: ``WheelContact`` by the name of the hinge joint that the wheel turns on. The joint's
            anchor is the wheel centre, its axis the spin axis.
        terrain: shape of the ground in world axes, a plane at z = 0 by default.
        left: world direction at ``qpos0`` that counts as left; an axis that points the other way is
            turned round.
        settings: of ``WheelsOnGround``.

    The solve sees the mobility of MuJoCo's own step: active equalities, limits, friction and
    contacts as it weighs them, and joint damping as its integrator takes it. Exact for Euler,
    implicitfast and discrete with joint dampers, springs and equalities; for ``implicit`` up to its
    derivative of the gyroscopic forces; velocity feedback of actuators and tendons is left out.
    ``drift`` says how far the host moved from what the solve expected, [m/s], step by step.

    Raises:
        ModuleNotFoundError: MuJoCo is not installed. HostError: a joint that is unknown or no hinge,
        the integrator RK4.
    """

    def __init__(
        self,
        model: Any,
        wheels: Mapping[str, WheelContact],
        terrain: Terrain | None = None,
        left: tuple[float, float, float] = (0.0, 1.0, 0.0),
        **settings: Any,
    ) -> None:
        self._mj = mj = _module()
        self.model, self.names = model, tuple(wheels)
        self.ground = WheelsOnGround(tuple(wheels.values()), terrain, **settings)
        integrator = int(model.opt.integrator)
        if integrator == int(mj.mjtIntegrator.mjINT_RK4):
            raise HostError("MujocoGround: the integrator RK4 has no single step to solve in; use Euler")
        self._merged = int(integrator == getattr(mj.mjtIntegrator, "mjINT_DISCRETE", -1))
        self._find(left)
        n, C = model.nv, at.CHANNELS * self.ground.count
        self.A, self.response = np.zeros((C, n)), np.zeros((n, C + 1))
        self._work = [np.zeros((n, n)), np.zeros((n, n)), self.response, np.zeros((n, C + 1))]
        self._own, self._applied, self.v_free = np.zeros(n), np.zeros(n), np.zeros(n)
        self._none = np.zeros(0, dtype=np.int32)
        self._damping = np.ascontiguousarray(model.dof_damping.ravel())
        self._stiffness = np.zeros(n)
        for joint in range(model.njnt):  # slides and hinges; a ball's spring has no single freedom
            if model.jnt_type[joint] >= int(mj.mjtJoint.mjJNT_SLIDE):
                self._stiffness[model.jnt_dofadr[joint]] = np.ravel(model.jnt_stiffness)[joint]

    def _find(self, left: tuple[float, float, float]) -> None:
        mj, model = self._mj, self.model
        spare = mj.MjData(model)
        mj.mj_kinematics(model, spare)
        self._wheels = np.zeros((self.ground.count, 3), dtype=np.int64)
        self._signs = np.ones((self.ground.count, 1))
        for i, name in enumerate(self.names):
            joint = mj.mj_name2id(model, mj.mjtObj.mjOBJ_JOINT, name)
            if joint < 0:
                known = ", ".join(model.joint(k).name for k in range(model.njnt))
                raise HostError(f"MujocoGround: no joint {name!r} in the model (joints: {known})")
            if model.jnt_type[joint] != int(mj.mjtJoint.mjJNT_HINGE):
                raise HostError(f"MujocoGround: joint {name!r} must be a hinge, the wheel's axle")
            body = model.jnt_bodyid[joint]
            last = model.body_dofadr[body] + model.body_dofnum[body] - 1
            self._wheels[i] = joint, last, model.body_rootid[body]
            self._signs[i] = -1.0 if spare.xaxis[joint] @ np.asarray(left) < 0.0 else 1.0
        self._joints = self._wheels[:, 0].copy()

    def step(self, data: Any) -> NDArray[np.float64]:
        """One step of the host with the ground in it; returns the wheels' wrenches (W, 6).

        Forces that the user has in ``qfrc_applied`` and ``xfrc_applied`` act as in ``mj_step``.

        Raises:
            HostError: see ``WheelsOnGround.solve``; positions, velocities and time are untouched then.
        """
        mj, model = self._mj, self.model
        mj.mj_step1(model, data)
        self.solve(data)
        own = data.qfrc_applied
        self._own[:] = own
        own += self._applied
        mj.mj_step2(model, data)
        own[:] = self._own
        return self.ground.wrench

    def solve(self, data: Any) -> NDArray[np.float64]:
        """The ground's generalised force [N, N m], (nv,), for a ``data`` that is after ``mj_step1``."""
        from .kernels import mujoco as kernels

        mj, model, ground = self._mj, self.model, self.ground
        h = model.opt.timestep
        if model.nu:
            mj.mj_fwdActuation(model, data)
        mj.mj_fwdAcceleration(model, data)
        ground.position[:] = data.xanchor[self._joints]
        ground.axis[:] = data.xaxis[self._joints] * self._signs
        ground.call(h, L.DETECT)
        sparse = mj.mj_isSparse(model) if data.nefc else False
        none = self._none
        code = kernels.prepare(
            h, self._merged, self._damping, self._stiffness, ground.map, self._wheels, data.xanchor,
            data.cdof, data.subtree_com, model.dof_parentid, data.M, model.M_rownnz, model.M_rowadr,
            model.M_colind, data.qvel, data.qfrc_smooth, data.qacc_warmstart, data.efc_type,
            data.efc_J.reshape(-1), data.efc_J_rownnz if sparse else none,
            data.efc_J_rowadr if sparse else none, data.efc_J_colind if sparse else none,
            data.efc_D, data.efc_aref, data.efc_frictionloss, self.A, *self._work, self.v_free,
            ground.B, ground.u, ground.u_free,
        )  # fmt: skip
        if code >= 0:
            raise HostError(
                f"MujocoGround: the mass matrix is not positive definite at freedom {code}; give that "
                "joint's body mass and inertia, or the joint armature"
            )
        ground.call(h, _GROUND)
        self._applied[:] = 0.0
        kernels.push(h, self.A, ground.impulses, self._applied)
        return self._applied

    def drift(self, data: Any) -> float:
        """Largest |A v+ - u+| [m/s] after ``step``: host against solve; round-off when it is exact."""
        return float(np.abs(self.A @ data.qvel - self.ground.u_end).max())
