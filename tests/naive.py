"""Slow and simple formulas of Peiret et al. (paper cited in README.md), independent of the package."""

import math

from scipy.integrate import quad, solve_ivp


def mobility_number(cone_index, diameter, width, load, deflection_ratio):
    """Mobility number B_m of a wheel, eq 18.

    Arguments: cone index [Pa], diameter and width [m], load [N], deflection over section height [-].
    """
    return (
        (cone_index * diameter * width / load) * (1 + 5 * deflection_ratio) / (1 + 3 * width / diameter)
    )


def thrust_ratio(b_m, slip):
    """Thrust over load at mobility number ``b_m``, eq 19, an odd function of the slip."""
    if slip == 0:
        return 0.0
    value = 0.88 * (1 - math.exp(-0.1 * b_m)) * (1 - math.exp(-7.5 * abs(slip))) + 0.04
    return math.copysign(value, slip)


def resistance_ratio(b_m, slip):
    """Rolling resistance over load at mobility number ``b_m``, eq 20."""
    return 1 / b_m + 0.5 * abs(slip) / math.sqrt(b_m) + 0.04


def radial_stress_force(soil, radius, width, sinkage):
    """Vertical force [N] of the soil on a wheel, eqs 9 and 13: the radial stress before and behind its
    peak, each integrated by adaptive quadrature.
    """
    entry = math.acos(1 - sinkage / radius)
    peak = soil.c_1 * entry
    modulus = soil.k_c / width + soil.k_phi

    def stress(angle):
        mirrored = entry - angle / peak * (entry - peak) if angle < peak else angle
        bracket = max(math.cos(mirrored) - math.cos(entry), 0.0)
        return modulus * radius**soil.n * bracket**soil.n * math.cos(angle)

    parts = [(0.0, peak), (peak, entry)]
    return radius * width * sum(quad(stress, a, b, epsrel=1e-11, limit=200)[0] for a, b in parts)


def drive(mass, inertia, radius, load, b_m, torque, pull, speed, times):
    """Velocity v_x and rim speed omega r [m/s] of a driven wheel at ``times``, by SciPy's LSODA.

    torque [N m] drives it; pull [N s^2/m^2] times the square of the velocity holds it back.
    """

    def rates(_, y):
        v, rim = y
        slip = (rim - v) / max(abs(rim), abs(v))
        thrust = thrust_ratio(b_m, slip) * load
        resistance = math.copysign(resistance_ratio(b_m, slip) * load, v)
        return [
            (thrust - resistance - pull * v * abs(v)) / mass,
            radius * (torque - thrust * radius) / inertia,
        ]

    start = [speed, speed * (1 + 1e-9)]
    return solve_ivp(
        rates, (0.0, times[-1]), start, "LSODA", times, rtol=1e-9, atol=1e-11, max_step=0.01
    ).y
