"""MuJoCo on an exported mechanism, in many settings, for ``benchmarks.peers``."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

import bodies as B

NOT_INSTALLED = (
    "MuJoCo is not installed, and this comparison needs it; install it with\n"
    "    pip install 'wheelground[mujoco]'"
)


@dataclass(frozen=True)
class Setting:
    """Settings of MuJoCo's solver and integrator."""

    solver: str
    jacobian: str
    integrator: str
    cone: str
    time_constant: float  # time constant of the equality constraints, in time steps

    @property
    def name(self) -> str:
        """Text of the setting for tables, on one line."""
        return f"{self.solver} {self.jacobian} {self.integrator} {self.cone} {self.time_constant:g}h"


def settings() -> list[Setting]:
    """Settings tried: solvers, Jacobians, integrators, cones and softness of the loops."""
    integrators = ["Euler", "implicitfast"]
    if _has_discrete():
        integrators.append("discrete")
    found = [
        Setting("Newton", *rest)
        for rest in itertools.product(
            ("sparse", "dense"), integrators, ("elliptic", "pyramidal"), (2.0, 4.0)
        )
    ]
    found += [
        Setting("CG", *rest)
        for rest in itertools.product(
            ("sparse", "dense"), ("Euler", "implicitfast"), ("elliptic",), (2.0, 4.0)
        )
    ]
    return [*found, Setting("PGS", "dense", "Euler", "pyramidal", 2.0)]


def _has_discrete() -> bool:
    import mujoco

    return hasattr(mujoco.mjtIntegrator, "mjINT_DISCRETE")


class Peer:
    """The vehicle in MuJoCo with one setting: settled on its wheels, then in motion.

    Attributes:
        setting: the setting.
        loop_error: largest error of a closed loop found by ``check`` [m, and rad of welds].
        alive: whether the vehicle is within 0.1 m of the expected place, without a warning by MuJoCo.
        size: degrees of freedom and constraint rows.
    """

    def __init__(
        self,
        model: B.Model,
        setting: Setting,
        step: float,
        rest_steps: int,
        expected: np.ndarray,
        body: str,
    ) -> None:
        import mujoco

        mujoco.set_mju_user_warning(lambda message: None)  # MuJoCo's data counts its warnings
        self.setting = setting
        export = B.to_mjcf(
            model,
            step=step,
            time_constant=setting.time_constant * step,
            solver=setting.solver,
            jacobian=setting.jacobian,
            integrator=setting.integrator,
            cone=setting.cone,
            tolerance="1e-8",
        )
        self.notes = export.notes
        self.m, self.d = export.load()
        drive = export.driver(self.m)
        self.loop_error = 0.0
        for k in range(rest_steps):
            drive(self.d)
            mujoco.mj_step(self.m, self.d)
            if k >= rest_steps // 2:
                self.check()
        self.size = (int(self.m.nv), int(self.d.nefc))
        there = self.d.body(body).xpos
        self.alive = bool(
            np.all(np.isfinite(there))
            and not self.d.warning.number.any()
            and np.linalg.norm(there - expected) < 0.1
        )
        self._kind = mujoco.mjtState.mjSTATE_INTEGRATION
        self._state = np.zeros(mujoco.mj_stateSize(self.m, self._kind))
        mujoco.mj_getState(self.m, self.d, self._state, self._kind)

    def check(self) -> None:
        """Update the largest loop error."""
        kinds = self.m.eq_type[self.d.efc_id[: self.d.ne]]
        # rows of the constraints ``connect`` and ``weld``
        errors = np.abs(self.d.efc_pos[: self.d.ne][kinds <= 1])
        worst = float(errors.max()) if errors.size else 0.0
        self.loop_error = max(self.loop_error, worst if np.isfinite(worst) else np.inf)

    def rewind(self) -> None:
        """Restore the state at the start of the rounds."""
        import mujoco

        mujoco.mj_setState(self.m, self.d, self._state, self._kind)

    def run(self, steps: int) -> None:
        """Take steps in MuJoCo with constant controls."""
        import mujoco

        mujoco.mj_step(self.m, self.d, steps)
