"""Wheels at rest whose thrust and lateral force share an ellipse: its size, and bounds that touch it.

With P the two capacities of a wheel [N s], its impulses p on the sliding and the lateral channel lie in
the ellipse ``|p / P| <= 1``, and on its rim against the velocity u where that is not zero:

    p/P = proj(p/P - r Q u),   proj: onto the unit disc, r > 0

with weights Q, see ``flow_of``. The rows are laid as a box that touches the rim where the last impulses
point; ``check_rest`` turns it from pass to pass.
"""

from __future__ import annotations

import math

from mlcp.compiled.branches import no, some, where
from mlcp.jit import kernel

from ..wheel import layout as at

RIM = 0.999  # share of the ellipse's size from which the last impulses are taken to lie on it


@kernel
def shares_ellipse(i, wheels):
    """Whether wheel i stands with both capacities above zero and one ellipse."""
    wheel, now = wheels.each[i], wheels.now[i]
    shares = (now.at_rest == 1.0) & (now.capacity_x > 0.0) & (now.capacity_y > 0.0)
    if wheel.lateral_row < 0 or wheel.relaxes == 1 or wheel.ellipse == 0:
        return shares & no(shares)
    return shares


@kernel
def flow_of(i, wheels):
    """Weights Q of the velocity in ``p/P - r Q u``: P, or weights that make the force oppose u."""
    wheel, now = wheels.each[i], wheels.now[i]
    if wheel.sliding == 1:
        return now.capacity_y, now.capacity_x
    return now.capacity_x, now.capacity_y


@kernel
def bound_by_ellipse(i, least, which, wheels, rows):
    """Let the bounds of a wheel at rest touch its ellipse where its impulses point, of the vehicles
    ``which``, if they are beyond this share of the ellipse's size."""
    wheel, now, z = wheels.each[i], wheels.now[i], rows.z
    x, y = wheel.row + at.ROW_STICK, wheel.lateral_row + 1
    capacity_x, capacity_y = where(which, now.capacity_x, 1.0), where(which, now.capacity_y, 1.0)
    p_x, p_y = abs(z[x]) / capacity_x, abs(z[y]) / capacity_y
    r = math.hypot(p_x, p_y)
    which = which & (r > least)
    r = where(which, r, 1.0)
    now.rest_x, now.rest_y = where(which, p_x / r, now.rest_x), where(which, p_y / r, now.rest_y)
    most_x, most_y = now.capacity_x * now.rest_x, now.capacity_y * now.rest_y
    rows.lower[x], rows.upper[x] = (
        where(which, -most_x, rows.lower[x]),
        where(which, most_x, rows.upper[x]),
    )
    rows.lower[y], rows.upper[y] = (
        where(which, -most_y, rows.lower[y]),
        where(which, most_y, rows.upper[y]),
    )


@kernel
def start_rest(wheels, rows):
    """First pass: where the last impulses lie on a wheel's ellipse, its bounds touch it there."""
    for i in range(len(wheels.each)):
        shares = shares_ellipse(i, wheels)
        if some(shares):
            bound_by_ellipse(i, RIM, shares, wheels, rows)
