"""Cost of Wong-Reece and exactness of its integrals: repeatable checks."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable

import numpy as np

from contact import BekkerSoil
from contact.laws.wong_reece import _wheel_parameters

from .references import Reference

INTEGRALS_US, EQUILIBRIUM_US = 3.0, 30.0
RADIUS, WIDTH, LOAD = 0.15, 0.1, 165.0
SLIPS = (-1.0, -0.8, -0.3, -0.1, 0.0, 0.2, 0.8, 1.0)
EXPONENTS = (0.3, 0.8, 1.6)
SHEAR_MODULI = (1e-6, 1e-4, 1e-3, 0.013, 0.06)  # [m]
EXITS = (0.0, -0.1)  # [rad]
ROUNDS, CALLS = 25, 100


def timings() -> list[Reference]:
    """Rows for the table: the least time of many rounds, and the error against adaptive quadrature.

    Over exponents, slips, exit angles and shear moduli, the stiffest far beyond any soil; skid of
    Part II is timed too.
    """
    from contact.kernels.law_entry import forces_over, wheel_over

    integrals, equilibrium, usual, error, count = 0.0, 0.0, 0.0, 0.0, 0
    four, five = np.empty((CALLS, 4)), np.empty((CALLS, 5))
    loads = np.full(CALLS, LOAD)
    for n, k, exit_angle, slip, towed in itertools.product(
        EXPONENTS, SHEAR_MODULI, EXITS, SLIPS, (False, True)
    ):
        if towed and slip <= 0.0:
            continue
        soil = BekkerSoil(0.0, 4.1e5, n, 234.0, math.radians(30.0), k, 0.18, 0.32)
        p = _wheel_parameters(soil, RADIUS, WIDTH, exit_angle)
        slips, skids = np.full(CALLS, slip), np.full(CALLS, slip if towed else -1.0)
        wheel_over(p, loads, slips, skids, five)
        angles = five[:, 0].copy()
        us = least(lambda a=angles, p=p, s=slips, k=skids: forces_over(p, a, s, k, four))
        integrals = max(integrals, us)
        us = least(lambda p=p, s=slips, k=skids: wheel_over(p, loads, s, k, five))
        equilibrium = max(equilibrium, us)
        if k == 0.013 and n == 0.8 and exit_angle == 0.0 and not towed:
            usual = max(usual, us)
        if not towed and abs(slip) < 1.0:
            exact = by_quadrature(soil, float(angles[0]), slip, exit_angle)
            error, count = max(error, float(np.abs(four[0] - exact).max() / exact[0])), count + 1
    case = f"n {EXPONENTS[0]} to {EXPONENTS[-1]}, K 1e-6 to 0.06 m, every slip, slowest"
    usual_case = "Azimi, every slip, slowest"
    return [
        Reference("wong-reece", case, "integrals [us], at most", INTEGRALS_US, integrals, math.nan),
        Reference(
            "wong-reece", usual_case, "equilibrium [us], at most", EQUILIBRIUM_US, usual, math.nan
        ),
        Reference(
            "wong-reece", case, "equilibrium [us], at most", EQUILIBRIUM_US, equilibrium, math.nan
        ),
        Reference("wong-reece", f"adaptive quadrature, {count} cases", "error / load", 0.0, error, 1e-9),
    ]


def least(call: Callable[[], object]) -> float:
    """Least time of a call of ``CALLS`` evaluations, per evaluation [us]."""
    best = math.inf
    for _ in range(ROUNDS):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best / CALLS * 1e6


def by_quadrature(soil: BekkerSoil, theta_1: float, slip: float, theta_2: float = 0.0) -> np.ndarray:
    """(load, thrust, compaction, torque / r) straight from eqs 9-14 by SciPy's adaptive quadrature."""
    from scipy.integrate import quad
    from scipy.optimize import brentq

    span = theta_1 - theta_2
    theta_m = min(
        max((soil.c_1 + soil.c_2 * slip) * theta_1, theta_2 + 0.02 * span), theta_1 - 0.02 * span
    )
    rolled = 1.0 - slip if slip >= 0.0 else 1.0 / (1.0 + slip)

    def path(angle: float) -> float:
        return RADIUS * ((theta_1 - angle) - rolled * (math.sin(theta_1) - math.sin(angle)))

    def normal(angle: float) -> float:
        behind = (angle - theta_2) / (theta_m - theta_2)
        mirrored = angle if angle >= theta_m else theta_1 - behind * (theta_1 - theta_m)
        lift = max(math.cos(mirrored) - math.cos(theta_1), 0.0)
        return soil.modulus(WIDTH) * (RADIUS * lift) ** soil.n

    def shear(angle: float) -> float:
        strength = soil.cohesion + normal(angle) * math.tan(soil.friction_angle)
        j = path(angle)
        return math.copysign(strength * -math.expm1(-abs(j) / soil.shear_modulus), j)

    grid = np.linspace(theta_2, theta_1, 401)[:-1]
    signs = np.sign([path(a) for a in grid])
    turns = [
        brentq(path, grid[k], grid[k + 1], xtol=1e-15)
        for k in range(399)
        if signs[k] * signs[k + 1] < 0.0
    ]
    breaks = {theta_2, theta_m, theta_1, *turns}
    for end, digits in itertools.product((theta_1, *turns), range(1, 8)):  # thin layers
        breaks |= {end - span * 0.1**digits, end + span * 0.1**digits}
    inside = sorted(x for x in breaks if theta_2 <= x <= theta_1)

    def total(f: Callable[[float], float]) -> float:
        return RADIUS * WIDTH * sum(
            quad(f, a, b, epsabs=0.0, epsrel=1e-12, limit=200)[0]
            for a, b in itertools.pairwise(inside)
        )  # fmt: skip

    return np.array(
        [
            total(lambda t: normal(t) * math.cos(t) + shear(t) * math.sin(t)),
            total(lambda t: shear(t) * math.cos(t)),
            total(lambda t: normal(t) * math.sin(t)),
            total(shear),
        ]
    )
