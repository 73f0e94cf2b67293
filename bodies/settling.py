"""The search for rest, many vehicles at once: each as if it were alone."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .batch import Batch
from .casters import casters
from .hydraulics.lowering import at_rest, lock_pistons
from .kernels import layout as L
from .settling_ease import CREEP, free_sideways, hurry, let_creep
from .settling_pace import Leap, Watch, moved

FIRST = 5e-3  # [s] step of the first rounds
LONGEST = 1.0  # [s] step of the late ones: a round leaves 1/(1 + (h w)^2) of an error, and joints
# give way by h^2 times their numerical compliance
JUDGED = 1e-3  # [s] step at which the acceleration is judged
MOST_GIVE = 0.01  # [m/s^2] and no pose is at rest that gives way by more
LEVER = 100.0  # arms, gears and wheels that stick to the ground make more of what a joint gives way
NEAR = 0.2  # of what is allowed, below which a quick search does not wait for less
CLOSED = 1e-6  # share of the mechanism's size by which joints may be apart at rest

#: Why a vehicle does not rest; it accelerates by the number.
Restless = dict[int, tuple[str, float, float]]


class Settling:
    """Vehicles of a batch on their way to rest.

    Arguments:
        batch: of this search alone: its states, tables of laws and steps are rewritten.
        tolerance: on the acceleration [m/s^2].
        scrub: keep the wheels' lateral friction.
        rounds: at most.
        patient: see :func:`bodies.equilibrium`; a quick search that fails is followed by a patient one.
        threads: that run the steps.
    """

    def __init__(
        self, batch: Batch, tolerance: float, scrub: bool, rounds: int, patient: bool, threads: int = 1
    ) -> None:
        self.batch: Batch = batch
        self.tolerance: float = tolerance
        self.scrub: bool = scrub
        self.rounds: int = rounds
        self.patient: bool = patient
        self.threads: int = threads
        self._pool: ThreadPoolExecutor
        work = batch._work
        self.parted: float = float(work.f(L.SCALAR)[L.PARTED])
        if work.model.circuit is not None:  # such a batch has one vehicle
            lock_pistons(work)
            space = batch._load(0)
            lock_pistons(space)
            batch._store(0, space)
        self._scale = self._scales()

    def settle(self) -> Restless:
        """Let all come to rest; those that do not, by number: body, acceleration, what is allowed."""
        batch = self.batch
        self._column(L.SCALAR, L.PARTED)[:] = np.inf  # on its way it may be anywhere
        self._ruts: NDArray[np.float64] = self._rows(L.MEMORY).copy()
        everyone = who = np.arange(batch.n)
        start = batch._states.copy(), batch._counters.copy(), batch._plan.copy()
        worst, found = np.zeros(batch.n), np.zeros_like(self._scale)
        with ThreadPoolExecutor(self.threads) as self._pool:
            undo = self._ease()
            for patient in (True,) if self.patient else (False, True):
                batch._states[who], batch._counters[who], batch._plan[who] = (x[who] for x in start)
                batch.stopped.clear()
                # pivots that long steps spoil are no harm on the way: the last steps are watched
                self._column(L.SCALAR, L.PIVOT_PLANNED)[who] *= patient
                give_back = hurry(batch, patient)
                self._settle_long(who, patient)
                self._settle_short(who, patient)
                give_back()
                pivots = np.array([plan.pivot for plan in batch._plans])
                self._column(L.SCALAR, L.PIVOT_PLANNED)[who] = pivots[batch._plan[who]]
                for _ in range(3):  # impulses and active sets that fit an ordinary step
                    found[who] = self._round(who, np.full(who.size, JUDGED))
                worst = np.max(np.abs(found), axis=1, initial=0.0)
                who = np.flatnonzero(~(worst <= self._allowed()) | self._apart() | self._stopped())
                if not who.size:
                    break
            allowed, who = self._allowed(), who[~self._stopped()[who] & ~(worst <= self._allowed())[who]]
            undo()
            for _ in range(3):  # and those of friction
                self._round(everyone, np.full(batch.n, JUDGED))
        self._column(L.SCALAR, L.PARTED)[:] = self.parted
        names = list(batch.model.body_index)
        return {
            k: (names[int(np.argmax(np.abs(found[k]))) // 6], float(worst[k]), float(allowed[k]))
            for k in who.tolist()
        }

    def rest(self) -> None:
        """What is left of the search goes: velocities, time, counts, tracks."""
        batch = self.batch
        self._rows(L.VELOCITY)[:] = 0.0
        self._rows(L.SOIL_U)[:] = 0.0
        if batch._work.model.circuit is not None:
            space = batch._load(0)
            at_rest(space)
            batch._store(0, space)
        self._rows(L.MEMORY)[:] = self._ruts  # settling leaves no tracks
        for k in (L.TIME, L.RESIDUAL_MAX, L.ERROR_M_MAX, L.ERROR_RAD_MAX):
            self._column(L.SCALAR, k)[:] = 0.0
        for k in (L.STEPS, L.MISSED, L.ITERATIONS):
            batch._counters[:, batch._first_counter(L.COUNT_I) + k] = 0

    def _ease(self) -> Callable[[], None]:
        """Let go what need not hold while the springs settle; returns what undoes it."""
        batch, work = self.batch, self.batch._work
        before, values = work.F.copy(), batch._values
        undo = [let_creep(work)]
        if not self.scrub and not casters(batch.model.mechanism):
            undo.append(free_sideways(work, batch.model.mechanism, batch.model.channels))
        batch._values = values.copy()
        for column, place in enumerate(batch._places(work.N)):  # numbers of a vehicle's own likewise
            if work.F[place] != before[place]:
                creeps = batch._keys[column][0] != L.SOIL_LATERAL
                batch._values[:, column] = values[:, column] * CREEP if creeps else work.F[place]
        batch._forget_spaces()

        def restore() -> None:
            for one in undo:
                one()
            batch._values = values
            batch._forget_spaces()

        return restore

    # rounds ----------------------------------------------------------------------------------
    def _settle_long(self, going: NDArray[Any], patient: bool) -> None:
        """Steps that grow from 5 ms to 1 s while the accelerations shrink."""
        near: Any = False
        n, watch, leap = self.batch.n, Watch(self.batch.n), Leap(self._scale)
        step, before, last = np.full(n, FIRST), np.full(n, FIRST), np.full(n, np.inf)
        for k in range(self.rounds):
            h, old = step[going], before[going]
            found = self._round(going, h)
            worst = np.max(np.abs(found), axis=1, initial=0.0)
            # a long step answers a push by 1/(1 + (h w)^2): ask for less than the tolerance
            done = (worst < 1e-3 * self.tolerance) | ((worst < self.tolerance) & (h < 1.1e-3))
            if not patient:
                self._leap(leap, going, found, h, old)
                stays = watch.stalls(k, going, worst) | leap.there[going]
                near = worst < NEAR * self._allowed()[going]
                done |= stays & near
            # a shorter step answers by more, in stiff directions by 1/h^2: no reason to shorten it
            better = near | (worst < last[going] * np.maximum(1.0, (old / h) ** 2))
            before[going], last[going] = h, worst
            step[going] = np.where(better, np.minimum(1.3 * h, LONGEST), np.maximum(h / 1.3, 1e-3))
            going = going[~done & ~self._stopped()[going]]
            if not going.size:
                break
        self._step: NDArray[np.float64] = step

    def _leap(self, leap: Leap, who: NDArray[Any], found: Any, h: Any, old: Any) -> None:
        """To where the slowest motion leads, of those whose steps have become steady."""
        by = found / self._scale[who] * (h * h)[:, None]  # what the round has moved them
        who, by = leap.after(who, by, h == old)
        if who.size:
            n = self._scale.shape[1] // 6  # the ground comes after them
            x, q = self._rows(L.POSITION)[:, : 3 * n], self._rows(L.QUATERNION)[:, : 4 * n]
            poses = x[who], q[who]
            moved(*poses, by)
            x[who], q[who] = poses

    def _settle_short(self, going: NDArray[Any], patient: bool) -> None:
        """Steps that shrink again to 5 ms: joint rows give by the compliance floor of the factorisation
        times their impulse F h, and what a long step leaves wrong by it shorter ones take away."""
        step, watch, leap = self._step, Watch(self.batch.n), Leap(self._scale)
        going = going[~self._stopped()[going]]
        for k in range(self.rounds):
            if not going.size:
                break
            old = step[going]
            step[going] = h = np.maximum(0.98 * old, FIRST)
            found = self._round(going, h)
            worst = np.max(np.abs(found), axis=1, initial=0.0)
            small = worst < 0.3 * self.tolerance
            if not patient:
                self._leap(leap, going, found, h, old)
                stays = watch.stalls(k, going, worst) | leap.there[going]
                small |= stays & (worst < NEAR * self._allowed()[going])
            going = going[~((h == FIRST) & small) & ~self._stopped()[going]]

    def _round(self, who: NDArray[Any], step: NDArray[np.float64]) -> NDArray[np.float64]:
        """One step from rest at time zero of some vehicles; their accelerations (m, 6 bodies) [m/s^2],
        angular ones times the radius of gyration."""
        clock, batch = self._column(L.SCALAR, L.STEP), self.batch
        ratio = step / clock[who]
        clock[who] = step
        self._column(L.SCALAR, L.TIME)[who] = -step
        impulses, velocity = self._rows(L.CHANNEL_IMPULSE), self._rows(L.VELOCITY)
        impulses[who] *= ratio[:, None]
        velocity[who] = 0.0
        batch._round(1, self.threads, self._pool, who)
        return velocity[who, : self._scale.shape[1]] * self._scale[who] / step[:, None]

    def _allowed(self) -> NDArray[np.float64]:
        """The tolerance, or what the rows give way by, ``floor |p| / h`` times a lever [m/s^2].

        The factorisation gives every row a small compliance, and no pose is at rest below it."""
        p = np.abs(self._rows(L.IMPULSE))
        scales = np.stack([plan.scale[: p.shape[1]] for plan in self.batch._plans])
        give = np.max(scales[self.batch._plan] * p, axis=1, initial=0.0)
        give *= LEVER / self._column(L.SCALAR, L.STEP)
        return np.maximum(self.tolerance, np.minimum(give, MOST_GIVE))

    # memory ----------------------------------------------------------------------------------
    def _scales(self) -> NDArray[np.float64]:
        """What makes accelerations of bodies comparable: 1, or the radius of gyration [m]."""
        batch, work = self.batch, self.batch._work
        mass = np.tile(work.f(L.MASS), (batch.n, 1))
        inertia = np.tile(work.f(L.INERTIA), (batch.n, 1))
        for column, (array, place) in enumerate(batch._keys):
            if array in (L.MASS, L.INERTIA):
                table = mass if array == L.MASS else inertia
                table[:, place] = batch._values[:, column]
        scale = np.ones((batch.n, mass.shape[1], 6))
        diagonal = inertia.reshape(batch.n, -1, 9)[:, :, ::4]
        scale[:, :, 3:] = np.sqrt(diagonal.sum(axis=2) / (3.0 * mass))[:, :, None]
        return scale.reshape(batch.n, -1)

    def _rows(self, array: int) -> NDArray[np.float64]:
        """A state array of all vehicles."""
        N = self.batch._work.N
        return self.batch._states[:, N[2 * array] : N[2 * array + 1]]

    def _column(self, array: int, k: int) -> NDArray[np.float64]:
        """One number of it."""
        return self._rows(array)[:, k]

    def _apart(self) -> NDArray[np.bool_]:
        """Whose joints are apart."""
        errors = np.abs(self._rows(L.ERROR)[:, self.batch._work.i(L.ROW_ANGULAR_I) == 0])
        return np.max(errors, axis=1, initial=0.0) > CLOSED * self.parted

    def _stopped(self) -> NDArray[np.bool_]:
        found = np.zeros(self.batch.n, bool)
        found[list(self.batch.stopped)] = True
        return found
