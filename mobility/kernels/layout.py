"""Places of a lumped vehicle's numbers in the array that the kernels read."""

from __future__ import annotations

WEIGHT = 0  # m g [N]
HEIGHT = 1  # of the centre of mass above the ground [m]
LATERAL = 2  # largest lateral ratio [-]
BRAKES = 3  # sum of the brakes' largest forces at the contacts [N]
START_SLIP = 4  # slip of a start [-]
AXLES = 5  # number of axles
OPEN = 6  # 1: the wheels of an axle share a torque, 0: a speed
PITCH = 7  # yielding in pitch of springs and tyres [rad/(N m)]
MOST = 8  # torque of the driven wheels in the strongest gear [N m]
HEAVE = 9  # yielding up and down [m/N]
FIRST = 10  # then, for every axle:

ALONG = 0  # place ahead of the centre of mass [m]
HALF_TRACK = 1  # [m]
RADIUS = 2  # [m]
DRIVEN = 3  # 1 or 0
PER_AXLE = 4

# Columns of the answer.
SLIP = 0  # steady slip of the shafts [-], NaN: none holds
TORQUE = 1  # sum over the driven wheels [N m]
MARGIN = 2  # largest net pull over the slips, less what the slope takes, per weight [-]
START = 3  # the same at the slip of a start
SIDE = 4  # lateral ratio asked over the largest [-]
TIP = 5  # overturning moment over the restoring one [-]
BRAKING = 6  # largest deceleration [m/s^2]
WHEEL_SLIP = 7  # largest slip of a wheel [-]
BEST_SLIP = 8  # slip of the largest net pull [-]
ANSWERS = 9
