"""Phases of the search for static equilibrium of many vehicles, each independent of the others."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from contact.kernels.solve.agreement import MAX_PLAIN_PASSES

from .casters import casters
from .convergence import Extrapolation, StallMonitor, moved
from .plane_constraint import can_be_constrained
from .search_rounds import ACCELERATION_STEP, SearchRounds
from .smoothing import (
    QUICK_PASSES,
    V_0_FACTOR,
    let_creep,
    limit_passes,
    smooth_wheels,
)

FIRST_STEP = 5e-3  # [s] step length of the first rounds
# [s] longest step length h: a round multiplies the error of a mode of angular frequency w by
# 1/(1 + (h w)^2), but the deflection of the joints by their numerical compliance grows with h^2
LONGEST_STEP = 1.0
QUICK_TOLERANCE = 0.2  # ratio of acceleration to tolerance below which a stall ends a search
STEADY = 5  # rounds with unsmoothed friction before the accelerations are checked
# [s] longest step length, until a stall, in the phase after the one with smoothed friction
LONGEST_SMOOTHED_STEP = 0.05


class SearchEffort(NamedTuple):
    """Numbers of rounds and step ratio of a patient or a quick search.

    ``stall_rounds``: rounds between two checks for a stall; ``step_ratio``: ratio of successive step
    lengths; ``fading``: largest number of rounds at the end of the phase with smoothed friction, in
    which opposed forces of wheels decay; half as many rounds of decreasing step length precede them.
    """

    stall_rounds: int
    step_ratio: float
    fading: int


PATIENT, QUICK = SearchEffort(100, 0.98, 60), SearchEffort(10, 0.7, 10)


class Restless(NamedTuple):
    """Failed search of a vehicle: body of the largest acceleration, that acceleration and its tolerance
    [m/s^2]."""

    body: str
    acceleration: float
    allowed: float


class StaticSearch(SearchRounds):
    """Search for the static equilibrium of the vehicles of a batch; arguments as of ``SearchRounds``."""

    def solve(self) -> dict[int, Restless]:
        """Search the equilibrium of all vehicles; returns the failures by vehicle number."""
        batch = self.batch
        self._begin()
        everyone = vehicles = np.arange(batch.n)
        start = self.store.states.copy(), self.store.counters.copy(), self.store.plan.copy()
        worst, found = np.zeros(batch.n), np.zeros_like(self._scale)
        mechanism = batch.model.mechanism
        self._smoothed = bool(mechanism.wheels) and not self.scrub and not casters(mechanism)
        with ThreadPoolExecutor(self.threads) as self._pool:
            for patient in (True,) if self.patient else (False, True):
                self.store.states[vehicles], self.store.counters[vehicles], self.store.plan[vehicles] = (
                    x[vehicles] for x in start
                )
                batch.stopped.clear()
                self._attempt(vehicles, patient, found)
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

    def _attempt(self, vehicles: NDArray[Any], patient: bool, found: NDArray[np.float64]) -> None:
        """Run the two phases of the search from the present states; write the final accelerations to
        ``found[vehicles]``."""
        self._pace = PATIENT if patient else QUICK
        # 0 switches off the check of the factorisation's pivots in a quick search, whose long steps
        # tolerate small pivots
        self.store.column("pivot_planned")[vehicles] *= patient
        left = vehicles
        if self._smoothed:
            self._solve_smoothed(vehicles, patient)
            found[vehicles] = self._accelerations(vehicles, STEADY)
            worst = np.max(np.abs(found), axis=1, initial=0.0)
            left = vehicles[(~(worst <= self._allowed()) | self.joints_are_open())[vehicles]]
        if left.size:
            self.store.rows("static_load")[left] = 0.0
            undo = self._let_creep()
            restore_limits = limit_passes(self.batch, math.inf if patient else QUICK_PASSES)
            self._take_long_steps(left, patient)
            self._take_short_steps(left, patient)
            restore_limits()
            self._take_loads(left)
            found[left] = self._accelerations(left, 3)
            undo()

    def _let_creep(self) -> Callable[[], None]:
        return self._changed(let_creep)

    def _solve_smoothed(self, vehicles: NDArray[Any], patient: bool) -> None:
        """First phase: wheels without static friction, the vehicle's position fixed in the plane.

        Of all sets of wheel forces in equilibrium, viscous forces in proportion to the load are nearly
        the smallest: no two wheels act against each other. The static friction of the second phase
        keeps these forces.
        """
        self._constrained = can_be_constrained(self.batch.model.mechanism)
        restore_limits = limit_passes(self.batch, MAX_PLAIN_PASSES)  # enough for the linear viscous law
        undo = self._smooth(V_0_FACTOR)
        self._take_long_steps(vehicles, patient)
        undo()
        # the viscous coefficient remains far above m / h (mass over step length): the wheel forces
        # balance nearly all of the weight's component along a slope
        firmer = ACCELERATION_STEP / LONGEST_STEP
        undo = self._smooth(firmer * V_0_FACTOR)
        self._take_loads(vehicles)  # joint deflections become independent of the step length
        self._take_short_steps(vehicles, patient)
        undo()
        undo = self._smooth(firmer**2 * V_0_FACTOR)
        for step in np.geomspace(LONGEST_SMOOTHED_STEP, ACCELERATION_STEP, self._pace.fading // 2):
            found = self._round(vehicles, np.full(vehicles.size, step))
            if self.clock.over:
                break
        for k in range(self._pace.fading):
            if k < 3:
                self._take_loads(vehicles)
            last, found = found, self._accelerations(vehicles, 1)
            # [m/s^2] a smaller change of the acceleration in a round is the end of the decay
            fades = np.max(np.abs(found - last), axis=1, initial=0.0) >= 1e-10
            vehicles, found = vehicles[fades], found[fades]
            if not vehicles.size or self.clock.over:
                break
        restore_limits()
        self._constrained = False
        undo()

    def _smooth(self, factor: float) -> Callable[[], None]:
        model = self.batch.model
        return self._changed(lambda work: smooth_wheels(work, model.mechanism, model.channels, factor))

    def _take_long_steps(self, going: NDArray[Any], patient: bool) -> None:
        """Rounds with step lengths that grow from 5 ms to 1 s while the accelerations decrease."""
        near: Any = False
        n, monitor, extrapolation = self.batch.n, self._monitor(), Extrapolation(self._scale)
        wheeled, seen = bool(self.batch.model.mechanism.wheels), np.zeros_like(self._scale)
        step, before, last = np.full(n, FIRST_STEP), np.full(n, FIRST_STEP), np.full(n, np.inf)
        longest = np.full(
            n, LONGEST_SMOOTHED_STEP if self._smoothed and not self._constrained else LONGEST_STEP
        )
        for k in range(self.rounds):
            h, old = step[going], before[going]
            found = self._round(going, h)
            worst = np.max(np.abs(found), axis=1, initial=0.0)
            # a long step multiplies the acceleration of a mode of angular frequency w by
            # 1/(1 + (h w)^2): a smaller tolerance is needed
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
                done |= (stalls | extrapolation.negligible[going]) & near
            # h is not reduced for growth of the acceleration that a change of h alone explains: in a
            # stiff mode it grows as 1/h^2 if h decreases, and at first as h if h increases
            better = near | (worst < last[going] * np.maximum(h / old, (old / h) ** 2))
            better &= self._drift[going] < 0.02  # [m] a larger drift in a smoothed round reduces h
            if not wheeled:  # reversed accelerations: a body on a rod swings through its equilibrium
                better &= np.sum(found * seen[going], axis=1) >= 0.0
                seen[going] = found
            before[going], last[going] = h, worst
            step[going] = np.where(
                better, np.minimum(1.3 * h, longest[going]), np.maximum(h / 1.3, 1e-3)
            )
            going = going[~done & self._continue(going)]
            if not going.size or self.clock.over:
                break
        self._step: NDArray[np.float64] = step

    def _monitor(self) -> StallMonitor:
        return StallMonitor(self.batch.n, self._pace.stall_rounds)

    def _leap(
        self, extrapolation: Extrapolation, vehicles: NDArray[Any], found: Any, h: Any, old: Any
    ) -> None:
        """Extrapolate the slowest motion of each vehicle whose step length did not change.

        ``found``: accelerations of the round; ``h``, ``old``: step lengths of this and the last round
        [s].
        """
        by = found / self._scale[vehicles] * (h * h)[:, None]  # displacement in the round [m, rad]
        vehicles, by = extrapolation.after(vehicles, by, h == old)
        if vehicles.size:
            n = self._scale.shape[1] // 6  # bodies without the ground, which is the last in the arrays
            x, q = self.store.rows("position")[:, : 3 * n], self.store.rows("quaternion")[:, : 4 * n]
            poses = x[vehicles], q[vehicles]
            moved(*poses, by)
            x[vehicles], q[vehicles] = poses

    def _take_short_steps(self, going: NDArray[Any], patient: bool) -> None:
        """Rounds with step lengths that decrease to 5 ms.

        The factorisation gives every row a small compliance (floor), by which a joint under the force F
        deflects by ``floor F h^2`` in a step of length h: shorter steps remove this error.
        """
        step, monitor, extrapolation = self._step, self._monitor(), Extrapolation(self._scale)
        going = going[self._continue(going)]
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
                stays = stalls | extrapolation.negligible[going]
                small |= stays & (worst < QUICK_TOLERANCE * self._allowed()[going])
            going = going[~((h == FIRST_STEP) & small) & self._continue(going)]
