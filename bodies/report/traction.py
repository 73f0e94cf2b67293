"""Traction report of a run: traction ratios, drawbar pull, losses, engines and fuel."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import checks
from ..driveline import ElectricMotor, Engine
from ..driveline.fuel import fuel_rate
from ..forces import Draft
from ..frames import quaternion_matrices
from ..joints import Distance
from .wheel_record import wheel_record

RPM = np.pi / 30.0  # [rad/s] one revolution per minute


def quotient(a: np.ndarray, b: np.ndarray, least: float = 1e-6) -> np.ndarray:
    """``a / b``, set to 0 for b <= ``least`` [unit of b]."""
    return np.where(b > least, a / np.where(b > least, b, 1.0), 0.0)


def tractive_performance(run: Any, drawbar: str = "drawbar") -> dict[str, np.ndarray]:
    """Columns of :meth:`bodies.Trajectory.tractive_performance`, arrays (n,) by names with units."""
    mechanism = run.model.mechanism
    table = {"time [s]": run.time}
    total = {name: np.zeros_like(run.time) for name in ("gross", "net", "load", "input", "output")}
    for wheel in mechanism.wheels:
        w = wheel_record(run, wheel.name)
        radius = wheel.soil.tyre.radius if wheel.soil else wheel.radius
        gross = w.traction - w.rolling_moment / radius
        net = w.traction + w.resistance
        one = {
            "load [N]": w.load,
            "gross_traction [N]": gross,
            "net_traction [N]": net,
            "motion_resistance [N]": gross - net,
            "gross_traction_ratio [-]": quotient(gross, w.load),
            "net_traction_ratio [-]": quotient(net, w.load),
            "motion_resistance_ratio [-]": quotient(gross - net, w.load),
            "travel_reduction [-]": quotient(w.rim_speed - w.v_x, w.rim_speed),
            "tractive_efficiency [-]": quotient(net * w.v_x, gross * w.rim_speed),
            "axle_power [W]": gross * w.rim_speed,
            "slip_loss [W]": gross * (w.rim_speed - w.v_x) - w.lateral * w.v_y,
            "resistance_loss [W]": (gross - net) * w.v_x,
            "rut_depth [m]": w.sinkage,
        }
        table |= {f"{wheel.name}.{name}": values for name, values in one.items()}
        for name, part in (
            ("gross", gross),
            ("net", net),
            ("load", w.load),
            ("input", gross * w.rim_speed),
            ("output", net * w.v_x),
        ):
            total[name] += part
    distance = np.zeros_like(run.time)
    if mechanism.wheels:
        speed = _speed(run)
        distance = _integral(run.time, np.abs(speed))
        theory = quotient(total["input"], total["gross"])
        vehicle = {
            "speed [m/s]": speed,
            "distance [m]": distance,
            "load [N]": total["load"],
            "gross_traction [N]": total["gross"],
            "net_traction [N]": total["net"],
            "motion_resistance [N]": total["gross"] - total["net"],
            "gross_traction_ratio [-]": quotient(total["gross"], total["load"]),
            "net_traction_ratio [-]": quotient(total["net"], total["load"]),
            "travel_reduction [-]": quotient(theory - speed, theory),
            "tractive_efficiency [-]": quotient(total["output"], total["input"]),
            "axle_power [W]": total["input"],
        }
        pulls = [e for e in mechanism.elements if isinstance(e, Distance) and e.name == drawbar]
        if drawbar != "drawbar" and not pulls:
            known = [e.name for e in mechanism.elements if isinstance(e, Distance)]
            raise checks.UnknownName("tractive_performance: drawbar", drawbar, known)
        if pulls:
            pull = -run.impulses[:, run.model.rows[drawbar][0]] / run.step
            vehicle |= {"drawbar_pull [N]": pull, "drawbar_power [W]": pull * speed}
        drafts = {e.name: e.at(point_speed(run, e)) for e in mechanism.elements if _known(e)}
        if drafts and not pulls:
            pull = sum(drafts.values())
            vehicle |= {"drawbar_pull [N]": pull, "drawbar_power [W]": pull * speed}
        table |= {f"{name} [N]": force for name, force in drafts.items()}
        table |= {f"vehicle.{name}": values for name, values in vehicle.items()}
    return table | _drives(run, distance)


def _drives(run: Any, distance: np.ndarray) -> dict[str, np.ndarray]:
    """Columns of engines and motors (speed, torque, power, fuel, energy), and the power of every element
    if the work is recorded. ``distance``: travelled distance [m], (n,)."""
    table, energy, fuel = {}, np.zeros_like(run.time), None
    worked = run.work() if run.work_done is not None else {}
    for element in run.model.mechanism.elements:
        if not isinstance(element, Engine | ElectricMotor):
            continue
        speed = joint_speed(run, element.joint)
        torque = run.impulses[:, run.model.rows[element.name][0]] / run.step
        power = torque * speed
        table |= {
            f"{element.name}.speed [rad/s]": speed,
            f"{element.name}.speed [rpm]": speed / RPM,
            f"{element.name}.torque [N m]": torque,
            f"{element.name}.power [W]": power,
        }
        energy += worked.get(element.name, _integral(run.time, power))
        if isinstance(element, Engine) and element.fuel_map:
            rate = fuel_rate(element.fuel_map, speed, torque)
            table[f"{element.name}.fuel [kg/s]"] = rate
            table[f"{element.name}.specific_fuel [g/kWh]"] = 3.6e9 * quotient(rate, power, 1.0)
            fuel = _integral(run.time, rate) + (0.0 if fuel is None else fuel)
    if table:
        table["vehicle.energy [J]"] = energy
        table["vehicle.energy_per_distance [J/m]"] = quotient(energy, distance)
    if fuel is not None:
        table["vehicle.fuel [kg]"] = fuel
        table["vehicle.fuel_per_distance [kg/m]"] = quotient(fuel, distance)
    if worked:
        table |= {f"{name}.booked_power [W]": power for name, power in run.power().items()}
    return table


def _known(element: Any) -> bool:
    """Whether an element is the draft of a tool that is always in the ground."""
    return isinstance(element, Draft) and element.engaged == 1.0


def point_speed(run: Any, force: Any) -> np.ndarray:
    """Horizontal speed of a force's point of action over time, (n,) [m/s]."""
    body = next(b for b in run.model.mechanism.bodies if b.name == force.body)
    own = quaternion_matrices(np.array(body.orientation)).T @ np.subtract(force.position, body.position)
    arm = np.einsum("nij,j->ni", quaternion_matrices(run.quaternion(force.body)), own)
    moves = run.velocity(force.body) + np.cross(run.angular_velocity(force.body), arm)
    return np.linalg.norm(moves[:, :2], axis=1)


