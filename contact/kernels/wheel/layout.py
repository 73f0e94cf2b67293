"""Numbers of a wheel's channels, rows and kinds of linearisation in the compiled contact problem.

Channels are velocities of the host; rows are those of the complementarity problem. Two rows may be on
one channel: the smooth part of the thrust and its set-valued part both act on the sliding velocity.
"""

# Channels of one wheel, velocities [m/s]; impulses q on them [N s].
NORMAL = 0  # velocity of the contact point along the ground normal, positive when separating
SLIDING = 1  # velocity of the contact point along the heading, v_t = v_x - omega r
LATERAL = 2  # velocity of the contact point to the left
CENTRE = 3  # velocity of the wheel centre along the heading, v_x
CHANNELS = 4

# Rows of one wheel.
ROW_NORMAL = 0  # on NORMAL: tyre and soil stiffness, p >= 0
ROW_TRACTION = 1  # on SLIDING: the smooth odd part of the thrust, regularised
ROW_STICK = 2  # on SLIDING: the set-valued part of the thrust (and all of it at rest)
ROW_RESISTANCE = 3  # on CENTRE: motion resistance, set-valued
ROWS = 4  # number of rows of every wheel; spin row and lateral rows follow if the wheel has them

# Point at which a wheel's laws are linearised in a pass (linearisation and solve).
KEPT = 0  # at the slip of the start of the step
IMPLICIT = 1  # at the slip of the last pass's solution, until it agrees with the law
LUGRE = 2  # bristles instead of a regularisation

# Numbers of slip angles and of loads in the table of a ``SoilTrail``.
TRAIL_ANGLES, TRAIL_LOADS = 9, 6

# Lower limit [m/s] of the bias |b| by which a row's residual is scaled: at rest b is round-off.
LEAST_BIAS = 1e-3
