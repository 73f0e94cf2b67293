"""Guidance loops on the rig, and what closed forms say of each."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

import rig
from rig.chassis import Bicycle
from rig.guidance import LookAhead, Loop, OffTrack, Stanley, gains, sampled_limit
from rig.steering import FirstOrder, ThirdOrderValve

U, LAG, WHEELBASE = 4.5, 0.2, 2.9  # [m/s], [s], [m]
K_E = 2.0  # [1/m^2] of the off-track law whose limit is looked for
GAIN = 12.0  # [1/rad] of the steering controller
DISTANCE = 5.0  # [m] look-ahead of the loop whose delay margin is looked for
LAWS = ("look-ahead", "off-track", "stanley")


@dataclass(frozen=True)
class Line:
    """One figure: closed form beside measurement, and how far apart they may be (a share of it)."""

    what: str
    unit: str
    closed: float
    measured: float
    tolerance: float

    @property
    def error(self) -> float:
        """Share of the closed form."""
        return abs(self.measured - self.closed) / abs(self.closed)

    @property
    def passed(self) -> bool:
        """Whether the promise holds."""
        return self.error <= self.tolerance


def off_path(
    guidance: object, *, tick: float, time: float, lag: float | None = None, off: float = 1e-5,
    gnss: object = None, speed: float = U,
) -> rig.Run:  # fmt: skip
    """The kinematic machine under a guidance law, from ``off`` m left of a straight path."""
    r = rig.Rig(
        tick, chassis="kinematic", steering=FirstOrder(lag=lag) if lag else "perfect", speed=speed,
        steering_controller="proportional", guidance=guidance,
        gnss=gnss or rig.make("gnss", "perfect", rate=1.0 / tick), start={"position": (0.0, off, 0.0)},
    )  # fmt: skip
    return r.run(time)


def growth(run: rig.Run) -> float:
    """Logarithm of how much farther the last quarter strays than the one before it."""
    y = np.abs(run["position"][:, 1])
    n = len(y) // 4
    return math.log(y[-n:].max() / y[-2 * n : -n].max())


def grows(run: rig.Run) -> bool:
    """Whether the last quarter strays farther than the one before it."""
    return growth(run) > 0.0


def limit(
    stable_above: Callable[[float], rig.Run], low: float, high: float, share: float = 1e-3
) -> float:
    """By bisection on growth: where the loop becomes stable, between an unstable and a stable value."""
    while high - low > share * high:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if grows(stable_above(middle)) else (low, middle)
    return 0.5 * (low + high)


def field_machine(law: str, seed: int) -> rig.Rig:
    """Bicycle, third-order valve and an RTK receiver, from 1 m off a straight path."""
    return rig.Rig(
        0.01, chassis="bicycle", steering="third-order valve", steering_controller="proportional",
        guidance=law, gnss="rtk", path=rig.straight(400.0), seed=seed, speed=U,
        start={"position": (0.0, 1.0, 0.0)},
    )  # fmt: skip


def lines() -> Iterator[Line]:
    """Every closed form beside its measurement."""
    for u in (1.0, 4.5, 10.0):
        b = Bicycle()
        run = rig.Rig(0.01, chassis=b, speed=u, start={"steer_angle": 0.02}).run(30.0)
        closed = u / (b.wheelbase + b.understeer_gradient * u * u)
        yield Line(f"bicycle, yaw gain at {u:g} m/s", "1/s", closed, run["yaw_rate"][-1] / 0.02, 1e-9)
    run = off_path(LookAhead(distance=8.0), tick=0.001, time=8.0, off=0.1)
    yield Line("look-ahead, e after 8 s over e at first", "", decayed(8.0, 8.0), _last(run), 1e-2)
    yield Line(
        "look-ahead, shortest distance with a steering lag", "m", U * LAG,
        limit(lambda d: off_path(LookAhead(distance=d), tick=0.001, time=12.0, lag=LAG),
              0.9 * U * LAG, 1.1 * U * LAG), 1e-2,
    )  # fmt: skip
    for late, words in ((0, "sampled at 10 Hz"), (1, "and a sample late")):
        closed = sampled_limit(U, LAG, 0.1, late=late)
        receiver = rig.make("gnss", "perfect", rate=10.0, latency=0.1 * late)
        found = limit(
            lambda d, gnss=receiver: off_path(
                LookAhead(distance=d), tick=0.001, time=20.0, lag=LAG, gnss=gnss
            ),
            0.9 * closed,
            1.1 * closed,
        )
        yield Line(f"look-ahead, the same {words}", "m", closed, found, 1e-2)
    closed = U * LAG * K_E
    found = limit(
        lambda k: off_path(OffTrack(k_e=K_E, k_psi=k), tick=0.001, time=12.0, lag=LAG),
        0.9 * closed,
        1.1 * closed,
    )
    yield Line("off-track, smallest k_psi with a steering lag", "1/m", closed, found, 1e-2)
    run = off_path(Stanley(gain=0.8, soft=0.0), tick=0.001, time=2.0, off=0.05)
    front = run["position"][:, 1] + WHEELBASE * np.sin(run["attitude"][:, 2])
    yield Line("stanley, decay rate", "1/s", 0.8, -math.log(front[-1] / front[0]) / 2.0, 1e-2)
    yield delay_margin()


def decayed(time: float, distance: float) -> float:
    """e(t)/e(0) of look-ahead without lag: exp(-s) (cos s + sin s), s = u t/l."""
    s = U * time / distance
    return math.exp(-s) * (math.cos(s) + math.sin(s))


def _last(run: rig.Run) -> float:
    return float(run["position"][-1, 1] / run["position"][0, 1])


def delay_margin() -> Line:
    """Dead time that the field machine's loop bears: by the linear chain, and by raising the latency.

    A fix is held for a period, half of it late in the mean; in sequence the chassis sees the steer
    angle of
    the tick's end, half a tick early.
    """
    tick, period, valve = 0.01, 0.1, ThirdOrderValve()
    chain = Loop(Bicycle(), valve, GAIN, *gains(DISTANCE), U, 0.5 * (period - tick))

    def run(ticks: int) -> float:
        r = rig.Rig(
            tick, chassis="bicycle", steering=valve, steering_controller="proportional", speed=U,
            gnss=rig.make("gnss", "perfect", rate=1.0 / period, latency=tick * ticks),
            guidance=LookAhead(distance=DISTANCE), start={"position": (0.0, 1e-3, 0.0)},
        )  # fmt: skip
        return growth(r.run(60.0))

    ticks, before = 0, run(0)
    while (now := run(ticks + 1)) <= 0.0:
        ticks, before = ticks + 1, now
    found = tick * (ticks + before / (before - now))
    return Line("field machine, latency that it bears", "s", chain.delay_margin()[0], found, 0.05)
