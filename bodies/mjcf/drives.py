"""Drives: objects that set time-dependent values before every step of MuJoCo, since MJCF has constants
only.

The method ``bind`` of a drive looks up its names in a MuJoCo model and returns the function that sets
the value. As in the step of this package, signals are evaluated at the end of the step, efforts in the
middle of the step.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..signals import Schedule, Signal

Table = tuple[tuple[float, float], ...]


def constant(signal: Signal) -> bool:
    """Whether a signal is a constant number."""
    return not isinstance(signal, str | Schedule)


def value(signal: Signal, time: float, inputs: Mapping[str, float]) -> float:
    """Value of a signal at a time [s]; ``inputs``: values of the named inputs."""
    if isinstance(signal, str):
        return inputs[signal]
    if not isinstance(signal, Schedule):
        return float(signal)
    points = np.array(signal.points)
    if signal.hold:
        k = int(np.searchsorted(points[:, 0], time, side="right")) - 1
        return float(points[max(k, 0), 1])
    return float(np.interp(time, points[:, 0], points[:, 1]))


def look_up(table: Table, x: float) -> float:
    """Value of a piecewise linear table at x, linearly extrapolated outside."""
    points = np.array(table)
    k = min(max(int(np.searchsorted(points[:, 0], x)), 1), len(points) - 1)
    (x0, y0), (x1, y1) = points[k - 1], points[k]
    return float(y0 + (y1 - y0) / (x1 - x0) * (x - x0))


def gear_ratio(gear: float, ratios: tuple[float, ...], reverse: float) -> float:
    """Ratio of the engaged gear [-], 0 in neutral; ``gear`` is rounded as in our step."""
    g = min(max(int(np.floor(gear + 0.5)), -1), len(ratios))
    return reverse if g < 0 else 0.0 if g == 0 else ratios[g - 1]


def engine_torque(full: Table, motoring: Table, throttle: float, speed: float) -> float:
    """Torque ``throttle T_full(speed) - (1 - throttle) T_drag(speed)`` [N m]."""
    u = min(max(throttle, 0.0), 1.0)
    return u * look_up(full, speed) - (1.0 - u) * (look_up(motoring, speed) if motoring else 0.0)


def speed_of(m: Any, actuator: str) -> Any:
    """Function of the MjData that returns the present speed of an actuator on a joint, or the speed of
    an actuator on a tendon in the last step."""
    k = m.actuator(actuator).id
    if m.actuator_trntype[k] == 0:  # the actuator acts on a joint
        dof = int(m.jnt_dofadr[m.actuator_trnid[k, 0]])
        return lambda d: d.qvel[dof]
    return lambda d: d.actuator_velocity[k]


@dataclass(frozen=True)
class Effort:
    """Drive of an actuator's control: value of a signal at the step's end, or earlier by ``early`` step
    lengths."""

    actuator: str
    signal: Signal
    early: float = 0.0

    def bind(self, m: Any) -> Any:
        k = m.actuator(self.actuator).id

        def act(m: Any, d: Any, time: float, inputs: Mapping[str, float]) -> None:
            d.ctrl[k] = value(self.signal, time - self.early * m.opt.timestep, inputs)

        return act


@dataclass(frozen=True)
class EngineTorque:
    """Drive of an actuator's control: torque of an engine at the actuator's speed."""

    actuator: str
    full_load: Table
    motoring: Table
    throttle: Signal

    def bind(self, m: Any) -> Any:
        k, speed = m.actuator(self.actuator).id, speed_of(m, self.actuator)

        def act(m: Any, d: Any, time: float, inputs: Mapping[str, float]) -> None:
            u = value(self.throttle, time, inputs)
            d.ctrl[k] = engine_torque(self.full_load, self.motoring, u, speed(d))

        return act


@dataclass(frozen=True)
class DamperTable:
    """Drive of an actuator's control: minus the tension that a damper table has at the actuator's
    speed."""

    actuator: str
    table: Table

    def bind(self, m: Any) -> Any:
        k, speed = m.actuator(self.actuator).id, speed_of(m, self.actuator)

        def act(m: Any, d: Any, time: float, inputs: Mapping[str, float]) -> None:
            d.ctrl[k] = -look_up(self.table, speed(d))

        return act


@dataclass(frozen=True)
class FrictionDrive:
    """Drive of a tendon's dry friction: capacity times a signal in [0, 1]."""

    tendon: str
    capacity: float
    signal: Signal

    def bind(self, m: Any) -> Any:
        k = m.tendon(self.tendon).id

        def act(m: Any, d: Any, time: float, inputs: Mapping[str, float]) -> None:
            u = min(max(value(self.signal, time, inputs), 0.0), 1.0)
            m.tendon_frictionloss[k] = self.capacity * u

        return act


