"""Vehicle with hub drives that follows a speed and a curvature by its left and right commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..block import parameter
from ..bus import core
from ..catalogue import register
from ..errors import RigError
from ..machine import Machine
from ..port import Port

FASTEST = 0.7  # largest wanted speed of a side over the drives' top speed v_0 [-]
SMALL = 1e-3  # [-] wanted turn w above which the resistance to turning is fully compensated
READS = ("wanted_speed", "curvature_command", "engaged")


@register
@dataclass
class HubDriven(Machine):
    """Vehicle with hub drives on both sides under guidance; controllers of speed and turn:

        v = u / v_0,      c = v + K e_v + z,            e_v = v - v_x / v_0,    dz/dt = e_v / T
        w = u k b / v_0,  d = w + 2 K e_w + s z_w,      e_w = w - b r / v_0,    dz_w/dt = 2 s e_w / T
        left = c - d,     right = c + d,                K = v_0 m / (F T)

    u: wanted speed [m/s], k: commanded curvature [1/m] (0 unless guidance is engaged), b: half track
    [m], v_0: top speed of the drives [m/s], v_x and r: speed [m/s] and yaw rate [rad/s] of the reference
    body, m: mass [kg], F: largest thrust [N], e_v and e_w: errors of speed and turn, z: integral of e_v,
    c and d: half the sum of both commands, and half of right less left [-]. z_w >= 0 compensates the
    ground's resistance to turning; s: direction of the wanted turn, w / 1e-3 limited to -1 to 1. If
    |v| + |w| exceeds 0.7, v and w are reduced to this sum at the same curvature, which leaves torque for
    the turn. left and right are limited to -1 to 1; z is constant while |c| >= 1, z_w while |d| >= 1.

    Arguments:
        file, text, step: as for ``Machine``, of a vehicle with ``hub_drives`` of different commands left
            and right.
        response: time constant T [s]; 0: 0.1 s on hard ground, 0.3 s on soil.

    Hard ground resists a turn by dry friction. On soil s = 1, z_w has either sign, and the factor 2 of
    e_w is 1 in both equations.

    Raises:
        RigError: a vehicle without such drives.
    """

    name: ClassVar[str] = "hub-driven"
    about: ClassVar[str] = "vehicle whose hub drives follow a speed and a curvature"
    keeps: ClassVar[tuple[str, ...]] = ("given", "integral")
    response: float = parameter(0.0, "s", "of the speed; 0: by the ground", low=0.0, high=100.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.sides or not set(self.sides) <= set(self._mechanism.inputs):
            raise RigError(f"{self.title}: {self.file}: it has no hub drives with two inputs")
        self._dry = self.found.hard is not None
        self._response = self.response or (0.1 if self._dry else 0.3)
        drives = _drives(self.found)
        wheels = {w.name: w for w in self._mechanism.wheels}
        motors = [e for e in self._mechanism.elements if getattr(e, "command", None) in self.sides]
        driven = [wheels[motor.name.removesuffix(" motor")] for motor in motors]
        radius = float(np.mean([wheel.radius for wheel in driven]))
        #: Half track b [m], and top speed v_0: speed of the drives without load [m/s].
        arms = (np.subtract(w.centre[:2], self.found.origin[:2]) @ w.spin_axis[:2] for w in driven)
        self.half_track: float = float(np.mean(np.abs(list(arms))))
        self.top_speed: float = radius * drives.full_load[-1][0] * np.pi / 30.0
        thrust = len(driven) * drives.full_load[0][1] / radius
        self._gain = self.top_speed * sum(b.mass for b in self._mechanism.bodies) / thrust

    @property
    def sides(self) -> tuple[str, ...]:
        """Names of the left and the right command."""
        return sides_of(self.found)

    @property
    def inputs(self) -> Mapping[str, Port]:
        """Ports of the signals ``READS``, and of inputs other than the left and right command."""
        ports = core().signals
        return {**super().inputs, **{name: ports[name].port for name in READS}}

    def begin(self) -> None:
        """Start in static equilibrium, with zero integrals z and z_w of the controllers."""
        self.integral: NDArray[np.float64] = np.zeros(2)
        super().begin()

    def advance(self, time: float, h: float) -> None:
        """Advance by one tick with the commands of both sides."""
        u, k, engaged = (float(self.input(name)[0]) for name in READS)
        wanted = u * np.array([1.0, k * self.half_track * (engaged > 0.5)]) / self.top_speed
        wanted /= max(1.0, float(np.abs(wanted).sum()) / FASTEST)
        found = float(self.output("velocity")[0]), self.half_track * float(self.output("yaw_rate")[0])
        faster = np.array([1.0, 2.0 if self._dry else 1.0])
        error = faster * (wanted - np.array(found) / self.top_speed)
        towards = np.array([1.0, min(max(wanted[1] / SMALL, -1.0), 1.0) if self._dry else 1.0])
        command = wanted + self._gain / self._response * error + towards * self.integral
        rate = np.where(np.abs(command) < 1.0, towards * error / self._response, 0.0)
        self.integral[:] = np.maximum(self.integral + h * rate, (-1.0, -1.0 + self._dry))
        for name, value in zip(self.sides, command[0] + np.array([-1.0, 1.0]) * command[1], strict=True):
            self.sim.set_input(name, min(max(float(value), -1.0), 1.0))
        super().advance(time, h)


def _drives(vehicle: Any) -> Any:
    """Hub drives of a vehicle with different commands left and right; None without such drives."""
    from bodies.vehicle import HubDrives

    drives = (part for part in getattr(vehicle, "parts", ()) if isinstance(part, HubDrives))
    return next((part for part in drives if part.left != part.right), None)


def sides_of(vehicle: Any) -> tuple[str, ...]:
    """Names of the left and the right command of a vehicle's hub drives; empty without such drives."""
    drives = _drives(vehicle)
    return () if drives is None else (drives.left, drives.right)
