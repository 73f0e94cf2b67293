"""Tables for the kernels of a map: motion of a vehicle, and probabilities under uncertainty."""

from __future__ import annotations

from typing import Any, NamedTuple


class SurfaceArrays(NamedTuple):
    """Arrays of a ``mobility.Surface``; c*: least strength, the border of motion."""

    relative_slope: Any  # (n,) slope over the steepest in its direction [-], from 0 to 1
    direction: Any  # (m,) along / (|along| + |across|) [-], from -1 to 1
    eta: Any  # (k,) strength above the border, scaled [-], see ``Surface``
    reach: Any  # (2, r) steepest slopes at equidistant directions [-]: at a start, in motion
    relative_slopes: Any  # (p,) relative slopes at which ``weakness`` is stored [-]
    directions: Any  # (q,) directions at which ``weakness`` is stored [-]
    weakness: Any  # (2, p, q) 1/c* [1/Pa]: at a start, in motion
    values: Any  # (n, m, k, 3) slip, coded by ``balance.steady``, torque [N m], deceleration [m/s^2]
    gears: Any  # (gears, 2, points) from the largest torque on: wheel speed [rad/s], torque [N m]
    numbers: Any  # numbers of vehicle and driver, indices below
    hints: Any  # (5, parts) first interval in the search among nodes; rows: RELATIVE_SLOPE ...
    ray_relative_slope: Any  # (2, 3) 1/reach straight up, down and across [-]
    ray_weakness: Any  # (2, 3, e) ``weakness`` on these rays, at equidistant relative slopes
    ray_values: Any  # (3, n, k, 3) ``values`` on these rays


class Odds(NamedTuple):
    """Tables of probits over slope and log strength, see ``performance.odds``.

    If errors are too small for tables, the tables are empty, and each cell is computed by quadrature.
    """

    start: Any  # (slopes, strengths) probit of the probability of a start in every direction
    speeds: Any  # (slopes, strengths, levels) float32, probit of P(mean speed >= level)
    levels: Any  # (levels,) speeds [m/s]
    grid: Any  # nodes of ``speeds``: first slope, step, first log strength, step
    fine: Any  # nodes of ``start``: steps of slope and log strength; first nodes as in ``grid``
    wanted: Any  # (3,) probits of the probabilities that the map's speeds are exceeded
    slopes: Any  # (n,) slopes of the borders [-]
    weak: Any  # (1 + levels, n) 1/c* [1/Pa]: at a start, then for each level of speed
    errors: Any  # (2,) standard deviations of log strength and slope


# Indices in ``numbers``.
WEIGHT = 0  # m g [N]
RADIUS = 1  # rolling radius of the wheels [m]
DRAG = 2  # air density x drag area / 2 [N s^2/m^2]
STRONGEST = 3  # largest strength of the table [Pa]
SIDEWAYS = 4  # slope across beyond which the vehicle slides or tips (along 0) [-]
MAXIMUM = 5  # largest speed of the driver [m/s]
SIGHT_DISTANCE = 6  # distance of sight [m]
REACTION = 7  # reaction time of the driver [s]
KNOWN_SLIP = 8  # largest slip within the validity of the ground law [-]
WEAKEST = 9  # least strength of the table [Pa]
STEEPEST = 10  # largest slope of the table [-]
NUMBERS = 11

RELATIVE_SLOPE, DIRECTION, ETA, RELATIVE_SLOPES, DIRECTIONS = 0, 1, 2, 3, 4  # rows of ``hints``
UP, DOWN, ACROSS, OBLIQUE = 0, 1, 2, -1  # directions with tables of their own (rays), and all others
STARTING, MOVING = 0, 1  # kinds of border
# last index of ``values``: coded slip, torque, deceleration
CODED, TORQUE, BRAKING = 0, 1, 2
# lower limit of c_max / c* [-] in ``eta`` = sqrt(log(c / c*) / log(c_max / c*)), c: strength of the
# soil, c_max: largest of the table
ABOVE = 3.0

# Codes of class (trafficability), limit of the speed, and validity of a cell; 0: no data.
NO_DATA, GO, KEEP_MOVING, NO_GO = 0, 1, 2, 3
SOIL, POWER, SIDE, SIGHT, DRIVER, LAND = 1, 2, 3, 4, 5, 6
VALID, BEYOND_LAW, BEYOND_TABLE = 1, 2, 3
