"""Many ``MjData`` of one model on soft ground, on all cores."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlcp.checks import shown
from mlcp.cores import cores

from ...terrain import Terrain
from ...wheel import WheelContact
from ..copies import HostError
from .floors import HostWarning
from .ground import MujocoGround


class MujocoGrounds:
    """The ground under n ``MjData`` of one model, each with wheels, ruts and bristles of its own.

    Each ``data`` goes as it would with a :class:`MujocoGround` of its own, to the byte: threads share
    the model, which no step changes, and nothing else. MuJoCo's step and ours let other threads run.

    Arguments:
        model: ``MjModel``.
        wheels: as of :class:`MujocoGround`.
        n: how many.
        terrain, left, settings: as of :class:`MujocoGround`, for all of them.

    Raises:
        HostError: n is no whole number above 0; and as :class:`MujocoGround`.

    Use::

        grounds = MujocoGrounds(model, {"hub": wheel}, 64)
        grounds.step([mujoco.MjData(model) for _ in range(64)], steps=100)
    """

    def __init__(
        self,
        model: Any,
        wheels: Mapping[str | tuple[str, Any, Any], WheelContact],
        n: int,
        terrain: Terrain | None = None,
        left: tuple[float, float, float] = (0.0, 1.0, 0.0),
        **settings: Any,
    ) -> None:
        self.n: int = _whole("n", n, 1)
        first = MujocoGround(model, wheels, terrain, left, **settings)
        with warnings.catch_warnings():  # of floors the first has warned
            warnings.simplefilter("ignore", HostWarning)
            #: One for each ``data``; its ``ground`` says what its wheels do.
            self.grounds: list[MujocoGround] = [first]
            self.grounds += [copy.copy(first) for _ in range(self.n - 1)]

    def step(
        self, datas: Sequence[Any], steps: int = 1, threads: int | None = None
    ) -> NDArray[np.float64]:
        """Steps of every ``data``; the wheels' last wrenches (n, W, 6) [N, N m], world axes.

        Arguments:
            datas: as many ``MjData``, always in the same order: the k-th stands on the k-th ground.
            steps: of each; controls and applied forces stay as they are meanwhile.
            threads: at most; default: one for every core this process may use.

        Raises:
            HostError: another number of them, one of them twice, or one that cannot be solved, naming
                it; that one has stopped there, the others have done their steps.
        """
        steps = _whole("steps", steps, 0)
        threads = _whole("threads", cores() if threads is None else threads, 1)
        datas = list(datas)
        if len(datas) != self.n or len({id(data) for data in datas}) != self.n:
            raise HostError(
                f"MujocoGrounds: {len(datas)} datas for {self.n} grounds; give one MjData for each, all "
                "different"
            )

        def go(k: int) -> str:
            try:
                for _ in range(steps):
                    self.grounds[k].step(datas[k])
            except HostError as error:
                return f"data number {k}: {error}"
            return ""

        threads = min(threads, self.n)
        if threads == 1:
            found = [go(k) for k in range(self.n)]
        else:
            with ThreadPoolExecutor(threads) as pool:
                found = list(pool.map(go, range(self.n)))
        refused = [sentence for sentence in found if sentence]
        if refused:
            raise HostError(refused[0])
        return np.array([one.ground.wrench for one in self.grounds])

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, k: int) -> MujocoGround:
        return self.grounds[k]

    def __iter__(self) -> Iterator[MujocoGround]:
        return iter(self.grounds)


def _whole(name: str, value: Any, low: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < low:
        raise HostError(f"MujocoGrounds: {name} = {shown(value)} must be a whole number, at least {low}")
    return int(value)
