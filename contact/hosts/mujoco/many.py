"""Steps of many ``MjData`` of one model on soft ground, on all cores."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlcp.checks import whole
from mlcp.cores import cores

from ...terrain import Terrain
from ...wheel import WheelContact
from ..copies import HostError
from .floors import HostWarning
from .ground import MujocoGround


class MujocoGrounds:
    """Ground under n ``MjData`` of one model, each with wheels, ruts and bristles of its own.

    Each ``data`` moves bit for bit as with a :class:`MujocoGround` of its own: threads share only the
    model, which no step changes. MuJoCo's step and the ground's release Python's global lock.

    Arguments:
        model: ``MjModel``.
        wheels: as of :class:`MujocoGround`.
        n: number of ``MjData``.
        terrain, left, settings: as of :class:`MujocoGround`, the same for all ``MjData``.

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
        self.n: int = whole("MujocoGrounds: n", n, 1, error=HostError)
        first = MujocoGround(model, wheels, terrain, left, **settings)
        with warnings.catch_warnings():  # the first ground has warned of floors
            warnings.simplefilter("ignore", HostWarning)
            #: One ``MujocoGround`` for each ``data``; its ``ground`` has the wheels' results.
            self.grounds: list[MujocoGround] = [first]
            self.grounds += [copy.copy(first) for _ in range(self.n - 1)]

    def step(
        self, datas: Sequence[Any], steps: int = 1, threads: int | None = None
    ) -> NDArray[np.float64]:
        """Step every ``data``; return the wheels' last wrenches (n, W, 6) [N, N m], world axes.

        Arguments:
            datas: n ``MjData``, always in the same order: the k-th with the k-th ground.
            steps: number of steps of each, with constant controls and applied forces.
            threads: largest number of threads; default: one for each core available to this process.

        Raises:
            HostError: not n different ``MjData``, or a step without a solution, naming its ``data``:
                this ``data`` stays before the failed step, the others have done all steps.
        """
        steps = whole("MujocoGrounds: steps", steps, 0, error=HostError)
        threads = cores() if threads is None else threads
        threads = whole("MujocoGrounds: threads", threads, 1, error=HostError)
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
