"""Columns of the force balance at a point, see ``balance.point``."""

from __future__ import annotations

SLIP = 0  # steady slip of the shafts [-], NaN: none holds
TORQUE = 1  # sum over the driven wheels [N m]
MARGIN = 2  # largest net pull over the slips, less what the slope takes, per weight [-]
START = 3  # the same at the slip of a start
SIDE = 4  # lateral ratio asked over the largest [-]
TIP = 5  # overturning moment over the restoring one [-]
BRAKING = 6  # largest deceleration [m/s^2]
WHEEL_SLIP = 7  # largest slip of a wheel [-]
BEST_SLIP = 8  # slip of the largest net pull [-]
CODED = 9  # steady slip as tables hold it, see ``balance.steady`` [-]
ANSWERS = 10
