"""Any code that can give a mass matrix, a Jacobian and velocities."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..kernels import layout as at
from .kernels import layout as L
from .wheels_on_ground import HostError, WheelsOnGround

_GROUND = L.CHECK | L.SOLVE | L.REPORT


class GenericHost:
    """Wheels on the ground of a code with ``M v+ = M v + h f + J' h W`` and perhaps ``E v+ = c``.

    Arguments:
        ground: the wheels.
        freedoms: n, number of velocities of the host.
        constraints: ne, number of its bilateral rows at velocity level, 0 where M is that of
            minimal coordinates.

    ``impulse`` (n,), ``change`` (n,): the generalised impulse of the ground [N s, N m s] and what it
    does to the velocities, constraints included: ``v+ = v_free + change``. ``mobility`` (n, C) is
    that response per channel.
    """

    def __init__(self, ground: WheelsOnGround, freedoms: int, constraints: int = 0) -> None:
        n, ne, C = freedoms, constraints, at.CHANNELS * ground.count
        self.ground, self.freedoms, self.constraints = ground, n, ne
        self.A, self.mobility, self._H = np.zeros((C, n)), np.zeros((n, C)), np.zeros((n, n))
        self._Y, self._S, self._T = np.zeros((n, ne)), np.zeros((ne, ne)), np.zeros((ne, C))
        self.impulse, self.change = np.zeros(n), np.zeros(n)
        self._none, self._hard = np.zeros((0, n)), np.zeros(ne)

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
        """One step's contacts; returns ``change``, a view: ``v+ = v_free + change``.

        Arguments:
            step: h [s].
            position, axis: wheel centres [m] and spin axes (unit, left), world, (W, 3).
            J: the wheels' twists over the velocities, (6 W, n): velocity of the centre, then angular
                velocity, world axes.
            M: mass matrix of the step, (n, n): with ``h D`` of a damper the host takes implicitly,
                ``h^2 K`` of such a spring, and ``E' diag(w) E`` of rows it holds by penalty.
            v, v_free: velocities at the start of the step, and at its end without the ground, (n,).
            E: bilateral rows, (ne, n). soft: their compliance [1/kg], (ne,), 0 is hard.

        Raises:
            HostError: wrong shape, not finite, M not positive definite, E dependent beyond repair, or
                anything ``WheelsOnGround.solve`` refuses. Nothing has changed then.
        """
        from .kernels import dense

        ground, n, W = self.ground, self.freedoms, self.ground.count
        J, M = _taken("J", J, (6 * W, n)), _taken("M", M, (n, n))
        v, v_free = _taken("v", v, (n,)), _taken("v_free", v_free, (n,))
        E = self._none if E is None else _taken("E", E, (self.constraints, n))
        soft = self._hard if soft is None else _taken("soft", soft, (self.constraints,))
        ground.position[...] = _taken("position", position, (W, 3))
        ground.axis[...] = _taken("axis", axis, (W, 3))
        ground.call(step, L.DETECT)
        code = dense.prepare(
            ground.map, J, M, E, soft, v, v_free, self.A, self._H, self.mobility, self._Y,
            self._S, self._T, ground.B, ground.u, ground.u_free,
        )  # fmt: skip
        if code >= 0:
            raise HostError(self._sentence(code, {"M": M, "J": J, "v": v, "v_free": v_free}))
        ground.call(step, _GROUND)
        dense.respond(self.A, self.mobility, ground.impulses, self.impulse, self.change)
        return self.change

    def _sentence(self, code: int, given: dict[str, NDArray[np.float64]]) -> str:
        if code == self.freedoms + 1:
            name = next(name for name, a in given.items() if not np.isfinite(a).all())
            place = tuple(int(k) for k in np.argwhere(~np.isfinite(given[name]))[0])
            return f"GenericHost: {name}{list(place)} = {given[name][place]} is not finite"
        if code == self.freedoms + 2:
            return "GenericHost: the rows of E contradict or repeat each other; leave out repeated ones"
        return (
            f"GenericHost: M is not positive definite: nothing resists freedom {code} "
            f"(M[{code}, {code}] = {given['M'][code, code]:.6g})"
        )


def _taken(name: str, value: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float64]:
    array = np.ascontiguousarray(value, dtype=np.float64)
    if array.shape != shape:
        raise HostError(f"GenericHost: {name} has shape {array.shape}, needs {shape}")
    return array
