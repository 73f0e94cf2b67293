"""Wheels on soft ground in MuJoCo: contact solve between ``mj_step1`` and ``mj_step2``."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlcp.compiled.borrowed import Borrowed
from mlcp.compiled.records import Records
from mlcp.neighbours import need

from ...kernels.wheel import layout as at
from ...terrain import Terrain
from ...wheel import WheelContact
from ..copies import Copied, HostError
from ..kernels import layout as L
from ..wheels_on_ground import WheelsOnGround
from .damping import Damping
from .floors import warn_of_floors
from .kernels.data import APPLY, START, MujocoOptions, MujocoStep, WheelBody

GROUND = L.CHECK | L.SOLVE | L.REPORT


class MujocoGround(Copied):
    """The wheels of a MuJoCo model on soft ground; ``step(data)`` instead of ``mj_step``.

    Arguments:
        model: ``MjModel``. Geoms of the wheels should have no MuJoCo contacts.
        wheels: ``WheelContact`` by the name of the hinge joint that the wheel turns on (the anchor is
            the wheel centre, the axis the spin axis), or by (body, centre, axis) in that body's axes.
        terrain: shape of the ground in world axes, a plane at z = 0 by default.
        left: the vehicle's left at ``qpos0``, world axes; opposed spin axes are reversed.
        settings: of ``WheelsOnGround``.

    The solve uses the mobility of MuJoCo's own step, which includes active equalities, limits, friction
    and contacts with MuJoCo's weights, and the damping of joints, tendons and actuators as in the
    integrator. The mobility is exact for Euler and implicitfast, and for discrete (models without
    constraint rows only); for ``implicit`` it lacks the derivative of the gyroscopic forces (error 1e-4
    measured).
    MuJoCo's own elliptic contacts are taken as sticking. ``drift`` measures the error of a step. The
    solve writes its predicted acceleration to ``qacc_warmstart``, which saves iterations of MuJoCo's
    constraint solver.

    Raises:
        ModuleNotFoundError: MuJoCo is not installed.
        HostError: a joint that is unknown or no hinge, or a model refused by ``Damping``: the integrator
            RK4, implicit forces of unknown derivative, constraint rows with the integrator discrete.

    Warns:
        HostWarning: a geom of a wheel can touch a plane or height field of the model's world.
    """

    def __init__(
        self,
        model: Any,
        wheels: Mapping[str | tuple[str, Any, Any], WheelContact],
        terrain: Terrain | None = None,
        left: tuple[float, float, float] = (0.0, 1.0, 0.0),
        **settings: Any,
    ) -> None:
        self._mj = mj = need("mujoco", "MujocoGround", "mujoco")
        self.model, self.names = model, tuple(wheels)
        self._left, self._settings = left, dict(settings)
        self.ground = WheelsOnGround(tuple(wheels.values()), terrain, **settings)
        self._damping = Damping(mj, model)
        self._find(wheels, left)
        self._share_memory()

    def made_of(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        ground = self.ground
        wheels = dict(zip(self.names, ground.contact.wheels, strict=True))
        return (self.model, wheels, ground.terrain, self._left), self._settings

    def arrays(self) -> tuple[NDArray[Any], ...]:
        return self.ground.arrays()

    def _share_memory(self) -> None:
        """Pass the addresses of the model's constants and this object's memory to the compiled step."""
        from .kernels.step import mujoco_step

        model, ground, damping = self.model, self.ground, self._damping
        n, C, terms = model.nv, at.CHANNELS * ground.count, damping.terms
        self.A, self.force, self._own = np.zeros((C, n)), np.zeros(n), np.zeros(n)
        self._damped = len(terms) > 0 or bool(damping.joints.any())
        self._options = MujocoOptions(metric=int(damping.metric), damped=int(self._damped))
        paths = [_path(model, int(wheel.last)) for wheel in self._wheels]
        freedoms = np.concatenate(paths)
        self._shared = Borrowed(MujocoStep)
        self._shared.give(
            options=self._options, ground=ground.exchange(), wheels=self._wheels, channels=self.A,
            force=self.force, own=self._own, factor=np.zeros((n, n)), response=np.zeros((n, C + 1)),
            scratch={"value": np.zeros(n), "freedom": np.zeros(n, np.int64)},
            paths={
                "at": np.cumsum([0, *map(len, paths)]), "freedom": freedoms, "all": np.unique(freedoms)
            },
        )  # fmt: skip
        if self._damped:
            self._shared.give(
                damping={
                    "joints": damping.joints,
                    "terms": terms,
                    "factor": np.zeros((n, n)),
                    "row": np.zeros(n),
                    "values": np.zeros(len(model.M_colind)),
                    "response": np.zeros((n, C + 1)),
                }
            )
        self._data, self._entry, self._shared_at = None, mujoco_step.python, self._shared.address

    def _attach(self, data: Any) -> None:
        """Pass the addresses of the arrays of an ``MjData`` that MuJoCo does not reallocate."""
        model = self.model
        host = {
            "position": data.xpos,
            "rotation": data.xmat,
            "motion": data.cdof,
            "mass": _sparse(data.M, model.M_rownnz, model.M_rowadr, model.M_colind),
            "root_centre": data.subtree_com,
            "velocity": data.qvel,
            "smooth": data.qfrc_smooth,
            "last": data.qacc_warmstart,
            "applied": data.qfrc_applied,
        }
        self._shared.give(host=host, damping={"force": data.actuator_force})
        if len(self._damping.terms) or self._damping.metric:
            tendons = data.ten_J, model.ten_J_rownnz, model.ten_J_rowadr, model.ten_J_colind
            moments = (data.actuator_moment, data.moment_rownnz, data.moment_rowadr, data.moment_colind)
            self._shared.give(tendons=_sparse(*tendons), actuators=_sparse(*moments))
        self._data, self._applied, self._rows = data, data.qfrc_applied, None
        self._put_back = self._applied.ctypes.data, self._own.ctypes.data, self._own.nbytes

    def _attach_rows(self, data: Any) -> None:
        """Pass the addresses of the constraint rows, which change with their number, to the step."""
        count, n = data.nefc, self.model.nv
        self._options.rows = count
        if not count:
            return
        if self._mj.mj_isSparse(self.model):
            pattern = data.efc_J_rownnz, data.efc_J_rowadr, data.efc_J_colind
        else:
            whole = np.full(count, n, np.int32)
            pattern = (
                whole,
                n * np.arange(count, dtype=np.int32),
                np.tile(np.arange(n, dtype=np.int32), count),
            )
        self._shared.give(
            equations={
                "jacobian": _sparse(data.efc_J, *pattern),
                "weight": data.efc_D,
                "goal": data.efc_aref,
                "friction": data.efc_frictionloss,
                "kind": data.efc_type,
            }
        )

    def _attach_metric(self, data: Any) -> None:
        """Pass the addresses of the implicit terms of the integrator ``discrete``, which change in
        every step."""
        if data.nefmK or data.nefmcon:
            raise HostError(
                "MujocoGround: flexible bodies and contacts that the integrator discrete takes "
                "implicitly are unknown to us; use implicitfast"
            )
        self._shared.give(
            metric={
                "diagonal": data.efm_diag,
                "force": data.efm_c,
                "scale": data.efm_ts,
                "tendon": data.efm_tid[: data.nefmT],
            }
        )

    def _find(self, wheels: Any, left: tuple[float, float, float]) -> None:
        """Find each wheel's body, last freedom and root body, and centre and spin axis in its body."""
        mj, model = self._mj, self.model
        spare = mj.MjData(model)
        mj.mj_kinematics(model, spare)
        self._wheels = Records.of(WheelBody, self.ground.count)
        for i, key in enumerate(wheels):
            if isinstance(key, str):
                joint = mj.mj_name2id(model, mj.mjtObj.mjOBJ_JOINT, key)
                if joint < 0:
                    known = ", ".join(model.joint(k).name for k in range(model.njnt))
                    raise HostError(f"MujocoGround: no joint {key!r} in the model (joints: {known})")
                if model.jnt_type[joint] != int(mj.mjtJoint.mjJNT_HINGE):
                    raise HostError(f"MujocoGround: joint {key!r} must be a hinge, the wheel's axle")
                body = int(model.jnt_bodyid[joint])
                centre, axis = model.jnt_pos[joint], model.jnt_axis[joint]
            else:
                name, centre, axis = key
                body = mj.mj_name2id(model, mj.mjtObj.mjOBJ_BODY, name)
                if body < 0:
                    known = ", ".join(model.body(k).name for k in range(1, model.nbody))
                    raise HostError(f"MujocoGround: no body {name!r} in the model (bodies: {known})")
            axis = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
            if spare.xmat[body].reshape(3, 3) @ axis @ np.asarray(left) < 0.0:
                axis = -axis
            moving = body
            while moving and not model.body_dofnum[moving]:
                moving = int(model.body_parentid[moving])
            if not moving:
                raise HostError(f"MujocoGround: the wheel {key!r} cannot move in this model")
            wheel = self._wheels[i]
            wheel.body, wheel.root = body, model.body_rootid[body]
            wheel.last = model.body_dofadr[moving] + model.body_dofnum[moving] - 1
            wheel.centre, wheel.axis = centre, axis
        bodies = (int(wheel.body) for wheel in self._wheels)
        warn_of_floors(mj, model, zip(wheels, bodies, strict=True))

    def step(self, data: Any) -> NDArray[np.float64]:
        """Do one step of the host with the ground's forces; return the wheels' wrenches (W, 6).

        Forces that the user has in ``qfrc_applied`` and ``xfrc_applied`` act as in ``mj_step``.

        Raises:
            HostError: see ``WheelsOnGround.solve``; positions, velocities and time are untouched then.
        """
        mj, model = self._mj, self.model
        mj.mj_step1(model, data)
        self.solve(data, GROUND | APPLY | START)
        mj.mj_step2(model, data)
        ctypes.memmove(*self._put_back)
        return self.ground.wrench

    def solve(self, data: Any, stages: int = GROUND) -> NDArray[np.float64]:
        """Return the ground's generalised force [N, N m], (nv,), for ``data`` after ``mj_step1``.

        With ``stages`` that lack SOLVE only the solve's inputs are computed: gaps, contact Jacobian
        ``A``, mobility, velocities.
        """
        mj, model = self._mj, self.model
        if data is not self._data:
            self._attach(data)
        if model.nu:
            mj.mj_fwdActuation(model, data)
        mj.mj_fwdAcceleration(model, data)
        return self._run(data, stages)

    def _run(self, data: Any, stages: int = GROUND) -> NDArray[np.float64]:
        """Run the compiled part on MuJoCo's arrays of this step."""
        ground, rows = self.ground, data.nefc
        # MuJoCo allocates its constraint rows anew in every step; the numbers in ``layout`` determine
        # their places in memory, so the views of the last step stay valid while the numbers are equal
        layout = (rows, data.ncon, data.nJ, data.parena) if rows else rows
        if layout != self._rows:
            self._attach_rows(data)
            self._rows = layout
        if self._damping.metric:
            self._attach_metric(data)
        ground.step[0] = h = self.model.opt.timestep
        wanted = stages if ground.compiled else L.CHECK
        code = self._entry(self._shared_at, wanted)
        if code != L.DONE:
            raise HostError(self._sentence(code))
        if ground.compiled and stages & L.SOLVE:
            ground.count_step()
        if not ground.compiled and stages & L.SOLVE:
            ground.call(h, L.SOLVE | L.REPORT)
            np.matmul(ground.impulses / h, self.A, out=self.force)
            if stages & APPLY:
                self._own[:] = self._applied
                self._applied += self.force
        return self.force

    def _sentence(self, code: int) -> str:
        if code < 100:
            return self.ground.sentence(code)
        return (
            f"MujocoGround: the mass matrix is not positive definite at freedom {code - 100}; give that "
            "joint's body mass and inertia, or the joint armature"
        )

    def drift(self, data: Any) -> float:
        """Return the largest |A v+ - u+| [m/s] after a step, the difference between the contact
        velocities of MuJoCo (Jacobian A) and of the solve; it is round-off if the mobility is exact."""
        return float(np.abs(self.A @ data.qvel - self.ground.u_end).max())


def _sparse(values: Any, count: Any, first: Any, column: Any) -> dict[str, Any]:
    """Arrays of a sparse matrix by the names of the fields of ``Sparse``."""
    return {"values": values, "count": count, "first": first, "column": column}


def _path(model: Any, freedom: int) -> list[int]:
    """Freedoms from ``freedom`` to the root of its tree."""
    found = []
    while freedom >= 0:
        found.append(freedom)
        freedom = int(model.dof_parentid[freedom])
    return found
