"""Tables of the kernels of a map: a vehicle's going, and its chances under uncertainty."""

from __future__ import annotations

from typing import Any, NamedTuple


class Table(NamedTuple):
    """A surface as numbers, see ``mobility.surface.Surface``."""

    relative_slope: Any  # (n,) slope over the steepest of its way [-], from 0 to 1
    direction: Any  # (m,) slope ahead over the sum of ahead and across [-], from -1 to 1
    eta: Any  # (k,) place above the border [-]
    reach: Any  # (2, r) steepest slope of even ways [-]: of a start, of a moving vehicle
    relative_slopes: Any  # (p,) of the border [-]
    directions: Any  # (q,) of the border [-]
    weakness: Any  # (2, p, q) 1/c* [1/Pa]: of a start, of a moving vehicle
    values: Any  # (n, m, k, 3) coded slip [-], torque [N m], deceleration [m/s^2]
    gears: Any  # (gears, 2, points) from the peak on: speed of the wheels [rad/s], torque [N m]
    numbers: Any  # the vehicle's and the driver's, places below
    hints: Any  # (5, parts) where in even parts of each line of nodes to look first, rows below
    ray_relative_slope: Any  # (2, 3) 1/reach straight up, down and across
    ray_weakness: Any  # (2, 3, e) of ``weakness`` there, at even shares
    ray_values: Any  # (3, n, k, 3) of ``values`` there


class Odds(NamedTuple):
    """Chances over log strength and slope, see ``performance.odds``; probits, so that they are smooth.

    Where the errors are too small for tables, these are empty and every cell asks the borders.
    """

    start: Any  # (slopes, strengths) probit of P(it starts in every direction)
    speeds: Any  # (slopes, strengths, levels) float32, probit of P(mean speed >= level)
    levels: Any  # (levels,) speeds [m/s]
    grid: Any  # of the speeds: slope of the first node, step, log of the first strength, step
    fine: Any  # of the start: steps of slope and log strength, from the same first node
    wanted: Any  # (3,) probits of the speeds' chances to be exceeded
    slopes: Any  # (n,) of the borders [-]
    weak: Any  # (1 + levels, n) 1/c* [1/Pa]: of a start, then of the levels
    errors: Any  # (2,) standard deviations of log strength and slope


# Places in ``numbers``.
WEIGHT = 0  # m g [N]
RADIUS = 1  # of the wheels [m]
DRAG = 2  # air density x drag area / 2 [N s^2/m^2]
STRONGEST = 3  # strength at the table's end [Pa]
SIDEWAYS = 4  # slope across, of a level way, beyond which it slides or tips [-]
MAXIMUM = 5  # of the driver [m/s]
SIGHT_DISTANCE = 6  # [m]
REACTION = 7  # [s]
KNOWN_SLIP = 8  # up to which the ground law is vouched for [-]
WEAKEST = 9  # strength below which the border was not sought [Pa]
STEEPEST = 10  # slope of the ground beyond which nothing is said [-]
NUMBERS = 11

RELATIVE_SLOPE, DIRECTION, ETA, RELATIVE_SLOPES, DIRECTIONS = 0, 1, 2, 3, 4  # rows of ``hints``
UP, DOWN, ACROSS, OBLIQUE = 0, 1, 2, -1  # rays
STARTING, MOVING = 0, 1  # kinds of border
CODED, TORQUE, BRAKING = 0, 1, 2  # values above the border
ABOVE = 3.0  # least ratio of the table's strongest ground to the border's

# Codes of the classes of going, of the limits, and of the certainty of a cell; 0: no data.
NO_DATA, GO, KEEP_MOVING, NO_GO = 0, 1, 2, 3
SOIL, POWER, SIDE, SIGHT, DRIVER, LAND = 1, 2, 3, 4, 5, 6
VOUCHED, BEYOND_LAW, BEYOND_TABLE = 1, 2, 3
