"""Columns of a row of results: force balance of a vehicle at one strength and slope
(``balance.write_point``).
"""

SLIP = 0  # steady slip of the shafts [-]; nan: no balance at any slip
TORQUE = 1  # sum of the driven wheels' torques [N m]
MARGIN = 2  # largest net force uphill over all slips, per weight [-]
START = 3  # net force uphill at the slip of a start, per weight [-]
SIDE = 4  # required over available lateral force [-]
TIP = 5  # overturning moment over restoring moment [-]
BRAKING = 6  # largest deceleration [m/s^2]
CODED = 7  # steady slip [-], coded: values from -0.02 to 0 stand for slip 0, see ``balance.steady``
ANSWERS = 8
