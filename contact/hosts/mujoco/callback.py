"""The ground as MuJoCo's passive-force callback, for programs that call ``mj_step`` themselves."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..copies import HostError
from .ground import GROUND, MujocoGround
from .kernels.data import START

# open grounds: MuJoCo has one callback for the whole process, which calls the ground of each model
_open: list[MujocoCallback] = []
_before: list[Any] = []  # the program's own callback, which the first open ground replaces


def _dispatch(model: Any, data: Any) -> None:
    """Handle MuJoCo's call for a model: call the program's own callback, then the model's ground."""
    for before in _before:
        if before is not None:
            before(model, data)
    for ground in _open:
        if ground.model._address == model._address:
            ground(model, data)


class MujocoCallback(MujocoGround):
    """The ground as MuJoCo's passive-force callback, for programs that call ``mj_step`` themselves.

    MuJoCo calls the callback before it computes the step's other forces, so the callback computes
    the bias force, actuation and the constraints' reference acceleration itself. Forces in
    ``qfrc_applied`` and ``xfrc_applied`` are included; controls set by ``mjcb_control`` are one step
    old. One callback per model can be open; a program's own passive callback is still called.

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
        if any(other.model._address == self.model._address for other in _open):
            raise HostError(
                "MujocoCallback: one is open for this model already; give all its wheels to one"
            )
        self._smooth, self._force = np.zeros(self.model.nv), np.zeros(self.model.nv)
        if not _open:
            _before.append(self._mj.get_mjcb_passive())
            self._mj.set_mjcb_passive(_dispatch)
        _open.append(self)
        return self

    def __exit__(self, *details: object) -> None:
        _open.remove(self)
        if not _open:
            self._mj.set_mjcb_passive(_before.pop())

    def __call__(self, model: Any, data: Any) -> None:
        """Add the ground's generalised force to ``data.qfrc_passive``."""
        mj, smooth = self._mj, self._smooth
        if self._data is None or data._address != self._data._address:
            self._attach(data)
            self._shared.give(host={"smooth": smooth})
        mj.mj_rne(model, data, 0, smooth)
        np.subtract(data.qfrc_passive, smooth, out=smooth)
        smooth += data.qfrc_applied
        if model.nu:
            mj.mj_fwdActuation(model, data)
            smooth += data.qfrc_actuator
        if data.nefc:
            mj.mj_referenceConstraint(model, data)
        applied = data.xfrc_applied
        if applied.any():
            for body in np.flatnonzero(applied.any(axis=1)):
                force, torque = applied[body, :3], applied[body, 3:]
                mj.mj_applyFT(model, data, force, torque, data.xipos[body], body, smooth)
        data.qfrc_passive += self._run(data, GROUND | START)
