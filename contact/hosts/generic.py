"""Adapter for any multibody code that provides a mass matrix, a Jacobian and velocities."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.checks import shown
from mlcp.compiled.borrowed import Borrowed

from .. import checks
from ..kernels.wheel import layout as at
from .copies import Copied, HostError
from .kernels import layout as L
from .wheels_on_ground import WheelsOnGround, numbers, step_of

MOST = 10_000  # largest number of freedoms and of bilateral rows, since their matrices are dense
_GROUND = L.CHECK | L.SOLVE | L.REPORT


class GenericHost(Copied):
    """Wheels on the ground in a code with ``M v+ = M v + h f + J' h W``, optionally with ``E v+ = c``.

    M: mass matrix; v, v+: velocities at the start and end of the step h; f: generalised forces; J:
    Jacobian of the wheels' twists; W: wrenches of the ground on the wheels; E: bilateral rows with the
    right-hand side c.

    Arguments:
        ground: the wheels.
        freedoms: n, number of velocities of the host.
        constraints: ne, number of its bilateral rows at velocity level, 0 for minimal coordinates.

    ``impulse`` (n,) is the generalised impulse of the ground [N s, N m s], ``change`` (n,) the change of
    the velocities by this impulse and the constraints: ``v+ = v_free + change``. ``mobility`` (n, C) is
    the change of the velocities per unit impulse on each of the C contact coordinates, four a wheel.
    ``J``, ``M``, ``v``, ``v_free``, ``E``, ``soft``: last input of ``solve``. To save copies of arrays,
    a host may write directly into these arrays and into ``ground.position`` and ``ground.axis``, then
    call ``call``. It may write ``force`` (n,) [N, N m] in place of ``v_free``.

    Raises:
        ValueError: ``freedoms`` or ``constraints`` out of range, ``ground`` not a ``WheelsOnGround``.

    Copies and pickles have memory of their own, with a copy of ``ground``.
    """

    def __init__(self, ground: WheelsOnGround, freedoms: int, constraints: int = 0) -> None:
        from .kernels import dense

        who = "GenericHost"
        if not isinstance(ground, WheelsOnGround):
            raise HostError(f"{who}: ground = {shown(ground)} must be a WheelsOnGround")
        n = checks.whole(who, "freedoms", freedoms, 1, MOST)
        ne, C = checks.whole(who, "constraints", constraints, 0, MOST), at.CHANNELS * ground.count
        self.ground, self.freedoms, self.constraints = ground, n, ne
        self.J, self.M = np.zeros((6 * ground.count, n)), np.zeros((n, n))
        self.v, self.v_free, self.force = np.zeros(n), np.zeros(n), np.zeros(n)
        self.E, self.soft = np.zeros((ne, n)), np.zeros(ne)
        self.A, self.mobility = np.zeros((C, n)), np.zeros((n, C))
        self.impulse, self.change = np.zeros(n), np.zeros(n)
        H, Y, S, T = np.zeros((n, n)), np.zeros((n, ne)), np.zeros((ne, ne)), np.zeros((ne, C))
        self._options, self._rows = dense.DenseOptions(constraints=ne), ne
        self._shared = Borrowed(dense.Plant)
        self._shared.give(
            options=self._options, ground=ground.exchange(), jacobian=self.J, mass=self.M,
            velocity=self.v, free=self.v_free, force=self.force, channels=self.A, factor=H,
            response=self.mobility, impulse=self.impulse, change=self.change,
            constraints={
                "rows": self.E, "soft": self.soft, "response": Y, "delassus": S, "reduced": T
            },
        )  # fmt: skip
        self._arrays = (self.J, self.M, self.E, self.soft, self.v, self.v_free, self.A, H,
                        self.mobility, Y, S, T, self.impulse, self.change, self.force)  # fmt: skip
        self._step, self._shared_at = dense.generic_step.python, self._shared.address
        self._by_force = dense.FREE
        self._all = L.DETECT | _GROUND | dense.RESPOND

    def made_of(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (self.ground, self.freedoms, self.constraints), {}

    def arrays(self) -> tuple[NDArray[np.float64], ...]:
        return self._arrays

    def solve(
        self,
        step: float,
        position: ArrayLike,
        axis: ArrayLike,
        J: ArrayLike,
        M: ArrayLike,
        v: ArrayLike,
        v_free: ArrayLike,
        E: ArrayLike | None = None,
        soft: ArrayLike | None = None,
    ) -> NDArray[np.float64]:
        """Solve one step's contacts; returns ``change``, a view: ``v+ = v_free + change``.

        Arguments:
            step: step length h [s].
            position, axis: wheel centres [m] and spin axes (unit, left), world, (W, 3).
            J: Jacobian of the wheels' twists, (6 W, n): for each wheel the velocity of the centre, then
                the angular velocity, world axes.
            M: mass matrix of the step, (n, n); it includes ``h D`` of implicit dampers, ``h^2 K`` of
                implicit springs, and ``E' diag(w) E`` of rows imposed by a penalty w.
            v, v_free: velocities at the start of the step, and at the end without the ground, (n,).
            E: bilateral rows, (ne, n). soft: compliance of these rows [1/kg], (ne,); 0: rigid.

        Raises:
            HostError: wrong shape, not finite, M not positive definite, dependent rows of E, or input
                refused by ``WheelsOnGround.solve``. Inputs, forces and state are unchanged.
        """
        ground, rows = self.ground, self.constraints if E is not None else 0
        given = [
            ("J", self.J, J),
            ("M", self.M, M),
            ("v", self.v, v),
            ("v_free", self.v_free, v_free),
            ("position", ground.position, position),
            ("axis", ground.axis, axis),
        ]
        if E is not None:
            hard = np.zeros(rows) if soft is None else soft
            given += [("E", self.E, E), ("soft", self.soft, hard)]
        arrays = [
            (own, numbers(ground if name in ("position", "axis") else self, name, value))
            for name, own, value in given
            if value is not own
        ]
        before = [own.copy() for own, _ in arrays]
        rows_before = self._count_rows(rows)
        for own, array in arrays:
            own[...] = array
        try:
            return self.call(step)
        except HostError:
            for (own, _), old in zip(arrays, before, strict=True):
                own[...] = old
            self._count_rows(rows_before)
            raise

    def _count_rows(self, rows: int) -> int:
        """Set the number of active rows of E; return the previous number."""
        before, self._rows = self._rows, rows
        if rows != before:
            self._options.constraints = rows
        return before

    def call(self, step: float, by_force: bool = False) -> NDArray[np.float64]:
        """Solve one step with J, M (its lower triangle), v and v_free already in the arrays.

        Arguments:
            step: step length h [s].
            by_force: whether to compute ``v_free = v + h M^-1 force`` first.

        Raises:
            HostError: for the reasons listed at ``solve``.
        """
        ground = self.ground
        ground.step[0] = step_of("GenericHost", step)
        stages = self._all if ground.compiled else L.DETECT | L.CHECK
        code = self._step(self._shared_at, stages | self._by_force if by_force else stages)
        if code != L.DONE:
            raise HostError(self._sentence(code, by_force))
        if not ground.compiled:
            ground.call(step, L.SOLVE | L.REPORT)
            self._step(self._shared_at, self._all & ~(L.DETECT | _GROUND))
        else:
            ground.count_step()
        return self.change

    def _sentence(self, code: int, by_force: bool) -> str:
        from .kernels import dense

        if code == dense.NOT_FINITE:
            given = {"M": self.M, "J": self.J, "v": self.v, "v_free": self.v_free, "force": self.force}
            name = next(name for name, a in given.items() if not np.isfinite(a).all())
            place = tuple(int(k) for k in np.argwhere(~np.isfinite(given[name]))[0])
            return f"GenericHost: {name}{list(place)} = {given[name][place]} is not finite"
        if code == dense.REPEATED:
            return "GenericHost: the rows of E contradict or repeat each other; leave out repeated ones"
        if code < 100:
            return self.ground.sentence(code)
        k = code - 100
        what = "the host's mass matrix" if by_force else "GenericHost: M"
        return (
            f"{what} is not positive definite: nothing resists freedom {k} "
            f"(M[{k}, {k}] = {self.M[k, k]:.6g})"
        )


def accelerations(M: NDArray[np.float64], force: NDArray[np.float64]) -> NDArray[np.float64]:
    """Accelerations ``M^-1 force``; HostError for a singular M."""
    try:
        found: NDArray[np.float64] = np.linalg.solve(M, force).astype(np.float64, copy=False)
        return found
    except np.linalg.LinAlgError:
        bare = int(np.argmin(np.diag(M)))
        raise HostError(
            f"the host's mass matrix is not positive definite: nothing resists freedom {bare} "
            f"(M[{bare}, {bare}] = {M[bare, bare]:.6g})"
        ) from None
