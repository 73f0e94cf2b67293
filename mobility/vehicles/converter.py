"""Torque converter on an engine at full throttle: turbine torque over turbine speed."""

from __future__ import annotations

import numpy as np

from bodies.vehicle import AutomaticTransmission

RATIOS = np.linspace(0.0, 1.0, 81)  # turbine speed over pump speed
COASTING = np.linspace(1.0, 0.5, 41)[1:]  # pump speed over turbine speed, with a driving turbine
SPEEDS = 4001  # number of speeds in the search for the balance of engine and pump


def behind_converter(engine: np.ndarray, box: AutomaticTransmission) -> np.ndarray:
    """Speed [rad/s] and torque [N m] of the turbine, shape (n, 2), speeds increasing.

        T_engine(w_p) = C(nu) w_p^2,   T_turbine = R(nu) C(nu) w_p^2,   w_turbine = nu w_p

    C: capacity [N m s^2/rad^2], R: torque ratio [-], w_p: pump speed, the largest one of balance at each
    speed ratio nu. A driving turbine has the inverse ratio and the coasting capacity. With a lock-up
    clutch the torque is the larger of the turbine's and the engine's. The torque is limited to the
    capacity of a gear's clutch.

    Arguments:
        engine: rows of speed [rad/s] and torque [N m] at full throttle.
        box: transmission with the converter.

    Source: SAE J643 for the curves C(nu) and R(nu), as in ``bodies.TorqueConverter``.
    """
    w = np.linspace(engine[0, 0], engine[-1, 0], SPEEDS)
    drives = np.interp(w, *engine.T)
    capacity, ratio = np.array(box.converter_capacity).T, np.array(box.torque_ratio).T
    rows = []
    for nu in RATIOS:
        absorbed = np.interp(nu, *capacity)
        pump = _last(w, drives - absorbed * w**2)
        if pump is not None:
            rows.append((nu * pump, np.interp(nu, *ratio) * absorbed * pump**2))
    for inverse in COASTING:
        absorbed = box.coasting * np.interp(inverse, *capacity)
        pump = _last(w, drives + absorbed * (w / inverse) ** 2)
        if pump is not None:
            rows.append((pump / inverse, -absorbed * (pump / inverse) ** 2))
    found = _rising(np.array(rows))
    if box.lockup_capacity > 0.0:
        speeds = np.union1d(found[:, 0], engine[:, 0])
        locked = np.clip(np.interp(speeds, *engine.T), -box.lockup_capacity, box.lockup_capacity)
        fluid = np.interp(speeds, *found.T, right=-np.inf)
        slow = speeds < engine[0, 0]  # lock-up would stall the engine
        found = np.stack([speeds, np.where(slow, fluid, np.maximum(fluid, locked))], axis=1)
    found[:, 1] = np.minimum(found[:, 1], box.clutch_capacity)
    return found


def _last(w: np.ndarray, surplus: np.ndarray) -> float | None:
    """Last speed at which a surplus falls through 0, interpolated between speeds w; None without one."""
    turns = np.flatnonzero((surplus[:-1] >= 0.0) & (surplus[1:] < 0.0))
    if not turns.size:
        return None
    k = int(turns[-1])
    return float(w[k] + (w[k + 1] - w[k]) * surplus[k] / (surplus[k] - surplus[k + 1]))


def _rising(rows: np.ndarray) -> np.ndarray:
    """Rows whose first number exceeds the first number of every earlier row."""
    before = np.concatenate([[-np.inf], np.maximum.accumulate(rows[:-1, 0])])
    return rows[rows[:, 0] > before]
