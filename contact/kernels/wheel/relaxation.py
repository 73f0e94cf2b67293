"""Relaxation of the lateral force: deflection of the carcass, one coordinate u to the left.

    sigma u' + |v_x| u = sigma v_y,   F_y = -F_n mu(alpha'),   tan alpha' = u / sigma

with the velocities v_x of the centre along the heading and v_y to the left, the load F_n, the relaxation
length sigma and the lateral law mu, by backward Euler over the step h:
``u+ = (u + h v_y) / (1 + h |v_x| / sigma)``. So in a step the lateral law is evaluated at

    tan alpha' = (v_y + u / h) / (|v_x| + sigma / h)

with its exact slope in v_y, so the force is one row of finite stiffness, at rest too. Below 0.1 m/s a
damper is added: ``u + tau v_y`` replaces u, with a time tau that falls to zero at 0.1 m/s.
"""

import math

from mlcp.jit import kernel

from ..laws.lateral import lateral_law


@kernel
def at_zero_angle(i, load, wheels):
    """Slope of wheel i's lateral ratio over the slip angle at zero angle, and its largest value."""
    slope, largest = 0.0, 0.0
    for m in range(wheels.weight.shape[1]):
        weight = wheels.weight[i, m]
        if weight == 0.0:
            break
        variant = wheels.variant[i, m]
        values = lateral_law(wheels.sides[variant], wheels.lateral[variant], 0.0, load)
        slope, largest = slope + weight * values[1], largest + weight * values[2]
    return slope, largest


@kernel
def begin_relaxing(i, h, wheels):
    """Begin the step of wheel i: set the terms of the carcass's deflection in ``slip_sides``."""
    wheel, now = wheels.each[i], wheels.now[i]
    length = wheel.relaxation
    now.lag_x, now.lag_y, now.stiff_y = length / h, wheels.bristle[i].y / h, 1.0
    slow = max(0.0, 1.0 - abs(now.v_x) / 0.1)
    slope, _ = at_zero_angle(i, now.load, wheels)
    if slow > 0.0 and slope > 0.0:
        # the damper is chosen for the oscillation of a mass of load / (9.81 N/kg) on the carcass
        now.stiff_y += slow * slow * math.sqrt(length / (slope * 9.81)) / h


@kernel
def slip_sides(i, v_x, v_y, wheels):
    """Denominator and numerator [m/s] of the tangent of wheel i's slip angle, alpha' with a relaxing
    carcass; slope of the numerator over v_y."""
    wheel, now = wheels.each[i], wheels.now[i]
    if wheel.relaxes == 1:
        return abs(v_x) + now.lag_x, now.stiff_y * v_y + now.lag_y, now.stiff_y
    return max(abs(v_x), wheel.v_0), v_y, 1.0


@kernel
def relax(i, h, v_x, v_y, share, wheels):
    """Move the lateral deflection of wheel i's carcass to the end of the step.

    v_x, v_y: velocities at the end of the step [m/s]; share: factor of the friction ellipse on the
    lateral force. The deflection exceeds that of full sliding only while the sliding continues.
    If the tyre has become stiffer (by load, soil, or less thrust), part of the contact is new and
    undeflected: the deflection is reduced in proportion, so that the change adds no energy.
    """
    wheel, now, bristle = wheels.each[i], wheels.now[i], wheels.bristle[i]
    length, load = wheel.relaxation, now.load
    slope, largest = at_zero_angle(i, load, wheels)
    last, bristle.firm = bristle.firm, share * load * slope
    if bristle.firm <= 0.0:
        bristle.y = 0.0
        return
    y = (bristle.y + h * v_y) / (1.0 + h * abs(v_x) / length)
    # full sliding of the brush model: three times the slip angle at which the tangent at 0 meets the
    # largest force, up to 1.2 rad
    most = math.tan(min(3.0 * largest / slope, 1.2))
    most = length * max(most, math.copysign(v_y, v_y * y) / max(abs(v_x), wheel.v_0))
    y = min(max(y, -most), most)
    bristle.y = y * min(1.0, last / bristle.firm) if last > 0.0 else y
