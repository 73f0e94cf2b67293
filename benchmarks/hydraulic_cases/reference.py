"""The reference circuits for SciPy's Radau, independent of ``bodies``, with pressures as states.

dP/dt = (Q exp(-P/beta) - a u) beta/V, with the flow Q into a chamber [m^3/s of oil at zero pressure],
its pressure P, volume V and piston area a, the rod's speed u and the oil's bulk modulus beta.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from bodies.hydraulics import Bench

TIGHT = 1e-8  # relative tolerance of Radau
BACK = 1e5  # [1/s] largest speed of the compensator over its distance to the stop, for a smooth stop


def flow(drop: float, area: float, oil: Any) -> float:
    """Flow [m^3/s] through an orifice of an area [m^2] under a pressure drop [Pa]."""
    root = drop / (drop**2 + oil.transition**2) ** 0.25
    return area * oil.discharge * math.sqrt(2.0 / oil.density) * root


def over(x: float, slope: float) -> float:
    """Flow [m^3/s] of a relief or make-up valve at a pressure excess x [Pa]; slope [Pa s/m^3]."""
    return max(x, 0.0) / slope


class BenchEquations:
    """``d(s, u, P_h, P_r, A_c, P_p)/dt`` of a bench with one cylinder.

    s, u: piston's position [m] and speed; P_h, P_r: pressures of head and rod side [Pa]; A_c: opening of
    the compensator [m^2]; P_p: pressure of the pump's line.
    """

    def __init__(self, bench: Bench) -> None:
        (self.branch,), (self.rod,) = bench.circuit.branches, bench.rods
        self.pump, self.oil = bench.circuit.pump, bench.circuit.fluid
        self.times, self.levers = np.transpose(self.branch.valve.command.points)
        self.open = False  # whether the lever exceeds the spool's overlap in the present interval
        self.metering = [np.transpose(t) for t in (self.branch.valve.inlet, self.branch.valve.outlet)]

    def start(self) -> np.ndarray:
        """State at the beginning, with the rod at rest, shape (6,)."""
        cylinder = self.branch.cylinder
        head, rod = cylinder.areas
        above = self.pump.flow * self.pump.margin / (self.pump.flow + self.pump.leakage * self.pump.band)
        line, tank = self.oil.tank + above, self.oil.tank
        pushed, other = (rod * cylinder.pressure - self.rod.force) / head, cylinder.pressure
        if pushed < tank:  # a pulling load is carried by the rod side
            pushed, other = tank, (head * tank + self.rod.force) / rod
        return np.array([cylinder.extension, 0.0, pushed, other, 0.0, line])

    def kinks(self) -> list[float]:
        """Times of the lever's kinks, and of the opening and closing of the spool's edges."""
        found = set(self.times.tolist())
        lap = self.metering[0][0][0]
        for t, y, t_next, y_next in zip(
            self.times, self.levers, self.times[1:], self.levers[1:], strict=False
        ):
            for edge in (-lap, lap):
                if min(y, y_next) < edge < max(y, y_next):
                    found.add(float(t + (edge - y) / (y_next - y) * (t_next - t)))
        return sorted(found)

    def throttled(self, outlet: float, left: float) -> float:
        """Area of the outlet in series with the cushion [m^2]."""
        cushion = self.branch.cylinder.cushion
        if left >= cushion.length or outlet == 0.0:
            return outlet
        throttle = cushion.orifice / (1.0 - left / cushion.length)
        return outlet * throttle / math.hypot(outlet, throttle)

    def __call__(self, t: float, x: np.ndarray) -> list[float]:
        s, u, head, rod, opening, line = x
        cylinder, comp, oil, pump = self.branch.cylinder, self.branch.compensator, self.oil, self.pump
        a_h, a_r = cylinder.areas
        y = float(np.interp(t, self.times, self.levers))
        a_in, a_out = (float(np.interp(abs(y), *table)) for table in self.metering)
        to_open, to_shut = BACK * (comp.largest - opening), -BACK * opening
        opening = min(max(opening, 0.0), comp.largest)
        load = oil.tank
        if self.open:
            load = head if y > 0.0 else rod
        drop = max(line - load, 0.0)
        q_in, share = 0.0, 1.0
        if self.open:
            series = a_in * opening / max(math.hypot(a_in, opening), 1e-12)
            share = opening**2 / max(a_in**2 + opening**2, 1e-24)
            q_in = flow(drop, series, oil)
        back = (rod if y > 0.0 else head) - oil.tank
        if cylinder.cushion and back > 0.0:
            left = cylinder.stroke - s if y > 0.0 else s
            a_out = self.throttled(a_out, max(left, 0.0))
        q_out = flow(back, a_out, oil)
        q = [q_in, -q_out] if y > 0.0 else [-q_out, q_in]
        for k, p in enumerate((head, rod)):
            q[k] -= over(p - self.branch.relief.pressure, self.branch.relief.slope)
            q[k] += over(self.branch.make_up.pressure - p, self.branch.make_up.slope)
        move = comp.gain * (comp.drop - drop * share)
        move = min(max(move, to_shut), to_open)
        stroke = min(max((max(load, oil.tank) + pump.margin - line) / pump.band, 0.0), 1.0)
        q_line = pump.flow * stroke - q_in - pump.leakage * (line - oil.tank)
        q_line -= over(line - pump.relief.pressure, pump.relief.slope)
        v_h = cylinder.dead_volume + a_h * s
        v_r = cylinder.dead_volume + a_r * (cylinder.stroke - s)
        beta = oil.modulus
        force = a_h * head - a_r * rod - cylinder.damping * u + self.rod.force
        return [
            u,
            force / self.rod.mass,
            (q[0] * math.exp(-head / beta) - a_h * u) * beta / v_h,
            (q[1] * math.exp(-rod / beta) + a_r * u) * beta / v_r,
            move,
            q_line * math.exp(-line / beta) * beta / pump.line,
        ]


def solve(bench: Bench, times: np.ndarray, tight: float = TIGHT) -> np.ndarray:
    """States (n, 6) at the times, by Radau; every kink of lever and edges ends an interval."""
    from scipy.integrate import solve_ivp

    rates = BenchEquations(bench)
    x, rows = rates.start(), []
    kinks = [t for t in rates.kinks() if 0.0 < t < times[-1]]
    absolute = tight * np.array([1.0, 1.0, 1e6, 1e6, 1e-4, 1e6])
    for first, last in zip([0.0, *kinks], [*kinks, times[-1]], strict=True):
        middle = float(np.interp(0.5 * (first + last), rates.times, rates.levers))
        rates.open = abs(middle) > rates.metering[0][0][0]
        inner = times[(times >= first) & (times < last)]
        found = solve_ivp(
            rates, (first, last), x, "Radau", t_eval=[*inner, last], rtol=tight, atol=absolute,
            max_step=1e-3,
        )  # fmt: skip
        if not found.success:
            raise RuntimeError(f"Radau stops at {found.t[-1]:g} s: {found.message}")
        rows.append(found.y[:, :-1].T)
        x = found.y[:, -1]
        x[4] = min(max(x[4], 0.0), rates.branch.compensator.largest)
    return np.vstack([*rows, x])
