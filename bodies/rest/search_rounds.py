"""Rounds of a search for static equilibrium: steps, accelerations, joint errors.

A "round" is one implicit step of every vehicle from zero velocities.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..hydraulics.lowering import lock_pistons, unlock_pistons
from ..many.ensemble import Ensemble
from ..many.memory import Store
from .clock import SearchClock
from .plane_constraint import PlaneConstraint

ACCELERATION_STEP = 1e-3  # [s] step length of the rounds that check the accelerations
RELATIVE_JOINT_ERROR = 1e-6  # largest joint error in equilibrium over the mechanism's size


class SearchRounds:
    """Vehicles of a batch during a search: their steps, accelerations and tolerances.

    Arguments:
        batch: the vehicles; the search overwrites its states, tables of laws and step lengths.
        tolerance: tolerance on the largest acceleration [m/s^2].
        scrub: whether the wheels have their static friction in the first phase, too.
        rounds: largest number of rounds in each phase.
        clock: time limit and progress line.
        patient: see :func:`bodies.equilibrium`; after a failed quick search a patient one follows.
        threads: number of threads for the steps.
    """

    def __init__(
        self,
        batch: Ensemble,
        tolerance: float,
        scrub: bool,
        rounds: int,
        patient: bool,
        threads: int,
        clock: SearchClock,
    ) -> None:
        self.batch: Ensemble = batch
        self.store: Store = batch.store
        self.tolerance: float = tolerance
        self.scrub: bool = scrub
        self.rounds: int = rounds
        self.patient: bool = patient
        self.threads: int = threads
        self.clock: SearchClock = clock
        self._pool: ThreadPoolExecutor
        self._smoothed: bool = False
        self._constrained: bool = False
        self._drift: NDArray[np.float64] = np.zeros(batch.n)
        work = self.store.work
        self.parted: float = work.machine.clock.parted
        if work.model.circuit is not None:  # the batch then has one vehicle, number 0
            lock_pistons(work)
            space = self.store.load(0)
            lock_pistons(space)
            self.store.put(0, space)
        self._scale = self._scales()

    def _begin(self) -> None:
        """Store ruts and positions before the search; switch off the stop of vehicles with large joint
        errors."""
        store, model = self.store, self.batch.model
        store.column("parted")[:] = np.inf
        store.rows("static_load")[:] = 0.0
        self._ruts: NDArray[np.float64] = store.rows("contact.grounds.memory").copy()
        far = np.max(np.abs(store.rows("position")), axis=1, initial=0.0)
        # [m/s^2] 20 times the acceleration of a position's round-off in a step
        self._round_off = 20.0 * np.finfo(float).eps * far / ACCELERATION_STEP**2
        self.plane_constraint: PlaneConstraint = PlaneConstraint(
            model.mechanism, model.body_index, store.rows("position")
        )

    def travel(self) -> NDArray[np.float64]:
        """Displacement of each vehicle in the plane, the mean of its wheels [m], (n, 2)."""
        if not self.plane_constraint.wheels.size:
            return np.zeros((self.batch.n, 2))
        return self.plane_constraint.travel(self.store.rows("position"))

    def reset(self) -> None:
        """Reset velocities, time, counts and ruts after the search; unlock the pistons."""
        self.store.rows("velocity")[:] = 0.0
        self.store.rows("contact.rows.u")[:] = 0.0
        if self.store.work.model.circuit is not None:
            space = self.store.load(0)
            unlock_pistons(space)
            self.store.put(0, space)
        self.store.rows("contact.grounds.memory")[:] = self._ruts  # removes ruts of the search
        for name in ("time", "residual_max", "error_m_max", "error_rad_max"):
            self.store.column(name)[:] = 0.0
        for name in ("steps", "missed", "iterations"):
            self.store.counts(name)[:] = 0

    def _changed(self, relax: Callable[[Any], Callable[[], None]]) -> Callable[[], None]:
        """Apply ``relax``, a change of the wheels' friction, to the model and to each vehicle's
        parameters.

        Returns the function that restores model and parameters.
        """
        work = self.store.work
        before, values = work.F.copy(), self.store.values
        undo = relax(work)
        self.store.values = values.copy()
        for column, place in enumerate(self.store.places(work.N)):
            if work.F[place] != before[place]:
                creeps = before[place] != 0.0 and self.store.keys[column][0] == "contact.wheels.each"
                ratio = work.F[place] / before[place] if creeps else 0.0
                self.store.values[:, column] = ratio * values[:, column] if creeps else work.F[place]
        self.store.forget_spaces()

        def restore() -> None:
            undo()
            self.store.values = values
            self.store.forget_spaces()

        return restore

    def _take_loads(self, vehicles: NDArray[Any]) -> None:
        """Store the loads of the constraint rows as ``static_load``: only forces beyond these deform the
        numerical compliance of a row."""
        step = self.store.column("step")[vehicles]
        self.store.rows("static_load")[vehicles] = self.store.rows("impulse")[vehicles] / step[:, None]

    def _accelerations(self, vehicles: NDArray[Any], rounds: int) -> NDArray[np.float64]:
        """Accelerations (m, 6 bodies) in the last of ``rounds`` rounds of step length
        ``ACCELERATION_STEP``, scaled as in :meth:`_round`."""
        found = np.zeros((vehicles.size, self._scale.shape[1]))
        for _ in range(rounds):
            found = self._round(vehicles, np.full(vehicles.size, ACCELERATION_STEP))
        return found

    def _round(self, vehicles: NDArray[Any], step: NDArray[np.float64]) -> NDArray[np.float64]:
        """One step of ``vehicles`` from zero velocities, from the time ``-step`` to the time 0.

        ``step``: step length of each vehicle [s]. Returns the accelerations (m, 6 bodies) [m/s^2],
        angular accelerations times the body's radius of gyration."""
        clock, batch = self.store.column("step"), self.batch
        ratio = step / clock[vehicles]
        clock[vehicles] = step
        self.store.column("time")[vehicles] = -step
        impulses, velocity = self.store.rows("channels.impulse"), self.store.rows("velocity")
        impulses[vehicles] *= ratio[:, None]
        velocity[vehicles] = 0.0
        batch.do_steps(1, self.threads, self._pool, vehicles)
        twist = velocity[vehicles, : self._scale.shape[1]]
        if self._constrained:
            x, q = self.store.rows("position")[vehicles], self.store.rows("quaternion")[vehicles]
            twist = self.plane_constraint.without_drift(x, twist)
            self._drift[vehicles] = self.plane_constraint.move_back(vehicles, x, q)
            self.store.rows("position")[vehicles], self.store.rows("quaternion")[vehicles] = x, q
        found = twist * self._scale[vehicles] / step[:, None]
        self.clock.at(float(np.max(np.abs(found), initial=0.0)))
        return found

    def _continue(self, vehicles: NDArray[Any]) -> NDArray[np.bool_]:
        """Whether each of ``vehicles`` has neither stopped nor travelled more than 100 m, (m,)."""
        near = ~(np.hypot(*self.travel()[vehicles].T) > 100.0)
        return near & ~self._stopped()[vehicles] if self.batch.stopped else near

    def _allowed(self) -> NDArray[np.float64]:
        """Tolerance on each vehicle's accelerations [m/s^2], (n,).

        The tolerance is raised to ``100 floor |p| / h``, but at most to 0.01 (p: impulse of a row in a
        step of length h): the factorisation gives every row a small compliance (``floor``), whose
        accelerations do not vanish in any pose, and arms, gears and sticking wheels amplify these up to
        a hundredfold. The tolerance is also at least 20 times the acceleration that corresponds to the
        round-off of positions far from the origin, as in a map's coordinates."""
        p = np.abs(self.store.rows("impulse"))
        scales = np.stack([plan.scale[: p.shape[1]] for plan in self.store.plans])
        give = np.max(scales[self.store.plan] * p, axis=1, initial=0.0)
        give *= 100.0 / self.store.column("step")
        return np.maximum(np.maximum(self.tolerance, self._round_off), np.minimum(give, 0.01))

    def _scales(self) -> NDArray[np.float64]:
        """Factors on accelerations (n, 6 bodies): 1, for angular ones the body's radius of gyration
        [m]."""
        batch, work = self.batch, self.store.work
        mass = np.tile(work.machine.mass, (batch.n, 1))
        inertia = np.tile(work.machine.inertia, (batch.n, 1))
        for column, (path, place) in enumerate(self.store.keys):
            if path in ("mass", "inertia"):
                table = mass if path == "mass" else inertia
                table[:, place] = self.store.values[:, column]
        scale = np.ones((batch.n, mass.shape[1], 6))
        diagonal = inertia.reshape(batch.n, -1, 9)[:, :, ::4]
        scale[:, :, 3:] = np.sqrt(diagonal.sum(axis=2) / (3.0 * mass))[:, :, None]
        return scale.reshape(batch.n, -1)

    def joints_are_open(self) -> NDArray[np.bool_]:
        """Whether each vehicle has a joint error [m] above ``RELATIVE_JOINT_ERROR`` times the
        mechanism's size, (n,)."""
        errors = np.abs(self.store.rows("error")[:, self.store.work.machine.angular == 0])
        return np.max(errors, axis=1, initial=0.0) > RELATIVE_JOINT_ERROR * self.parted

    def _stopped(self) -> NDArray[np.bool_]:
        found = np.zeros(self.batch.n, bool)
        found[list(self.batch.stopped)] = True
        return found
