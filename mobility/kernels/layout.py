"""Places of a lumped vehicle's numbers in the array that the kernels read."""

from __future__ import annotations

WEIGHT = 0  # m g [N]
HEIGHT = 1  # of the centre of mass above the ground [m]
LATERAL = 2  # largest lateral ratio [-]
BRAKES = 3  # sum of the brakes' largest forces at the contacts [N]
START_SLIP = 4  # slip of a start [-]
AXLES = 5  # number of axles
OPEN = 6  # 1: the wheels of an axle share a torque, 0: a speed
MOST = 7  # torque of the driven wheels in the strongest gear [N m]
FIRST = 8  # then, for every axle:

ALONG = 0  # place ahead of the centre of mass [m]
HALF_TRACK = 1  # [m]
RADIUS = 2  # [m]
DRIVEN = 3  # 1 or 0
LOAD = 4  # on the level, share of the weight [-]
TAKES = 5  # of a moment that lifts the front: load off this axle [1/m]
TYRE = 6  # yielding of tyres and soil [m/N]
FLAT = 7  # their compression on the level [m]
SPRING = 8  # yielding of the springs at the wheels [m/N]
BEND = 9  # and of its square [m/N^2]
PATH = 10  # how far the wheels' centres go forward as they rise [-]
PATH_DRIVEN = 11  # the same of what the thrust pushes
UNSPRUNG = 12  # share of the mass that rises with the wheels [-]
LEAD = 13  # way of the vehicle's wheels over the way of these, rolling [-]
GEARING = 14  # torque of the vehicle's wheels over that of these, of one shaft [-]
TWIST = 15  # torque of the propeller shaft on the axle over that of its wheels [-]
ROLL = 16  # stiffness of the axle against roll of the body [N m/rad]
STIFFENING = 17  # more of it for a torque of its wheels [1/rad]
BELOW = 18  # stiffness of tyres and soil against its roll [N m/rad]
OVER = 19  # moment of the body's weight about its roll centre, for a turn [N m/rad]
PER_AXLE = 20

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
CODED = 9  # steady slip as tables hold it, see ``balance.steady`` [-]
ANSWERS = 10