def _speed(run: Any) -> np.ndarray:
    """Mean speed of the wheels' centres along their headings [m/s]."""
    return np.mean([wheel_record(run, w.name).v_x for w in run.model.mechanism.wheels], axis=0)


def _integral(time: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Integral of ``values`` over time from the start to each record, (n,), by the trapezoidal rule."""
    return np.concatenate([[0.0], np.cumsum(0.5 * np.diff(time) * (values[1:] + values[:-1]))])


def joint_speed(run: Any, name: str) -> np.ndarray:
    """Angular velocity of body_b relative to body_a about the axis of a hinge over time, (n,)
    [rad/s]."""
    mechanism = run.model.mechanism
    joint: Any = next(e for e in mechanism.joints if e.name == name.rsplit(".", 1)[0])
    axis, rate = np.broadcast_to(joint.axis, (len(run.time), 3)), np.zeros((len(run.time), 3))
    described = {b.name: b.orientation for b in mechanism.bodies}
    if joint.body_a != "ground":
        own = quaternion_matrices(np.array(described[joint.body_a])).T @ np.array(joint.axis)
        axis = np.einsum("nij,j->ni", quaternion_matrices(run.quaternion(joint.body_a)), own)
        rate = rate - run.angular_velocity(joint.body_a)
    if joint.body_b != "ground":
        rate = rate + run.angular_velocity(joint.body_b)
    return np.einsum("ni,ni->n", axis, rate)
