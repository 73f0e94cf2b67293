"""Drives: functions that set time-dependent values before every step of MuJoCo, since MJCF has constants
only.

A drive looks up its names in a MuJoCo model ``m`` and returns the function that sets the value, of the
MjData, the time [s] at the end of the step and the named inputs. As in the step of this package, signals
are evaluated at the end of the step, efforts in the middle of the step.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..driveline.outside_table import Table, line
from ..signals import Schedule, Signal

Inputs = Mapping[str, float]
Act = Callable[[Any, float, Inputs], None]


def constant(signal: Signal) -> bool:
    """Whether a signal is a constant number."""
    return not isinstance(signal, str | Schedule)


def value(signal: Signal, time: float, inputs: Inputs) -> float:
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


def gear_ratio(gear: float, ratios: tuple[float, ...], reverse: float) -> float:
    """Ratio of the engaged gear [-], 0 in neutral; ``gear`` is rounded as in our step."""
    g = min(max(int(np.floor(gear + 0.5)), -1), len(ratios))
    return reverse if g < 0 else 0.0 if g == 0 else ratios[g - 1]


def engine_torque(full: Table, motoring: Table, throttle: float, speed: float) -> float:
    """Torque ``throttle T_full(speed) - (1 - throttle) T_drag(speed)`` [N m]."""
    u = min(max(throttle, 0.0), 1.0)
    return u * line(full, speed) - (1.0 - u) * (line(motoring, speed) if motoring else 0.0)


def speed_of(m: Any, actuator: str) -> Any:
    """Function of the MjData that returns the present speed of an actuator on a joint, or the speed of
    an actuator on a tendon in the last step."""
    k = m.actuator(actuator).id
    if m.actuator_trntype[k] == 0:  # the actuator acts on a joint
        dof = int(m.jnt_dofadr[m.actuator_trnid[k, 0]])
        return lambda d: d.qvel[dof]
    return lambda d: d.actuator_velocity[k]


def effort(actuator: str, signal: Signal, early: float, m: Any) -> Act:
    """Drive of an actuator's control: value of a signal at the step's end, or earlier by ``early`` step
    lengths."""
    k = m.actuator(actuator).id

    def act(d: Any, time: float, inputs: Inputs) -> None:
        d.ctrl[k] = value(signal, time - early * m.opt.timestep, inputs)

    return act


def engine(actuator: str, full_load: Table, motoring: Table, throttle: Signal, m: Any) -> Act:
    """Drive of an actuator's control: torque of an engine at the actuator's speed."""
    k, speed = m.actuator(actuator).id, speed_of(m, actuator)

    def act(d: Any, time: float, inputs: Inputs) -> None:
        u = value(throttle, time, inputs)
        d.ctrl[k] = engine_torque(full_load, motoring, u, speed(d))

    return act


def damper(actuator: str, table: Table, m: Any) -> Act:
    """Drive of an actuator's control: minus the tension of a damper table at the actuator's speed."""
    k, speed = m.actuator(actuator).id, speed_of(m, actuator)

    def act(d: Any, time: float, inputs: Inputs) -> None:
        d.ctrl[k] = -line(table, speed(d))

    return act


def friction(tendon: str, capacity: float, signal: Signal, m: Any) -> Act:
    """Drive of a tendon's dry friction: capacity times a signal in [0, 1]."""
    k = m.tendon(tendon).id

    def act(d: Any, time: float, inputs: Inputs) -> None:
        m.tendon_frictionloss[k] = capacity * min(max(value(signal, time, inputs), 0.0), 1.0)

    return act


def position(equality: str, signal: Signal, m: Any) -> Act:
    """Drive of an equality's constant term: value of a signal."""
    k = m.equality(equality).id

    def act(d: Any, time: float, inputs: Inputs) -> None:
        m.eq_data[k, 0] = value(signal, time, inputs)

    return act


def shift(equality: str, ratios: tuple[float, ...], reverse: float, gear: Signal, m: Any) -> Act:
    """Drive of a gear equality's ratio; a new gear engages at the present angles of the shafts."""
    k = m.equality(equality).id
    into, out = (int(m.jnt_qposadr[j]) for j in (m.eq_obj1id[k], m.eq_obj2id[k]))
    last = [math.nan]  # ratio of the last call; none before the first

    def act(d: Any, time: float, inputs: Inputs) -> None:
        ratio = gear_ratio(value(gear, time, inputs), ratios, reverse)
        if ratio != last[0]:
            d.eq_active[k] = ratio != 0.0
            m.eq_data[k, :2] = d.qpos[into] - ratio * d.qpos[out], ratio
            last[0] = ratio

    return act


def drag(body: str, factor: float, wind: tuple[float, ...], m: Any) -> Act:
    """Drive of the drag ``f = -k |v - wind| (v - wind)`` on a body's centre of mass; v: its velocity; k:
    ``factor`` [N s^2/m^2]."""
    mujoco: Any = importlib.import_module("mujoco")
    k, air, velocity = m.body(body).id, np.array(wind), np.zeros(6)

    def act(d: Any, time: float, inputs: Inputs) -> None:
        mujoco.mj_comVel(m, d)  # updates the body velocities to the present state
        mujoco.mj_objectVelocity(m, d, mujoco.mjtObj.mjOBJ_BODY, k, velocity, 0)
        u = velocity[3:] - air
        d.xfrc_applied[k, :3] = -factor * np.linalg.norm(u) * u

    return act


class Drives:
    """All drives of a MuJoCo model in one function: call ``driver(data)`` before every step.

    Arguments:
        m: the MuJoCo model.
        drives: the drives of :class:`Mjcf`.
        inputs: values of the mechanism's named inputs [unit of the signal]; copied, and the copy
            ``driver.inputs`` may be changed between steps.
    """

    def __init__(self, m: Any, drives: tuple[Any, ...], inputs: Inputs) -> None:
        self.inputs: Inputs = dict(inputs)
        self._model = m
        self._acts = [drive(m) for drive in drives]

    def __call__(self, d: Any) -> None:
        """Apply all drives for the step that starts at ``d.time``."""
        time = d.time + self._model.opt.timestep
        for act in self._acts:
            act(d, time, self.inputs)
