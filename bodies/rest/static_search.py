"""The search for static equilibrium of many vehicles at once, each independent of the others.

A "round" is one implicit step of every vehicle from zero velocities.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from contact.kernels.solve.agreement import MAX_PLAIN_PASSES

from ..hydraulics.lowering import at_rest, lock_pistons
from ..many.ensemble import Ensemble
from ..many.memory import Store
from .casters import casters
from .clock import SearchClock
from .convergence import Extrapolation, StallMonitor, moved
from .plane_constraint import PlaneConstraint, can_be_constrained
from .smoothing import (
    QUICK_PASSES,
    V_0_FACTOR,
    let_creep,
    limit_passes,
    smooth_wheels,
)

FIRST_STEP = 5e-3  # [s] step length of the first rounds
# [s] longest step length: longer steps reduce an error more, to 1/(1 + (h w)^2) of it a round, but the
# deflection of joints by their numerical compliance grows with h^2
LONGEST_STEP = 1.0
ACCELERATION_STEP = 1e-3  # [s] step length of the rounds that check the accelerations
LARGEST_YIELDING_TOLERANCE = 0.01  # [m/s^2] largest tolerance due to the joints' numerical compliance
YIELDING_AMPLIFICATION = 100.0  # of accelerations by joint compliance: arms, gears, sticking wheels
QUICK_TOLERANCE = 0.2  # acceleration over the tolerance below which a quick search may end
RELATIVE_JOINT_ERROR = 1e-6  # largest joint error in equilibrium over the mechanism's size
LEAST_ACCELERATION_CHANGE = 1e-10  # [m/s^2] change of accelerations below which these rounds end
STEADY = 5  # rounds with the friction of a run before the check of equilibrium
LONGEST_SMOOTHED_STEP = 0.05  # [s] longest step length in the phase after the smoothed phase
LARGEST_ROUND_DRIFT = 0.02  # [m] drift of a vehicle in a smoothed round above which its step shrinks
LARGEST_TRAVEL = 100.0  # [m] travel of a vehicle that ends its search


class Pace(NamedTuple):
    """Rounds of a search.

    ``stall_rounds``: rounds between two checks for a stall; ``step_ratio``: of two successive step
    lengths that decrease; ``fading``: most rounds at the end of the smoothed phase, for the decay of
    forces between wheels.
    """

    stall_rounds: int
    step_ratio: float
    fading: int


PATIENT, QUICK = Pace(100, 0.98, 60), Pace(25, 0.9, 20)


class Restless(NamedTuple):
    """Failed search of a vehicle: body of the largest acceleration, that acceleration and its tolerance
    [m/s^2]."""

    body: str
    acceleration: float
    allowed: float


class StaticSearch:
    """Search for the static equilibrium of the vehicles of a batch.

    Arguments:
        batch: the vehicles; the search overwrites its states, tables of laws and step lengths.
        tolerance: tolerance on the largest acceleration [m/s^2].
        scrub: whether the wheels have their own friction in the first phase, too.
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
        if work.model.circuit is not None:  # a batch of one vehicle
            lock_pistons(work)
            space = self.store.load(0)
            lock_pistons(space)
            self.store.put(0, space)
        self._scale = self._scales()

    def solve(self) -> dict[int, Restless]:
        """Search the equilibrium of all vehicles; returns the failures by vehicle number."""
        batch = self.batch
        self.store.column("parted")[:] = np.inf  # joint errors must not stop a vehicle during the search
        self._ruts: NDArray[np.float64] = self.store.rows("contact.grounds.memory").copy()
        mechanism = batch.model.mechanism
        self.plane_constraint: PlaneConstraint = PlaneConstraint(
            mechanism, batch.model.body_index, self.store.rows("position")
        )
        everyone = vehicles = np.arange(batch.n)
        self.store.rows("static_load")[:] = 0.0
        start = self.store.states.copy(), self.store.counters.copy(), self.store.plan.copy()
        worst, found = np.zeros(batch.n), np.zeros_like(self._scale)
        self._smoothed = smooths = bool(mechanism.wheels) and not self.scrub and not casters(mechanism)
        with ThreadPoolExecutor(self.threads) as self._pool:
            for patient in (True,) if self.patient else (False, True):
                self.store.states[vehicles], self.store.counters[vehicles], self.store.plan[vehicles] = (
                    x[vehicles] for x in start
                )
                batch.stopped.clear()
                self._pace = PATIENT if patient else QUICK
                # small pivots at long steps do no harm; only the last steps are monitored
                self.store.column("pivot_planned")[vehicles] *= patient
                if smooths:
                    self._solve_smoothed(vehicles, patient)
                    found[vehicles] = self._accelerations(vehicles, STEADY)
                    worst = np.max(np.abs(found), axis=1, initial=0.0)
                moves = (
                    ~(worst <= self._allowed()) | self.joints_are_open() if smooths else worst == worst
                )
                left = vehicles[moves[vehicles]]
                if left.size:
                    self.store.rows("static_load")[left] = 0.0
                    undo = self._let_creep()
                    restore_limits = limit_passes(batch, math.inf if patient else QUICK_PASSES)
                    self._take_long_steps(left, patient)
                    self._take_short_steps(left, patient)
                    restore_limits()
                    self._take_loads(left)
                    found[left] = self._accelerations(left, 3)
                    undo()
                pivots = np.array([plan.pivot for plan in self.store.plans])
                self.store.column("pivot_planned")[vehicles] = pivots[self.store.plan[vehicles]]
                worst = np.max(np.abs(found), axis=1, initial=0.0)
                vehicles = np.flatnonzero(
                    ~(worst <= self._allowed()) | self.joints_are_open() | self._stopped()
                )
                if not vehicles.size or self.clock.over:
                    break
            allowed, vehicles = (
                self._allowed(),
                vehicles[~self._stopped()[vehicles] & ~(worst <= self._allowed())[vehicles]],
            )
            for _ in range(3):  # impulses and active sets become those of an ordinary step
                self._round(everyone, np.full(batch.n, ACCELERATION_STEP))
        self.clock.end()
        self.store.column("parted")[:] = self.parted
        names = list(batch.model.body_index)
        return {
            k: Restless(names[int(np.argmax(np.abs(found[k]))) // 6], float(worst[k]), float(allowed[k]))
            for k in vehicles.tolist()
        }

    def gone(self) -> NDArray[np.float64]:
        """Displacement of each vehicle in the plane, the mean of its wheels [m], (n, 2)."""
        if not self.plane_constraint.wheels.size:
            return np.zeros((self.batch.n, 2))
        return self.plane_constraint.gone(self.store.rows("position"))

    def rest(self) -> None:
        """Reset velocities, time, counts and ruts after the search; unlock the pistons."""
        self.store.rows("velocity")[:] = 0.0
        self.store.rows("contact.rows.u")[:] = 0.0
        if self.store.work.model.circuit is not None:
            space = self.store.load(0)
            at_rest(space)
            self.store.put(0, space)
        self.store.rows("contact.grounds.memory")[:] = self._ruts  # ruts of the search are removed
        for name in ("time", "residual_max", "error_m_max", "error_rad_max"):
            self.store.column(name)[:] = 0.0
        for name in ("steps", "missed", "iterations"):
            self.store.counts(name)[:] = 0

    def _changed(self, relax: Callable[[Any], Callable[[], None]]) -> Callable[[], None]:
        """Relax the wheels by ``relax``, in the model and in each vehicle's own parameters.

        Returns the function that restores model and parameters.
        """
        work = self.store.work
        before, values = work.F.copy(), self.store.values
        undo = relax(work)
        self.store.values = values.copy()
        for column, place in enumerate(self.store.places(work.N)):
            if work.F[place] != before[place]:
                creeps = before[place] != 0.0 and self.store.keys[column][0] == "contact.wheels.each"
                share = work.F[place] / before[place] if creeps else 0.0
                self.store.values[:, column] = share * values[:, column] if creeps else work.F[place]
        self.store.forget_spaces()

        def restore() -> None:
            undo()
            self.store.values = values
            self.store.forget_spaces()

        return restore

    def _let_creep(self) -> Callable[[], None]:
        return self._changed(let_creep)

    def _solve_smoothed(self, vehicles: NDArray[Any], patient: bool) -> None:
        """First phase: wheels without static friction, the vehicle's position fixed in the plane.

        Of all sets of wheel forces in equilibrium, viscous forces in proportion to the load are nearly
        the
        smallest: no two wheels act against each other. The static friction of the second phase keeps
        these forces.
        """
        self._constrained = can_be_constrained(self.batch.model.mechanism)
        restore_limits = limit_passes(self.batch, MAX_PLAIN_PASSES)  # the law is linear
        undo = self._ease(V_0_FACTOR)
        self._take_long_steps(vehicles, patient)
        undo()
        # the viscous coefficient stays far above ``m / h``: the wheel forces balance nearly all of the
        # weight's component along a slope
        firmer = ACCELERATION_STEP / LONGEST_STEP
        undo = self._ease(firmer * V_0_FACTOR)
        self._take_loads(vehicles)  # joint deflections become independent of the step length
        self._take_short_steps(vehicles, patient)
        undo()
        undo = self._ease(firmer**2 * V_0_FACTOR)
        for step in np.geomspace(LONGEST_SMOOTHED_STEP, ACCELERATION_STEP, self._pace.fading // 2):
            found = self._round(vehicles, np.full(vehicles.size, step))
            if self.clock.over:
                break
        for k in range(self._pace.fading):
            if k < 3:
                self._take_loads(vehicles)
            last, found = found, self._accelerations(vehicles, 1)
            fades = np.max(np.abs(found - last), axis=1, initial=0.0) >= LEAST_ACCELERATION_CHANGE
            vehicles, found = vehicles[fades], found[fades]
            if not vehicles.size or self.clock.over:
                break
        restore_limits()
        self._constrained = False
        undo()

    def _ease(self, eased: float) -> Callable[[], None]:
        model = self.batch.model
        return self._changed(lambda work: smooth_wheels(work, model.mechanism, model.channels, eased))

    def _take_loads(self, vehicles: NDArray[Any]) -> None:
        """Store the rows' loads as ``static_load``, at which their numerical compliance has no
        effect."""
        step = self.store.column("step")[vehicles]
        self.store.rows("static_load")[vehicles] = self.store.rows("impulse")[vehicles] / step[:, None]

    def _accelerations(self, vehicles: NDArray[Any], rounds: int) -> NDArray[np.float64]:
        """Accelerations (m, 6 bodies) in the last of ``rounds`` rounds of step length
        ``ACCELERATION_STEP``, scaled as in :meth:`_round`."""
        found = np.zeros((vehicles.size, self._scale.shape[1]))
        for _ in range(rounds):
            found = self._round(vehicles, np.full(vehicles.size, ACCELERATION_STEP))
        return found

    # rounds ----------------------------------------------------------------------------------
    def _take_long_steps(self, going: NDArray[Any], patient: bool) -> None:
        """Rounds with step lengths that grow from 5 ms to 1 s while the accelerations decrease."""
        near: Any = False
        n, monitor, extrapolation = self.batch.n, self._monitor(), Extrapolation(self._scale)
        step, before, last = np.full(n, FIRST_STEP), np.full(n, FIRST_STEP), np.full(n, np.inf)
        longest = np.full(
            n, LONGEST_SMOOTHED_STEP if self._smoothed and not self._constrained else LONGEST_STEP
        )
        for k in range(self.rounds):
            h, old = step[going], before[going]
            found = self._round(going, h)
            worst = np.max(np.abs(found), axis=1, initial=0.0)
            # the acceleration in a long step is smaller by 1/(1 + (h w)^2): a smaller tolerance is
            # needed
            done = (worst < 1e-3 * self.tolerance) | ((worst < self.tolerance) & (h < 1.1e-3))
            stalls = monitor.stalls(k, going, worst)
            if self._constrained:
                done |= stalls
            elif self._smoothed:
                near = worst < QUICK_TOLERANCE * self._allowed()[going]
                done |= stalls & near
                longest[going[stalls & ~near]] = LONGEST_STEP
            elif not patient:
                self._leap(extrapolation, going, found, h, old)
                near = worst < QUICK_TOLERANCE * self._allowed()[going]
                done |= (stalls | extrapolation.there[going]) & near
            # h is not reduced for accelerations that grow only because of another h: in stiff directions
            # by 1/h^2 with a shorter step, at first also with a longer one
            better = near | (worst < last[going] * np.maximum(h / old, (old / h) ** 2))
            better &= self._drift[going] < LARGEST_ROUND_DRIFT
            before[going], last[going] = h, worst
            step[going] = np.where(
                better, np.minimum(1.3 * h, longest[going]), np.maximum(h / 1.3, 1e-3)
            )
            going = going[~done & ~self._stopped()[going] & ~self._ran_away()[going]]
            if not going.size or self.clock.over:
                break
        self._step: NDArray[np.float64] = step

    def _monitor(self) -> StallMonitor:
        return StallMonitor(self.batch.n, self._pace.stall_rounds)

    def _leap(
        self, extrapolation: Extrapolation, vehicles: NDArray[Any], found: Any, h: Any, old: Any
    ) -> None:
        """Extrapolate the slowest motion of the vehicles with a constant step length.

        ``found``: accelerations of the round; ``h``, ``old``: step lengths of this and the last round
        [s].
        """
        by = found / self._scale[vehicles] * (h * h)[:, None]  # displacement in the round
        vehicles, by = extrapolation.after(vehicles, by, h == old)
        if vehicles.size:
            n = self._scale.shape[1] // 6  # bodies without the ground, which is the last in the arrays
            x, q = self.store.rows("position")[:, : 3 * n], self.store.rows("quaternion")[:, : 4 * n]
            poses = x[vehicles], q[vehicles]
            moved(*poses, by)
            x[vehicles], q[vehicles] = poses

    def _take_short_steps(self, going: NDArray[Any], patient: bool) -> None:
        """Rounds with step lengths that decrease to 5 ms.

        Joint rows deflect by the compliance floor of the factorisation times their impulse F h, an error
        of long steps that shorter steps remove.
        """
        step, monitor, extrapolation = self._step, self._monitor(), Extrapolation(self._scale)
        going = going[~self._stopped()[going] & ~self._ran_away()[going]]
        for k in range(self.rounds):
            if not going.size or self.clock.over:
                break
            old = step[going]
            step[going] = h = np.maximum(self._pace.step_ratio * old, FIRST_STEP)
            found = self._round(going, h)
            worst = np.max(np.abs(found), axis=1, initial=0.0)
            small, stalls = worst < 0.3 * self.tolerance, monitor.stalls(k, going, worst)
            if self._constrained:
                small |= stalls
            elif self._smoothed:
                small |= stalls & (worst < QUICK_TOLERANCE * self._allowed()[going])
            elif not patient:
                self._leap(extrapolation, going, found, h, old)
                stays = stalls | extrapolation.there[going]
                small |= stays & (worst < QUICK_TOLERANCE * self._allowed()[going])
            going = going[
                ~((h == FIRST_STEP) & small) & ~self._stopped()[going] & ~self._ran_away()[going]
            ]

    def _round(self, vehicles: NDArray[Any], step: NDArray[np.float64]) -> NDArray[np.float64]:
        """One step of ``vehicles`` from zero velocities, which ends at time zero.

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

    def _ran_away(self) -> NDArray[np.bool_]:
        """Whether each vehicle has travelled more than ``LARGEST_TRAVEL``, (n,)."""
        return np.hypot(*self.gone().T) > LARGEST_TRAVEL

    def _allowed(self) -> NDArray[np.float64]:
        """Tolerance on each vehicle's accelerations [m/s^2], (n,).

        At least ``YIELDING_AMPLIFICATION floor |p| / h``, at most ``LARGEST_YIELDING_TOLERANCE``: the
        factorisation gives every row a small compliance (``floor``), whose accelerations do not vanish
        in any pose."""
        p = np.abs(self.store.rows("impulse"))
        scales = np.stack([plan.scale[: p.shape[1]] for plan in self.store.plans])
        give = np.max(scales[self.store.plan] * p, axis=1, initial=0.0)
        give *= YIELDING_AMPLIFICATION / self.store.column("step")
        return np.maximum(self.tolerance, np.minimum(give, LARGEST_YIELDING_TOLERANCE))

    # memory ----------------------------------------------------------------------------------
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
        """Whether a vehicle has a joint error above ``RELATIVE_JOINT_ERROR`` times its size, (n,)."""
        errors = np.abs(self.store.rows("error")[:, self.store.work.machine.angular == 0])
        return np.max(errors, axis=1, initial=0.0) > RELATIVE_JOINT_ERROR * self.parted

    def _stopped(self) -> NDArray[np.bool_]:
        found = np.zeros(self.batch.n, bool)
        found[list(self.batch.stopped)] = True
        return found
