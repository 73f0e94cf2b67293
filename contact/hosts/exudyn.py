"""Wheels on soil in Exudyn: forces set before every step of its explicit Euler solver."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlcp.neighbours import need

from ..terrain import Terrain
from ..wheel import WheelContact
from .copies import HostError, Unique
from .generic import GenericHost
from .wheels_on_ground import WheelsOnGround


class ExudynGround(Unique):
    """An Exudyn system on wheels; ``simulate(settings)`` replaces ``SolveDynamic``.

    Exudyn provides its mass matrix and forces inside the step; one step of its explicit Euler is
    ``v+ = v + h M^-1 f``, ``x+ = x + h v`` with forces f and coordinates x. The ground is solved at x+,
    the end of the step, so that the normal force is implicit although the host is explicit. The
    Jacobians are the markers' velocities at unit coordinate velocities: exact, since a velocity is
    linear in the coordinate velocities.

    Arguments:
        mbs: the system, before ``mbs.Assemble()``; two loads a wheel are added. The system must have no
            algebraic equations: only kinematic trees, masses, minimal coordinates.
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
        self._exu = need("exudyn", "ExudynGround", "exudyn")
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
        self.before_step = None  # user function (mbs, t), called before the ground solve
        self.after_solve = None  # user function (t, v+), called after the ground solve
        self.error: Exception | None = None
        self.host: GenericHost | None = None

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
        mbs, system, output = self.mbs, self.mbs.systemData, self.mbs.GetMarkerOutput
        solver = mbs.sys["dynamicSolver"]
        h = solver.it.currentStepSize
        solver.ComputeMassMatrix(mbs)
        M = solver.GetSystemMassMatrix()
        solver.ComputeODE2RHS(mbs)
        if self.host is None:
            self.host = self._begin(len(M))
        host, ground = self.host, self.ground
        host.M[...] = M
        host.force[...] = solver.GetSystemResidual()  # forces include the loads of the last step
        x, v = system.GetODE2Coordinates(), system.GetODE2Coordinates_t()
        host.v[...] = v
        try:
            # keep the Jacobian if x is within 1e-12 [m, rad] of the coordinates at which it was set
            if not np.abs(x - self._seen_at).max() < 1e-12:
                self._jacobian(host.J)
            if self._loaded:
                host.force -= host.J.T @ ground.wrench.ravel()
            self._seen_at = x + h * host.v
            system.SetODE2Coordinates(self._seen_at)
            for i, marker in enumerate(self.markers):
                ground.position[i] = output(marker, self._kinds.Position)
                turn = output(marker, self._kinds.RotationMatrix).reshape(3, 3)
                ground.axis[i] = turn @ self._local_axis
            self._jacobian(host.J)
        finally:
            system.SetODE2Coordinates(x)
            system.SetODE2Coordinates_t(v)
        change = host.call(h, by_force=True)
        for loads, wrench in zip(self._loads, ground.wrench, strict=True):
            mbs.SetLoadParameter(loads[0], "loadVector", wrench[:3])
            mbs.SetLoadParameter(loads[1], "loadVector", wrench[3:])
        self._loaded = True
        if self.after_solve is not None:
            self.after_solve(t, host.v_free + change)

    def _begin(self, n: int) -> GenericHost:
        """Allocate the host's memory for n freedoms, in the first step."""
        self._kinds = self._exu.OutputVariableType
        self._units, self._seen_at, self._loaded = np.eye(n), np.full(n, np.nan), False
        return GenericHost(self.ground, n)

    def _jacobian(self, J: NDArray[np.float64]) -> None:
        """Set J, the Jacobian of the markers at the present coordinates: twists at unit velocities."""
        output, put = self.mbs.GetMarkerOutput, self.mbs.systemData
        kinds = self._kinds
        for k, unit in enumerate(self._units):
            put.SetODE2Coordinates_t(unit)
            for i, marker in enumerate(self.markers):
                J[6 * i : 6 * i + 3, k] = output(marker, kinds.Velocity)
                J[6 * i + 3 : 6 * i + 6, k] = output(marker, kinds.AngularVelocity)

    def simulate(self, settings: Any) -> None:
        """Run ``SolveDynamic`` with explicit Euler under ``settings``.

        Raises:
            HostError: algebraic equations in the system, or input refused by ``GenericHost.solve``.
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
