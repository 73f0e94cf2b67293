"""Timing record of a run in real time: computing time of each tick, deficit, overruns."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mlcp import renamed

from ..errors import checked
from .clock import SECOND


@renamed.attributes(late="overruns", late_ticks="overrun_count")
@dataclass
@checked.explained
class Accounts:
    """Timing of a run in real time, tick by tick.

        mean deficit      p = (1/N) sum (t_a - t_d)
        running deficit   D = max(0, wall time - simulated time)

    Arguments:
        tick: t_d, simulated time of a tick [ns].
        cost: t_a, computing time of each tick, shape (n,) [ns].
        wake: delay of each tick's beginning, shape (n,) [ns].
        behind: wall time less simulated time at the end of each tick, shape (n,) [ns].
        overruns: True for ticks that ended after their deadline, shape (n,).
        slips: (tick, shift [ns]) of each shift of the schedule.
        blocks: computing times of each block by name, shapes (n,) [ns].

    Source: Karkee, Steward, Kelkar, Kemp (2010), eq. 6.
    Differs from the source, whose integral runs over the computing time and is negative when late.
    """

    tick: int
    cost: NDArray[np.int64]
    wake: NDArray[np.int64]
    behind: NDArray[np.int64]
    overruns: NDArray[np.bool_]
    slips: list[tuple[int, int]] = field(default_factory=list)
    blocks: dict[str, NDArray[np.int64]] = field(default_factory=dict)

    @property
    def mean_deficit(self) -> float:
        """Mean deficit p [s]; negative: computation faster than real time."""
        return float((self.cost - self.tick).mean()) / SECOND

    @property
    def deficit(self) -> NDArray[np.float64]:
        """Running deficit D at the end of each tick, shape (n,) [s]."""
        return np.maximum(0, self.behind) / SECOND

    @property
    def overrun_count(self) -> int:
        """Count of ticks that ended after their deadline."""
        return int(self.overruns.sum())

    @property
    def worst(self) -> int:
        """Index of the tick with the longest computing time."""
        return int(self.cost.argmax())

    @property
    def cause(self) -> str:
        """Block with the largest share of the worst tick; "" without times of blocks."""
        k = self.worst
        name = max(self.blocks, key=lambda b: int(self.blocks[b][k]), default="")
        return name if name and self.blocks[name][k] > 0 else ""

    def percentiles(
        self, shares: tuple[float, ...] = (50.0, 90.0, 99.0, 99.9, 100.0)
    ) -> dict[str, list[float]]:
        """Percentiles ``shares`` [%] of computing time ("cost") and starting delay ("wake") [s]."""
        columns = {"cost": self.cost, "wake": self.wake}
        return {key: [float(x) / SECOND for x in np.percentile(v, shares)] for key, v in columns.items()}

    def __str__(self) -> str:
        cost = self.percentiles()["cost"]
        return (
            f"{len(self.cost)} ticks of {1e3 * self.tick / SECOND:g} ms, {self.overrun_count} late, "
            f"{len(self.slips)} slips, mean deficit {1e3 * self.mean_deficit:.4g} ms, computing time "
            f"p50 {1e3 * cost[0]:.3g}, p99 {1e3 * cost[2]:.3g}, worst {1e3 * cost[4]:.3g} ms (tick "
            f"{self.worst}{self._cause_text()})"
        )

    def _cause_text(self) -> str:
        if not self.cause:
            return ""
        return f", of which {self.cause} {1e3 * self.blocks[self.cause][self.worst] / SECOND:.3g} ms"
