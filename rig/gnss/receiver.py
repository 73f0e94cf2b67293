"""GNSS receiver: measured position of the reference point, with lever arm, noise and latency."""

from __future__ import annotations

import math
from dataclasses import dataclass, make_dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..block import Block, parameter
from ..catalogue import register
from ..errors import RigError, checked, known
from ..timing.clock import multiple

#: Correction of the antenna's lever arm: none, by the heading, or by heading, roll and pitch.
COMPENSATIONS = ("none", "heading", "attitude")


@checked.explained
def rotation(roll: float, pitch: float, yaw: float) -> NDArray[np.float64]:
    """Rotation matrix from vehicle to world axes, shape (3, 3): yaw, pitch, roll about z, y, x [rad]."""
    cr, sr, cp, sp = math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


@dataclass
class Receiver(Block):
    """Receiver: position of an antenna with a lever arm, sampled at a rate, with latency and noise:

        error = white + Gauss-Markov,    g' = g exp(-T/tau) + sigma sqrt(1 - exp(-2 T/tau)) n

    independent along x, y and z. g, g': Gauss-Markov noise of a sample and of the next one, T: sampling
    period, n: standard normal number. The noise depends on the seed and the index of the sample only.
    Presets ``perfect``, ``rtk``, ``dgnss`` and ``spp`` have other defaults.

    Arguments:
        rate: samples a second [1/s]; its period must be a multiple of the tick.
        latency: from sample to fix [s], a multiple of the tick.
        arm_x, arm_y, arm_z: antenna relative to the reference point, vehicle axes [m].
        white: standard deviation of the white noise [m].
        wander: standard deviation sigma of the Gauss-Markov noise [m].
        wander_time: time constant tau of the Gauss-Markov noise [s].
        heading_noise: standard deviation of the heading's white noise [rad].
        quality: quality of the fixes: 1, 2 or 4, see the signal "fix_quality".
        compensation: receiver's correction of the lever arm: "none", "heading", "attitude".
        outages: intervals (from, to) of sampling times without a fix [s].

    Raises:
        RigError: a number out of its range, an unknown quality or compensation, a period or latency
            that is no multiple of the tick.
    """

    category: ClassVar[str] = "gnss"
    keeps: ClassVar[tuple[str, ...]] = ("sample", "g", "queue")
    rate: float = parameter(10.0, "1/s", "samples a second", low=0.01, high=1000.0)
    latency: float = parameter(0.06, "s", "from sample to fix", low=0.0, high=10.0)
    arm_x: float = parameter(1.5, "m", "antenna ahead of the rear axle")
    arm_y: float = parameter(0.0, "m", "antenna to the left")
    arm_z: float = parameter(3.0, "m", "antenna above the ground")
    white: float = parameter(0.0, "m", "white noise", low=0.0)
    wander: float = parameter(0.0, "m", "slow noise", low=0.0)
    wander_time: float = parameter(100.0, "s", "time constant of the slow noise", low=1e-3)
    heading_noise: float = parameter(0.0, "rad", "white noise of the heading", low=0.0)
    quality: float = parameter(4.0, "", "quality code of the fixes", low=1.0, high=4.0)
    compensation: str = "attitude"
    outages: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        known(f"{self.title}: unknown compensation", self.compensation, COMPENSATIONS)
        if self.quality not in (1.0, 2.0, 4.0):
            raise RigError(f"{self.title}: quality = {self.quality:g} must be 1, 2 or 4")
        self.outages = tuple((float(a), float(b)) for a, b in self.outages)

    def begin(self) -> None:
        """Start with the start values (by default no fix), valid until the first sample is output."""
        tick = "the tick", self.site.tick
        self._every = multiple(f"{self.title}: a period of 1/rate", 1.0 / self.rate, *tick)
        self._delay = multiple(f"{self.title}: latency", self.latency, *tick, 0)
        self._arm = np.array([self.arm_x, self.arm_y, self.arm_z])
        self.sample: NDArray[np.float64] = np.zeros(2)  # number of samples; time of the newest fix [s]
        self.g: NDArray[np.float64] = self.wander * self._normal(-1)[:3]
        # a row for each pending sample: times of output and sampling, position, heading, speed
        self.queue: NDArray[np.float64] = np.full((2 + self._delay // self._every, 7), np.inf)
        self._in = [self.input(n) for n in ("position", "attitude", "velocity")]
        names = ("fix_position", "fix_heading", "fix_speed", "fix_quality", "fix_age")
        self._out = [self.output(n) for n in names]

    def _normal(self, k: int) -> NDArray[np.float64]:
        """Standard normal numbers of sample k: Gauss-Markov (3), white (3) and heading noise (1)."""
        bits = np.random.Philox(key=self.site.seed, counter=[0, 0, 0, k + 1])
        return np.random.Generator(bits).standard_normal(7)

    def advance(self, time: float, h: float) -> None:
        """Take a sample when one is due; output the newest whose latency has passed."""
        tick = round(time / self.site.tick)
        if tick % self._every == 0:
            self._take(time)
        due = self.queue[:, 0] <= time + 1e-9
        if due.any():
            row = int(np.flatnonzero(due)[self.queue[due, 1].argmax()])
            fix = self.queue[row].copy()
            self.queue[due] = np.inf
            self.sample[1] = fix[1]
            self._out[0][:], self._out[1][0], self._out[2][0] = fix[2:5], fix[5], fix[6]
            out = any(a <= fix[1] < b for a, b in self.outages)
            self._out[3][0] = 0.0 if out else self.quality
        self._out[4][0] = max(0.0, time - self.sample[1])

    def _take(self, time: float) -> None:
        place, attitude, velocity = self._in
        k = int(self.sample[0])
        self.sample[0] += 1
        n = self._normal(k)
        if k and self.wander:
            fade = math.exp(-1.0 / (self.rate * self.wander_time))
            self.g = self.g * fade + self.wander * math.sqrt(1.0 - fade * fade) * n[:3]
        roll, pitch, yaw = (float(a) for a in attitude)
        antenna = place + rotation(roll, pitch, yaw) @ self._arm + self.g + self.white * n[3:6]
        heading = yaw + self.heading_noise * n[6]
        if self.compensation != "none":
            level = self.compensation == "heading"
            antenna -= rotation(*((0.0, 0.0) if level else (roll, pitch)), heading) @ self._arm
        row = int(np.flatnonzero(self.queue[:, 0] == np.inf)[0])
        due = (round(time / self.site.tick) + self._delay) * self.site.tick
        # forward speed with its sign, which guidance laws need in reverse
        self.queue[row] = (due, time, *antenna, heading, float(velocity[0]))


def _preset(name: str, about: str, **numbers: float) -> None:
    """Make and register a class of receivers with other defaults."""
    fields = []
    for key, value in numbers.items():
        port = Receiver.__dataclass_fields__[key].metadata["port"]
        given = parameter(value, port.unit, port.about, low=port.low, high=port.high)
        fields.append((key, float, given))
    text = f"``Receiver`` with the numbers of {name!r}: {about}."
    space = {"name": name, "about": about, "__doc__": text, "__module__": __name__}
    register(make_dataclass(name.capitalize(), fields, bases=(Receiver,), namespace=space))


_preset("perfect", "no noise, no latency, a fix every tick of 10 ms", rate=100.0, latency=0.0)
_preset(
    "rtk", "5 mm white and 10 mm over 100 s", white=0.005, wander=0.01, heading_noise=1.7e-3, quality=4.0
)
_preset("dgnss", "0.3 m over 100 s", white=0.03, wander=0.3, heading_noise=0.01, quality=2.0)
_preset("spp", "single point: 1.5 m over 100 s", white=0.1, wander=1.5, heading_noise=0.02, quality=1.0)
