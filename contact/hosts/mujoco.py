"""Wheels on soft ground in MuJoCo: the contact solve inside ``mj_step``, and a plain callback."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels import layout as at
from ..terrain import Terrain
from ..wheel import WheelContact
from .copies import Copied, HostError
from .kernels import layout as L
from .kernels import mujoco_layout as K
from .mujoco_damping import Damping
from .mujoco_plan import Plan
from .need import need
from .wheels_on_ground import WheelsOnGround

_GROUND = L.CHECK | L.SOLVE | L.REPORT


class MujocoGround(Copied):
    """The wheels of a MuJoCo model on soft ground; ``step(data)`` instead of ``mj_step``.

    Arguments:
        model: ``MjModel``. Geoms of the wheels should have no contacts of their own.
        wheels: ``WheelContact`` by the name of the hinge joint that the wheel turns on (the anchor is
            the wheel centre, the axis the spin axis), or by (body, centre, axis) in that body's axes.
        terrain: shape of the ground in world axes, a plane at z = 0 by default.
        left: world direction at ``qpos0`` that counts as left; an axis that points the other way is
            turned round.
        settings: of ``WheelsOnGround``.

    The solve sees the mobility of MuJoCo's own step: active equalities, limits, friction and
    contacts as it weighs them, and the damping of joints, tendons and actuators as its integrator
    takes it. Exact for Euler and implicitfast, and for discrete, which models without constraint rows
    can use; for ``implicit`` up to its derivative of the
    gyroscopic forces (1e-4 measured); elliptic contacts of the host count as sticking.
    ``drift`` says how far the host moved from what the solve expected, [m/s], step by step. Once
    solved, ``qacc_warmstart`` is the acceleration that the solve expects, which saves MuJoCo's
    constraint solver its iterations.

    Raises:
        ModuleNotFoundError: MuJoCo is not installed. HostError: a joint that is unknown or no hinge,
        the integrator RK4, or forces whose implicit derivative is unknown (``Damping``).
    """

    def __init__(
        self,
        model: Any,
        wheels: Mapping[str | tuple[str, Any, Any], WheelContact],
        terrain: Terrain | None = None,
        left: tuple[float, float, float] = (0.0, 1.0, 0.0),
        **settings: Any,
    ) -> None:
        self._mj = mj = need("mujoco")
        self.model, self.names = model, tuple(wheels)
        self._left, self._settings = left, dict(settings)
        self.ground = WheelsOnGround(tuple(wheels.values()), terrain, **settings)
        self._damping = Damping(mj, model)
        self._find(wheels, left)
        self._hand_over()

    def made_of(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Arguments and settings that make another."""
        ground = self.ground
        wheels = dict(zip(self.names, ground.contact.wheels, strict=True))
        return (self.model, wheels, ground.terrain, self._left), self._settings

    def held(self) -> tuple[Any, ...]:
        """What the ground's arrays hold, and which places have been seen to matter."""
        return self.ground.held(), self.plan.rows.copy(), self.plan.dampers.copy()

    def fill(self, held: tuple[Any, ...]) -> None:
        """Take over what another's arrays held."""
        self.ground.fill(held[0])
        self.plan.rows[...], self.plan.dampers[...] = held[1:]
        self.plan.hand_over(self.handed)
        self.handed[K.FRESH] = 1

    def _hand_over(self) -> None:
        """Addresses of the model's constants and of our own memory, for the compiled step."""
        from .kernels import entry
        from .kernels import mujoco as compiled

        model, ground, damping = self.model, self.ground, self._damping
        n, C = model.nv, at.CHANNELS * ground.count
        self.A, self.force, self._own = np.zeros((C, n)), np.zeros(n), np.zeros(n)
        self.handed = np.zeros(K.HANDED, dtype=np.int64)
        terms, rows = damping.arrays()
        self._keep = (damping.joints, terms, rows)
        for place, value in {
            K.FREEDOMS: n, K.BODIES: model.nbody, K.COUNT: ground.count, K.TERMS: len(terms),
            K.DAMPED: int(len(terms) > 0 or damping.joints.any()), K.GROUND: entry.address(),
            K.M_SIZE: model.M_colind.size, K.METRIC: int(damping.metric),
        }.items():  # fmt: skip
            self.handed[place] = value
        self._hand({
            K.FLOATS: ground.floats, K.INTS: ground.ints, K.DAMPING: damping.joints, K.TERM: terms,
            K.TERM_ROW: rows, K.WHEELS: self._wheels, K.PLACES: self._places, K.A_ROWS: self.A,
            K.PUSH: self.force, K.OWN: self._own,
        })  # fmt: skip
        self.plan = Plan(model, self._wheels)
        for k in np.flatnonzero(damping.joints):
            self.plan.see_damper(k)
        self.plan.hand_over(self.handed)
        self._make_room(1024)
        self._data, self._entry, self._address = None, compiled.entry(), self.handed.ctypes.data

    def _hand(self, arrays: dict[int, Any]) -> None:
        for place, array in arrays.items():
            self.handed[place] = array.__array_interface__["data"][0]

    def _make_room(self, size: int) -> None:
        """For the places of the rows' products."""
        self._targets = np.zeros(size, dtype=np.int64)
        self.handed[K.CAPACITY] = size
        self._hand({K.TARGETS: self._targets})

    def _look_again(self, data: Any) -> None:
        """Plan once more, with the constraint rows and damping terms that there are now."""
        if data.nefc:
            self.plan.see_rows(self._constraint_rows(data))
        for kind, row in zip(self._damping.kind, self._damping.row, strict=True):
            _, counts, first, columns = self._sources(data)[kind]
            self.plan.see_damper(columns[first[row] : first[row] + counts[row]])
        if self._damping.metric:
            _, counts, first, columns = self._sources(data)[0]
            for row in data.efm_tid[: data.nefmT]:
                found = np.zeros((1, self.model.nv))
                found[0, columns[first[row] : first[row] + counts[row]]] = 1.0
                self.plan.see_rows(found)
        self.plan.hand_over(self.handed)
        self.handed[K.FRESH] = 1

    def _attach(self, data: Any) -> None:
        """Addresses of the arrays that an ``MjData`` keeps for life."""
        self._hand({
            K.XPOS: data.xpos, K.XMAT: data.xmat, K.CDOF: data.cdof, K.MASS: data.M,
            K.SUBTREE_COM: data.subtree_com, K.QVEL: data.qvel, K.SMOOTH: data.qfrc_smooth,
            K.LAST: data.qacc_warmstart, K.APPLIED: data.qfrc_applied, K.FORCE: data.actuator_force,
        })  # fmt: skip
        if self.handed[K.TERMS] or self._damping.metric:
            tendons, actuators = self._sources(data)
            self._hand(dict(enumerate(tendons + actuators, start=K.SOURCES)))
        self._data, self._applied, self._rows = data, data.qfrc_applied, None
        handed = self.handed
        self._put_back = int(handed[K.APPLIED]), int(handed[K.OWN]), self._own.nbytes

    def _sources(self, data: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Sparse Jacobians of tendons and actuators: values, counts, firsts, columns."""
        model = self.model
        return (data.ten_J, model.ten_J_rownnz, model.ten_J_rowadr, model.ten_J_colind), (
            data.actuator_moment, data.moment_rownnz, data.moment_rowadr, data.moment_colind,
        )  # fmt: skip

    def _attach_rows(self, data: Any) -> None:
        """Addresses of the constraint rows, which move when their number does."""
        handed = self.handed
        J, sparse = data.efc_J, bool(self._mj.mj_isSparse(self.model))
        handed[K.SPARSE], handed[K.ENTRIES] = sparse, J.size
        count, n = data.nefc, self.model.nv
        handed[K.FRESH] = 1
        self._lists = np.zeros(count * (2 * n + 3), dtype=np.int64), np.zeros(count * n)
        self._hand({K.LISTS: self._lists[0], K.LISTED: self._lists[1]})
        self._hand({
            K.EFC_J: J, K.EFC_D: data.efc_D, K.EFC_AREF: data.efc_aref,
            K.EFC_FLOSS: data.efc_frictionloss, K.EFC_TYPE: data.efc_type,
        })  # fmt: skip
        if sparse:
            self._hand({
                K.EFC_NNZ: data.efc_J_rownnz, K.EFC_ADR: data.efc_J_rowadr,
                K.EFC_COL: data.efc_J_colind,
            })  # fmt: skip

    def _attach_metric(self, data: Any) -> None:
        """Addresses of what ``discrete`` takes implicitly, which MuJoCo lays out anew every step."""
        if data.nefmK or data.nefmcon:
            raise HostError(
                "MujocoGround: flexible bodies and contacts that the integrator discrete takes "
                "implicitly are unknown to us; use implicitfast"
            )
        self.handed[K.METRIC_TENDONS] = data.nefmT
        self._hand({
            K.METRIC_DIAGONAL: data.efm_diag, K.METRIC_FORCE: data.efm_c,
            K.METRIC_SCALE: data.efm_ts, K.METRIC_TENDON: data.efm_tid,
        })  # fmt: skip

    def _constraint_rows(self, data: Any) -> NDArray[np.float64]:
        """All of them, dense."""
        J, rows = data.efc_J, np.zeros((data.nefc, self.model.nv))
        if not self._mj.mj_isSparse(self.model):
            return np.reshape(J, rows.shape)
        for r, (count, first) in enumerate(zip(data.efc_J_rownnz, data.efc_J_rowadr, strict=True)):
            rows[r, data.efc_J_colind[first : first + count]] = 1.0
        return rows

    def _find(self, wheels: Any, left: tuple[float, float, float]) -> None:
        """Body, last freedom and root of every wheel, and where it sits in its body."""
        mj, model = self._mj, self.model
        spare = mj.MjData(model)
        mj.mj_kinematics(model, spare)
        self._wheels = np.zeros((self.ground.count, 3), dtype=np.int64)
        self._places = np.zeros((self.ground.count, 6))
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
            last = model.body_dofadr[moving] + model.body_dofnum[moving] - 1
            self._wheels[i] = body, last, model.body_rootid[body]
            self._places[i, :3], self._places[i, 3:] = centre, axis

    def step(self, data: Any) -> NDArray[np.float64]:
        """One step of the host with the ground in it; returns the wheels' wrenches (W, 6).

        Forces that the user has in ``qfrc_applied`` and ``xfrc_applied`` act as in ``mj_step``.

        Raises:
            HostError: see ``WheelsOnGround.solve``; positions, velocities and time are untouched then.
        """
        mj, model = self._mj, self.model
        mj.mj_step1(model, data)
        self.solve(data, _GROUND | K.APPLY | K.START)
        mj.mj_step2(model, data)
        ctypes.memmove(*self._put_back)
        return self.ground.wrench

    def solve(self, data: Any, stages: int = _GROUND) -> NDArray[np.float64]:
        """The ground's generalised force [N, N m], (nv,), for a ``data`` that is after ``mj_step1``.

        ``stages`` without SOLVE stops at what the solve would see: gaps, ``A``, mobility, velocities.
        """
        mj, model = self._mj, self.model
        if data is not self._data:
            self._attach(data)
        if model.nu:
            mj.mj_fwdActuation(model, data)
        mj.mj_fwdAcceleration(model, data)
        return self._run(data, stages)

    def _run(self, data: Any, stages: int = _GROUND) -> NDArray[np.float64]:
        """The compiled part, once MuJoCo's arrays are those of this step."""
        ground, handed = self.ground, self.handed
        rows = data.nefc
        if rows:
            # MuJoCo lays its rows out anew every step: what decides where they lie
            layout = rows, data.ncon, data.nJ, data.parena
            if layout != self._rows:
                self._attach_rows(data)
                self._rows = layout
        handed[K.ROWS] = rows
        if self._damping.metric:
            self._attach_metric(data)
        ground.step[0] = h = self.model.opt.timestep
        wanted = stages if ground.compiled else L.CHECK
        code = self._entry(self._address, wanted)
        while code == K.GREW or code == K.CROWDED:
            if code == K.GREW:
                self._look_again(data)
            else:
                self._make_room(2 * len(self._targets))
            code = self._entry(self._address, wanted)
        if code != L.DONE:
            raise HostError(self._sentence(code))
        if not ground.compiled and stages & L.SOLVE:
            ground.call(h, L.SOLVE | L.REPORT)
            np.matmul(ground.impulses / h, self.A, out=self.force)
            if stages & K.APPLY:
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
        """Largest |A v+ - u+| [m/s] after ``step``: host against solve; round-off when it is exact."""
        return float(np.abs(self.A @ data.qvel - self.ground.u_end).max())


class MujocoCallback(MujocoGround):
    """The ground as MuJoCo's passive-force callback, for programs whose ``mj_step`` is out of reach.

    MuJoCo calls it before the step's other forces are known, so it asks for them itself: bias,
    actuation and the constraints' reference are computed once more. What the user has in
    ``qfrc_applied`` and ``xfrc_applied`` counts; controls that ``mjcb_control`` sets are a step old.

    Use::

        with MujocoCallback(model, {"hub": wheel}):
            mujoco.mj_step(model, data)
    """

    def __enter__(self) -> MujocoCallback:
        if self._damping.metric:
            raise HostError(
                "MujocoCallback: the integrator discrete has not weighed its springs and dampers when "
                "it calls; use MujocoGround, or implicitfast"
            )
        self._smooth, self._force = np.zeros(self.model.nv), np.zeros(self.model.nv)
        self._mj.set_mjcb_passive(self)
        return self

    def __exit__(self, *details: object) -> None:
        self._mj.set_mjcb_passive(None)

    def __call__(self, model: Any, data: Any) -> None:
        """Called by MuJoCo; adds to ``data.qfrc_passive``."""
        mj, smooth = self._mj, self._smooth
        if model._address != self.model._address:
            return
        if self._data is None or data._address != self._data._address:
            self._attach(data)
            self.handed[K.SMOOTH] = smooth.ctypes.data
        mj.mj_rne(model, data, 0, smooth)
        np.subtract(data.qfrc_passive, smooth, out=smooth)
        smooth += data.qfrc_applied
        if model.nu:
            mj.mj_fwdActuation(model, data)
            smooth += data.qfrc_actuator
        if data.nefc:
            mj.mj_referenceConstraint(model, data)
        pushed = data.xfrc_applied
        if pushed.any():
            for body in np.flatnonzero(pushed.any(axis=1)):
                force, torque = pushed[body, :3], pushed[body, 3:]
                mj.mj_applyFT(model, data, force, torque, data.xipos[body], body, smooth)
        data.qfrc_passive += self._run(data, _GROUND | K.START)
