"""Steady state of a quarter vehicle in closed form, from the ground law alone."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from bodies.vehicle import QuarterVehicle
from contact import WheelContact
from contact.laws.base import COULOMB, GAMMA, MU, OFFSET, RHO


@dataclass(frozen=True)
class SteadyState:
    """Exact steady state of a wheel; ``reason``: why there is none, or why the wheel cannot move."""

    slip: float
    thrust_N: float
    resistance_N: float
    pull_N: float
    speed_m_s: float
    moves: bool = True
    reason: str = ""


@dataclass(frozen=True)
class Ratios:
    """Ratios of a wheel's forces in the step to its load F_n at given slips, in the slip's shape.

    thrust: force at the contact, with its set-valued part ``coulomb``; rolling: moment on the wheel's
    rotation over the radius r; resistance: force at the wheel's centre. If a law has a thrust at zero
    slip, this thrust is subtracted from the resistance and added to the rolling moment.
    """

    thrust: np.ndarray
    rolling: np.ndarray
    resistance: np.ndarray
    coulomb: np.ndarray

    @property
    def torque(self) -> np.ndarray:
        """Axle torque over F_n r [-]."""
        return self.thrust + self.rolling


def ratios(wheel: WheelContact, slip, load: float) -> Ratios:
    """Ratios of a wheel at slips (positive driving, negative braking) under a load F_n [N]."""
    slip = np.asarray(slip, dtype=float)
    v = wheel.ground_law.values(slip, load, wheel.tyre, wheel.ground)
    shifted = np.clip(v[..., OFFSET], 0.0, v[..., GAMMA])
    coulomb = v[..., COULOMB] + np.abs(v[..., OFFSET] - shifted)
    thrust = v[..., MU] + np.where(slip < 0.0, -1.0, 1.0) * coulomb
    return Ratios(thrust, v[..., RHO] + shifted, v[..., GAMMA] - shifted, coulomb)


def strongest_slip(wheel: WheelContact, load: float) -> float:
    """Slip in (0, 1] of the largest axle torque."""
    slips = np.linspace(1e-3, 1.0, 1000)
    return float(slips[np.argmax(ratios(wheel, slips, load).torque)])


def steady_driving(vehicle: QuarterVehicle, torque: float) -> SteadyState:
    """Steady state under a constant torque T [N m], at constant speed.

    ``(mu(i) + rho(i)) F_n = T / r`` determines the slip i on the rising branch, with the ratios of
    thrust mu, rolling moment rho and resistance gamma to the load F_n. Then F_t = mu F_n, ``F_c =
    gamma(i) F_n``, pull = F_t - F_c - weight along the slope; the speed v follows from pull = k v^2,
    k: the vehicle's coefficient of the pull [N s^2/m^2].
    """
    wheel, load = vehicle.wheel, vehicle.static_load
    demand = torque / wheel.tyre.radius
    weight = vehicle.mass * 9.81 * math.sin(vehicle.angle)
    peak = strongest_slip(wheel, load)
    most = float(ratios(wheel, peak, load).torque) * load
    rest = ratios(wheel, 0.0, load)
    rolling = float(rest.resistance) * load
    nan = math.nan
    if demand >= most:
        reason = (
            f"T/r = {demand:.1f} N is beyond the soil's largest thrust mu(1) F_n = {most:.1f} N: "
            "the wheel spins up without end"
        )
        return SteadyState(nan, nan, nan, nan, nan, False, reason)
    slip = 0.0
    if demand > float(rest.torque) * load:
        slip = float(
            brentq(
                lambda i: float(ratios(wheel, i, load).torque) * load - demand, 1e-12, peak, xtol=1e-15
            )
        )
    there = ratios(wheel, slip, load)
    thrust = demand - float(there.rolling) * load
    resistance = float(there.resistance) * load
    pull = thrust - resistance - weight
    if pull <= 0.0 or thrust - weight <= rolling:
        reason = (
            f"{torque:g} N m give at most F_t = T/r = {thrust:.1f} N in steady state; the motion "
            f"resistance under {load:.1f} N is {rolling:.1f} N at rest and {resistance:.1f} N at the "
            f"slip that thrust needs"
        )
        return SteadyState(slip, thrust, resistance, pull, 0.0, False, reason)
    if vehicle.pull == 0.0:
        reason = f"nothing resists the net pull of {pull:.1f} N: the vehicle gains speed without end"
        return SteadyState(slip, thrust, resistance, pull, math.inf, True, reason)
    return SteadyState(slip, thrust, resistance, pull, math.sqrt(pull / vehicle.pull))


def brake_torque(vehicle: QuarterVehicle, slip: float) -> float:
    """Brake torque T_b [N m] under which a free vehicle decelerates on the flat at a slip -i.

    With rim speed (1 - i) v, deceleration a, spin inertia I, ratios mu, gamma, rho of thrust, resistance
    and rolling moment to the load F_n, and m a = (mu + gamma) F_n, at any speed,

        T_b = (mu(i) - rho(i)) F_n r + (1 - i) I a / r:

    the limit of every braking motion until the wheel stops.
    """
    wheel, load, r = vehicle.wheel, vehicle.static_load, vehicle.wheel.tyre.radius
    there = ratios(wheel, -slip, load)
    a = float(there.resistance - there.thrust) * load / vehicle.mass
    braking = -float(there.thrust + there.rolling) * load * r
    return braking + (1.0 - slip) * vehicle.wheel_inertia * a / r


def braked(vehicle: QuarterVehicle, torque: float) -> SteadyState:
    """Compute slip, thrust and resistance while braking; ``reason`` is set if the wheel locks."""
    wheel, load = vehicle.wheel, vehicle.static_load
    slips = np.linspace(1e-3, 1.0, 1000)
    needed = [brake_torque(vehicle, float(i)) for i in slips]
    peak = float(slips[np.argmax(needed)])
    slip, reason = 0.0, ""
    if torque >= max(needed):
        slip, reason = 1.0, "the wheel locks"
    elif torque > brake_torque(vehicle, 1e-12):
        slip = float(brentq(lambda i: brake_torque(vehicle, i) - torque, 1e-12, peak, xtol=1e-15))
    there = ratios(wheel, -slip, load)
    thrust, resistance = float(there.thrust) * load, float(there.resistance) * load
    return SteadyState(-slip, thrust, resistance, 0.0, 0.0, True, reason)
