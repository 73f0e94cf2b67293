"""Wheels on soft ground in Exudyn: forces set before every step of its explicit Euler solver."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..terrain import Terrain
from ..wheel import WheelContact
from .generic import GenericHost
from .need import need
from .wheels_on_ground import HostError, WheelsOnGround


class ExudynGround:
    """An Exudyn system that stands on wheels; ``simulate(settings)`` instead of ``SolveDynamic``.

    Exudyn hands out its mass matrix and forces inside the step; one step of its explicit Euler is
    ``v+ = v + h M^-1 f``, ``x+ = x + h v``. The ground is solved at x+, where the step ends, so that
    the normal force is implicit although the host is not. Jacobians: the markers' velocities for
    unit coordinate velocities, exact since they are linear.

    Arguments:
        mbs: the system, before ``mbs.Assemble()``; it gets two loads a wheel. Systems without
            algebraic equations: kinematic trees, masses, minimal coordinates.
        wheels: ``WheelContact`` by the number of a rigid marker at the wheel centre.
        axis: spin axis in the marker's axes, pointing left.
        terrain: shape of the ground in world axes, a plane at z = 0 by default.
        settings: of ``WheelsOnGround``.
    """

    def __init__(
        self,
        mbs: Any,
        wheels: Mapping[int, WheelContact],
        axis: tuple[float, float, float] = (0.0, 1.0, 0.0),
        terrain: Terrain | None = None,
        **settings: Any,
    ) -> None:
        self._exu = need("exudyn")
        from exudyn.itemInterface import LoadForceVector, LoadTorqueVector

        self.mbs, self.markers = mbs, tuple(wheels)
        self._local_axis = np.asarray(axis, dtype=float)
        self.ground = WheelsOnGround(tuple(wheels.values()), terrain, **settings)
        self._loads = [
            (
                mbs.AddLoad(LoadForceVector(markerNumber=marker, loadVector=[0, 0, 0])),
                mbs.AddLoad(LoadTorqueVector(markerNumber=marker, loadVector=[0, 0, 0])),
            )
            for marker in self.markers
        ]
        self.before_step = None  # the user's own function (mbs, t), called first
        self.after_solve = None  # and one called with (t, v+) once the ground is solved
        self.error: Exception | None = None
        self.host: GenericHost | None = None

    def _outputs(self, kind: Any) -> np.ndarray:
        return np.array([self.mbs.GetMarkerOutput(marker, kind) for marker in self.markers])

    def pre_step(self, mbs: Any, t: float) -> bool:
        """Exudyn's pre-step function: solve the ground and set the loads of this step."""
        try:
            if self.before_step is not None:
                self.before_step(mbs, t)
            self._solve(t)
        except Exception as error:
            self.error = error
            return False
        return True

    def _solve(self, t: float) -> None:
        mbs, kinds, system = self.mbs, self._exu.OutputVariableType, self.mbs.systemData
        solver, h = mbs.sys["dynamicSolver"], mbs.sys["dynamicSolver"].it.currentStepSize
        solver.ComputeMassMatrix(mbs)
        M = np.array(solver.GetSystemMassMatrix())
        solver.ComputeODE2RHS(mbs)
        force = np.array(solver.GetSystemResidual())  # with the loads of the last step
        n, W = M.shape[0], self.ground.count
        if self.host is None:
            self.host = GenericHost(self.ground, n)
            self._J, self._wrench = np.zeros((6 * W, n)), np.zeros(6 * W)
        x, v = np.array(system.GetODE2Coordinates()), np.array(system.GetODE2Coordinates_t())
        try:
            self._jacobian(n)
            if self._wrench.any():
                force = force - self._J.T @ self._wrench
            system.SetODE2Coordinates(x + h * v)
            position = self._outputs(kinds.Position)
            axis = self._outputs(kinds.RotationMatrix).reshape(W, 3, 3) @ self._local_axis
            self._jacobian(n)
        finally:
            system.SetODE2Coordinates(x)
            system.SetODE2Coordinates_t(v)
        v_free = v + h * np.linalg.solve(M, force)
        change = self.host.solve(h, position, axis, self._J, M, v, v_free)
        for i, (load, torque) in enumerate(self._loads):
            mbs.SetLoadParameter(load, "loadVector", self.ground.wrench[i, :3])
            mbs.SetLoadParameter(torque, "loadVector", self.ground.wrench[i, 3:])
        self._wrench[:] = self.ground.wrench.ravel()
        if self.after_solve is not None:
            self.after_solve(t, v_free + change)

    def _jacobian(self, n: int) -> None:
        """The markers' twists for unit velocities, at the coordinates that are set now."""
        kinds, unit = self._exu.OutputVariableType, np.zeros(n)
        for k in range(n):
            unit[k] = 1.0
            self.mbs.systemData.SetODE2Coordinates_t(unit)
            for i, marker in enumerate(self.markers):
                self._J[6 * i : 6 * i + 3, k] = self.mbs.GetMarkerOutput(marker, kinds.Velocity)
                self._J[6 * i + 3 : 6 * i + 6, k] = self.mbs.GetMarkerOutput(
                    marker, kinds.AngularVelocity
                )
            unit[k] = 0.0

    def simulate(self, settings: Any) -> None:
        """Run ``SolveDynamic`` with explicit Euler under ``settings``.

        Raises:
            HostError: algebraic equations in the system, or what ``GenericHost.solve`` refuses.
        """
        if self.mbs.systemData.AEsize():
            raise HostError(
                "ExudynGround: the system has algebraic equations, which explicit Euler cannot solve; "
                "describe it as a kinematic tree"
            )
        self.mbs.SetPreStepUserFunction(self.pre_step)
        self.error = None
        try:
            done = self.mbs.SolveDynamic(
                settings, solverType=self._exu.DynamicSolverType.ExplicitEuler, storeSolver=True
            )
        except Exception:
            if self.error is None:
                raise
            done = False
        if self.error is not None:
            raise self.error
        if not done:
            raise HostError("ExudynGround: SolveDynamic gave up; see its own messages")
