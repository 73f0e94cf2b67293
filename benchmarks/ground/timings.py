"""What Wong-Reece costs, and how exact its integrals are: promises that a person can repeat."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable

import numpy as np

from contact import BekkerSoil, WongReece
from contact.laws.wong_reece import _wheel_parameters

from .references import Reference

INTEGRALS_US, EQUILIBRIUM_US = 3.0, 30.0
SLIPS = (-0.8, -0.2, 0.0, 0.2, 0.8)
RADIUS, WIDTH, LOAD = 0.15, 0.1, 165.0
ROUNDS, CALLS = 60, 200


def timings() -> list[Reference]:
    """Rows for the table: the least time of many rounds, and the error against adaptive quadrature."""
    from contact.kernels.law_entry import forces_over, wheel_over

    soil = BekkerSoil(0.0, 4.1e5, 0.8, 234.0, math.radians(30.0), 0.013, 0.18, 0.32)
    p = _wheel_parameters(soil, RADIUS, WIDTH, 0.0)
    integrals, equilibrium, error = 0.0, 0.0, 0.0
    for slip in SLIPS:
        theta = float(WongReece().wheel(soil, RADIUS, WIDTH, LOAD, slip).entry_angle)
        loads, slips, skids = np.full(CALLS, LOAD), np.full(CALLS, slip), np.full(CALLS, -1.0)
        four, five = np.empty((CALLS, 4)), np.empty((CALLS, 5))
        angles = np.full(CALLS, theta)
        us = least(lambda a=angles, s=slips, k=skids, o=four: forces_over(p, a, s, k, o))
        integrals = max(integrals, us)
        us = least(lambda f=loads, s=slips, k=skids, o=five: wheel_over(p, f, s, k, o))
        equilibrium = max(equilibrium, us)
        exact = by_quadrature(soil, theta, slip)
        error = max(error, float(np.abs(four[0] - exact).max() / exact[0]))
    case = f"Azimi, slips {SLIPS[0]} to {SLIPS[-1]}, slowest"
    return [
        Reference("wong-reece", case, "integrals [us], at most", INTEGRALS_US, integrals, math.nan),
        Reference("wong-reece", case, "equilibrium [us], at most", EQUILIBRIUM_US, equilibrium,
                  math.nan),
        Reference("wong-reece", "adaptive quadrature", "error / load", 0.0, error, 1e-9),
    ]  # fmt: skip


def least(call: Callable[[], object]) -> float:
    """Least time of a call of ``CALLS`` evaluations, per evaluation [us]."""
    best = math.inf
    for _ in range(ROUNDS):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best / CALLS * 1e6


def by_quadrature(soil: BekkerSoil, theta_1: float, slip: float) -> np.ndarray:
    """(load, thrust, compaction, torque / r) straight from eqs 9-14 by SciPy's adaptive quadrature."""
    from scipy.integrate import quad
    from scipy.optimize import brentq

    theta_m = min(max((soil.c_1 + soil.c_2 * slip) * theta_1, 0.02 * theta_1), 0.98 * theta_1)
    rolled = 1.0 - slip if slip >= 0.0 else 1.0 / (1.0 + slip)

    def path(angle: float) -> float:
        return RADIUS * ((theta_1 - angle) - rolled * (math.sin(theta_1) - math.sin(angle)))

    def normal(angle: float) -> float:
        mirrored = angle if angle >= theta_m else theta_1 - angle / theta_m * (theta_1 - theta_m)
        lift = max(math.cos(mirrored) - math.cos(theta_1), 0.0)
        return soil.modulus(WIDTH) * (RADIUS * lift) ** soil.n

    def shear(angle: float) -> float:
        strength = soil.cohesion + normal(angle) * math.tan(soil.friction_angle)
        j = path(angle)
        return math.copysign(strength * -math.expm1(-abs(j) / soil.shear_modulus), j)

    grid = np.linspace(0.0, theta_1, 401)[:-1]
    signs = np.sign([path(a) for a in grid])
    turns = [brentq(path, grid[k], grid[k + 1], xtol=1e-15)
             for k in range(399) if signs[k] * signs[k + 1] < 0.0]  # fmt: skip
    breaks = sorted({0.0, theta_m, theta_1, 0.999 * theta_1, *turns})

    def total(f: Callable[[float], float]) -> float:
        return RADIUS * WIDTH * sum(
            quad(f, a, b, epsabs=0.0, epsrel=1e-12, limit=200)[0]
            for a, b in itertools.pairwise(breaks)
        )  # fmt: skip

    return np.array([
        total(lambda t: normal(t) * math.cos(t) + shear(t) * math.sin(t)),
        total(lambda t: shear(t) * math.cos(t)),
        total(lambda t: normal(t) * math.sin(t)),
        total(shear),
    ])  # fmt: skip
