"""One run, reduced to what every case has in common, so that all are measured alike."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from contact import WheelContact
from mlcp import MLCP


@dataclass(frozen=True)
class History:
    """A run over time; a record is the end of a step.

    time: (n,) [s]. speeds: (n, k) [m/s], what is compared with the reference (v_x, rim speeds).
    position: (n,) of the vehicle along its heading [m]. slip: (n, wheels) [-]. thrust, resistance,
    load: (n, wheels) [N]. lost: energy that neither ground, brake nor air has taken [J];
    turned_over: energy that went in, what it started with included [J]. passes: (n,). problems:
    sampled reduced problems of the run, as the last pass laid them.
    """

    time: NDArray[np.float64]
    speeds: NDArray[np.float64]
    position: NDArray[np.float64]
    slip: NDArray[np.float64]
    thrust: NDArray[np.float64]
    resistance: NDArray[np.float64]
    load: NDArray[np.float64]
    lost: float
    turned_over: float
    passes: NDArray[np.float64]
    missed: int
    residual: float
    steps: int
    wall_s: float
    problems: tuple[MLCP, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Goal:
    """What a run must come to, from the law alone.

    when: "end": in the last second; "braking": while the speed is between 0.6 and 0.4 of its first;
    "rest": at rest from ``since`` [s] on; "law": every wheel on its law in the last second.
    slip, thrust, resistance: of the wheel, closed form ("end" and "braking").
    wheel: whose law to hold it against ("law").
    """

    when: str
    slip: float = np.nan
    thrust: float = np.nan
    resistance: float = np.nan
    since: float = np.inf
    wheel: WheelContact | None = None
    told: str = ""