@dataclass(frozen=True)
class EqualityConstant:
    """Drive of an equality's constant term: value of a signal."""

    equality: str
    signal: Signal

    def bind(self, m: Any) -> Any:
        k = m.equality(self.equality).id

        def act(m: Any, d: Any, time: float, inputs: Mapping[str, float]) -> None:
            m.eq_data[k, 0] = value(self.signal, time, inputs)

        return act


@dataclass(frozen=True)
class Shift:
    """Drive of a gear equality's ratio; a new gear engages at the present angles of the shafts."""

    equality: str
    ratios: tuple[float, ...]
    reverse: float
    gear: Signal

    def bind(self, m: Any) -> Any:
        k = m.equality(self.equality).id
        into, out = (int(m.jnt_qposadr[j]) for j in (m.eq_obj1id[k], m.eq_obj2id[k]))
        last = [math.nan]  # ratio of the last call; none before the first

        def act(m: Any, d: Any, time: float, inputs: Mapping[str, float]) -> None:
            ratio = gear_ratio(value(self.gear, time, inputs), self.ratios, self.reverse)
            if ratio != last[0]:
                d.eq_active[k] = ratio != 0.0
                m.eq_data[k, 0] = d.qpos[into] - ratio * d.qpos[out]
                m.eq_data[k, 1] = ratio
                last[0] = ratio

        return act


@dataclass(frozen=True)
class AirDrag:
    """Drive of the drag ``f = -k |v - wind| (v - wind)`` on a body's centre of mass; v: its velocity; k:
    factor of the drag [N s^2/m^2]."""

    body: str
    k: float
    wind: tuple[float, ...]

    def bind(self, m: Any) -> Any:
        mujoco: Any = importlib.import_module("mujoco")
        k, wind, velocity = m.body(self.body).id, np.array(self.wind), np.zeros(6)

        def act(m: Any, d: Any, time: float, inputs: Mapping[str, float]) -> None:
            mujoco.mj_comVel(m, d)  # updates the body velocities to the present state
            mujoco.mj_objectVelocity(m, d, mujoco.mjtObj.mjOBJ_BODY, k, velocity, 0)
            u = velocity[3:] - wind
            d.xfrc_applied[k, :3] = -self.k * np.linalg.norm(u) * u

        return act


class Drives:
    """All drives of a MuJoCo model in one function: call ``driver(data)`` before every step.

    Arguments:
        m: the MuJoCo model.
        drives: the drives of :class:`Mjcf`.
        inputs: values of the mechanism's named inputs [unit of the signal]; copied, and the copy
            ``driver.inputs`` may be changed between steps.
    """

    def __init__(self, m: Any, drives: tuple[Any, ...], inputs: Mapping[str, float]) -> None:
        self.inputs: Mapping[str, float] = dict(inputs)
        self._model = m
        self._acts = [drive.bind(m) for drive in drives]

    def __call__(self, d: Any) -> None:
        """Apply all drives for the step that starts at ``d.time``."""
        time = d.time + self._model.opt.timestep
        for act in self._acts:
            act(self._model, d, time, self.inputs)
