"""The ground as MuJoCo's passive-force callback, for programs whose ``mj_step`` is out of reach."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..copies import HostError
from .ground import GROUND, MujocoGround
from .kernels.data import START


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
            self._lent.give(host={"smooth": smooth})
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
        data.qfrc_passive += self._run(data, GROUND | START)
