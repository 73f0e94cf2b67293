"""Damping of joints, tendons and actuators that MuJoCo's integrators treat implicitly."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlcp.compiled.records import Records

from ..copies import HostError
from .kernels.data import Term


class Damping:
    """Damping matrix D that MuJoCo adds to its mass matrix M as ``M + h D``, with the step length h.

    ``joints`` (nv,) are the diagonal entries from joints. Each of ``terms``, a tendon or an actuator
    with velocity feedback, adds ``scale g g'`` with its Jacobian row g; MuJoCo keeps only the entries
    within the sparsity pattern of M.

    Raises:
        HostError: the integrator RK4 (it has no single step), implicit forces of unknown derivative, or
            constraint rows with the integrator discrete.
    """

    def __init__(self, mj: Any, model: Any) -> None:
        kind = mj.mjtIntegrator
        integrator, off = int(model.opt.integrator), int(model.opt.disableflags)
        if integrator == int(kind.mjINT_RK4):
            raise HostError("MujocoGround: the integrator RK4 has no single step to solve in; use Euler")
        euler = integrator == int(kind.mjINT_EULER)
        flags = mj.mjtDisableBit
        damper = not off & int(getattr(flags, "mjDSBL_DAMPER", getattr(flags, "mjDSBL_PASSIVE", 0)))
        implicit = not (euler and off & int(flags.mjDSBL_EULERDAMP))
        self.joints = np.zeros(model.nv)
        self._terms: list[Term] = []
        # with the integrator "discrete" MuJoCo's data contain all implicit terms except those of
        # actuators
        self.metric = integrator == int(getattr(kind, "mjINT_DISCRETE", -1))
        if self.metric:
            self._no_feedback(mj, model, off)
            self._no_rows(mj, model, off)
            return
        if damper and implicit:
            self.joints[:] = np.ravel(model.dof_damping)
            self._linear(model, "joint", "dof_dampingpoly")
        if euler:
            return
        if damper:
            self._tendons(model)
        if not off & int(flags.mjDSBL_ACTUATION):
            self._actuators(mj, model)
        self._no_drag(model)

    def _no_drag(self, model: Any) -> None:
        if model.opt.density or model.opt.viscosity:
            raise HostError(
                "MujocoGround: the drag of a fluid (density, viscosity) is taken implicitly by this "
                "integrator and unknown to us; use Euler"
            )

    def _linear(self, model: Any, what: str, name: str) -> None:
        if np.any(getattr(model, name, 0.0)):
            raise HostError(
                f"MujocoGround: {what} damping that is not linear ({name}) changes with the velocity; "
                "leave its higher terms 0, or use Euler with the flag eulerdamp disabled"
            )

    def _tendons(self, model: Any) -> None:
        damping = np.ravel(model.tendon_damping)
        if not damping.any():
            return
        self._linear(model, "tendon", "tendon_dampingpoly")
        self._needs(model, "ten_J_colind", "damped tendons")
        for k in np.flatnonzero(damping):
            self._terms.append(Term(scale=damping[k], row=k))

    def _actuators(self, mj: Any, model: Any) -> None:
        plain = int(mj.mjtBias.mjBIAS_NONE), int(mj.mjtBias.mjBIAS_AFFINE)
        fixed, affine = int(mj.mjtGain.mjGAIN_FIXED), int(mj.mjtGain.mjGAIN_AFFINE)
        passive = np.ravel(getattr(model, "actuator_damping", np.zeros(model.nu)))
        for k in range(model.nu):
            bias, gain = int(model.actuator_biastype[k]), int(model.actuator_gaintype[k])
            known = bias in plain and (
                gain == fixed or (gain == affine and model.actuator_gainprm[k, 2] == 0.0)
            )
            if not known or passive[k]:
                raise HostError(
                    f"MujocoGround: the force of actuator {model.actuator(k).name!r} depends on the "
                    "velocity in a way that this integrator takes implicitly and we do not; use Euler"
                )
            feedback = -model.actuator_biasprm[k, 2] if bias == plain[1] else 0.0
            if feedback:
                self._needs(model, "ten_J_colind", "actuators with velocity feedback")
                if np.any(model.jnt_actfrclimited) or np.any(model.tendon_actfrclimited):
                    raise HostError(
                        "MujocoGround: actuatorfrcrange beside velocity feedback cannot be foreseen "
                        "under this integrator; use forcerange, or Euler"
                    )
                limited = bool(model.actuator_forcelimited[k])
                low, high = model.actuator_forcerange[k] if limited else (-np.inf, np.inf)
                row = int(getattr(model, "actuator_outadr", np.arange(model.nu))[k])
                term = Term(scale=feedback, actuator=1, row=row, low=low, high=high)
                self._terms.append(term)

    def _no_feedback(self, mj: Any, model: Any, off: int) -> None:
        none, fixed = int(mj.mjtBias.mjBIAS_NONE), int(mj.mjtGain.mjGAIN_FIXED)
        self._no_drag(model)
        for k in range(0 if off & int(mj.mjtDisableBit.mjDSBL_ACTUATION) else model.nu):
            bias, gain = int(model.actuator_biastype[k]), int(model.actuator_gaintype[k])
            still = bias == none or (
                bias == int(mj.mjtBias.mjBIAS_AFFINE) and not model.actuator_biasprm[k, 1:3].any()
            )
            if not still or gain != fixed or np.any(getattr(model, "actuator_damping", 0.0)):
                raise HostError(
                    f"MujocoGround: actuator {model.actuator(k).name!r} has feedback, which the "
                    "integrator discrete takes implicitly, by terms after the solve; use implicitfast"
                )

    def _no_rows(self, mj: Any, model: Any, off: int) -> None:
        flags = mj.mjtDisableBit
        touching = model.ngeom > 1 and not off & int(flags.mjDSBL_CONTACT)
        rows = {
            "contacts": touching and bool(np.any(model.geom_contype) or model.npair),
            "equalities": model.neq,
            "limits of joints": np.any(model.jnt_limited),
            "limits of tendons": np.any(model.tendon_limited),
            "dry friction": np.any(model.dof_frictionloss) or np.any(model.tendon_frictionloss),
        }
        found = [name for name, there in rows.items() if there]
        if found:
            raise HostError(
                f"MujocoGround: the model has {' and '.join(found)}; the integrator discrete sets the "
                "weights of its constraint rows after the solve (errors up to 1e-3 m/s measured); use "
                "implicitfast"
            )

    def _needs(self, model: Any, name: str, what: str) -> None:
        if not hasattr(model, name):
            raise HostError(
                f"MujocoGround: {what} under this integrator need MuJoCo 4: "
                "pip install --upgrade mujoco; or use Euler"
            )

    @property
    def terms(self) -> Records:
        """Damping terms of tendons and actuators."""
        return Records.of(Term, self._terms)
