"""A vehicle's going as a table over strength and slope in every direction, its border bisected."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from contact import checks
from mlcp import renamed
from mlcp.kinds import Vector, checked

from ..kernels.tables import MOVING, STARTING, Table
from ..vehicles.powertrain import falling
from ..vehicles.vehicle import LumpedVehicle
from .limits import Driver, Going, numbers
from .tabulate import above_border, closer, monotone, reach, refined, smooth

BEYOND = 1.1  # air drag at the steepest slope counts as more
ABOVE_NODES = (0.0, 1.0, 51), (-1.0, 1.0, 41), (0.0, 1.0, 21)  # slope, direction, eta above the border

RAYS = 1.0, -1.0, 0.0  # ways straight up, down and across
PARTS = 512  # of a line of nodes, each of which says where to look first


@renamed.attributes(share="relative_slope", way="direction")
@dataclass(frozen=True, eq=False)
@checked
class Surface:
    """Table of a vehicle's going, made by ``surface``.

    A slope (along, across) is held as the way w = along / (|along| + |across|) that the vehicle takes
    on it and as the share s = hypot(along, across) / R(w) of the steepest slope R(w) on which it goes
    that way on the strongest ground. So the table ends where going does, in every direction.

    The border is the least strength c*(s, w) at which it goes, of a start and of a moving vehicle, kept
    as 1/c*. Above it slip, torque and deceleration are tables over

        eta = sqrt(log(c / c*) / log(max(c_max / c*, 3)))

    in which the slip leaves the border in a straight line. Speeds are made of these by the gears at
    every look-up: no interpolation crosses the border or a change of gear.

    Attributes:
        vehicle, driver: who goes.
        steepest: slope of the ground beyond which nothing is said [-].
        relative_slope (n,), direction (m,), eta (k,): nodes; from 0, -1 (downhill) and 0 to 1.
        strengths: least and largest [Pa].
        reach: R at even ways from -1 to 1 [-], shape (2, r): of a start, of a moving vehicle.
        steps: shares (p,) and ways (q,) of the border, closer than the nodes.
        weakness: 1/c* [1/Pa], shape (2, p, q), the same two.
        tables: coded slip [-], torque [N m], deceleration [m/s^2], shape (3, n, m, k).

    Raises:
        ValueError: a field of a wrong kind.
    """

    vehicle: LumpedVehicle
    driver: Driver
    steepest: float
    relative_slope: Vector
    direction: Vector
    eta: Vector
    strengths: tuple[float, float]
    reach: np.ndarray
    steps: tuple[np.ndarray, np.ndarray]
    weakness: np.ndarray
    tables: np.ndarray

    @functools.cached_property
    def table(self) -> Table:
        """The numbers that the kernels read."""
        nodes = self.relative_slope, self.direction, self.eta, *self.steps
        values = np.ascontiguousarray(np.moveaxis(self.tables, 0, -1))
        even = np.linspace(-1.0, 1.0, self.reach.shape[1])
        return Table(
            *nodes[:3], self.reach, *self.steps, self.weakness, values,
            falling(self.vehicle.gears),
            numbers(self.vehicle, self.driver, self.strengths, self.steepest),
            np.array([_hints(line) for line in nodes]),
            1.0 / np.stack([_at(ray, even, self.reach, 1) for ray in RAYS], axis=1),
            _evenly(np.stack([_at(ray, self.steps[1], self.weakness, 2) for ray in RAYS], axis=1),
                    self.steps[0]),
            np.stack([_at(ray, self.direction, values, 1) for ray in RAYS]),
        )  # fmt: skip

    def least_strength(
        self, along: ArrayLike, across: ArrayLike = 0.0, moving: bool = True
    ) -> np.ndarray:
        """c* [Pa] for slopes of any shape; inf where it goes on no ground, or beyond the table.

        Whether brakes hold it down a slope is asked by ``going``: it may be on soft and on firm ground
        only.
        """
        from ..kernels.entry import weakness_over

        along, across = np.broadcast_arrays(np.asarray(along, float), np.asarray(across, float))
        slopes = np.stack([along.ravel(), across.ravel()], axis=1)
        weak = np.empty(len(slopes))
        weakness_over(self.table, MOVING if moving else STARTING, slopes, weak)
        with np.errstate(divide="ignore"):
            return (1.0 / weak).reshape(along.shape)

    def going(self, strength: ArrayLike, along: ArrayLike, across: ArrayLike = 0.0) -> Going:
        """As ``limits.going``, from the table; nan or strength at or below 0 is no data.

        Arguments: strength [Pa], slopes along and across [-], one shape. Beyond the table's strengths
        its ends hold; beyond its slopes it is NO-GO.
        """
        from ..kernels.entry import going_over

        given = np.broadcast_arrays(*(np.asarray(x, float) for x in (strength, along, across)))
        points = np.stack([x.ravel() for x in given], axis=1)
        out = np.empty((len(points), 5))
        going_over(self.table, points, out)
        kind, speed, reason, slip, gear = (out[:, k].reshape(given[0].shape) for k in range(5))
        return Going(kind.astype(np.uint8), speed, reason.astype(np.uint8), slip, gear.astype(np.uint8))


def _hints(nodes: np.ndarray) -> np.ndarray:
    """Index of the interval of rising nodes at the start of each of ``PARTS`` equal parts."""
    begins = np.linspace(nodes[0], nodes[-1], PARTS, endpoint=False)
    return (np.searchsorted(nodes, begins, side="right") - 1).astype(np.uint16)


def _at(direction: float, directions: np.ndarray, values: np.ndarray, axis: int) -> np.ndarray:
    """Values at one of the ways, which lie along an axis; linear between."""
    k = min(int(np.searchsorted(directions, direction, side="right")) - 1, len(directions) - 2)
    v = (direction - directions[k]) / (directions[k + 1] - directions[k])
    return (1.0 - v) * values.take(k, axis) + v * values.take(k + 1, axis)


def _evenly(values: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """Values along the last axis at even places, every node among them: between them nothing changes."""
    count = round(1.0 / float(np.diff(nodes).min()))
    even = np.linspace(0.0, 1.0, count + 1)
    return np.array([[np.interp(even, nodes, line) for line in part] for part in values])


@checked
def surface(
    vehicle: LumpedVehicle,
    driver: Driver | None = None,
    *,
    strengths: tuple[float, float] = (2e4, 5e6),
    steepest: float = 0.7,
    tolerance: float = 1e-3,
    most: int = 4,
) -> Surface:
    """The table of a vehicle, refined until a finer one differs by less than ``tolerance``.

    Slopes start on a coarse grid. In every round the middle of each interval is computed and compared
    with the table; where the border's strength is off by more than the tolerance, the
    interval is halved.

    Arguments:
        vehicle, driver: who goes; default driver: ``Driver()``.
        strengths: least and largest of the table [Pa]: below the least the border is not sought, and
            ground above the largest is taken as that.
        steepest: slope of the ground at which the table ends [-], above 0.
        tolerance: of the border's strength, relative, above 0.
        most: rounds of halving.

    Raises:
        ValueError: naming the field, its value and the allowed range.
    """
    checks.positive("surface", "steepest", steepest)
    checks.positive("surface", "tolerance", tolerance)
    low, high = strengths
    if not 0.0 < low < high < np.inf:
        raise ValueError(f"surface: strengths = {strengths} must be two, above 0 and rising")
    ends = reach(vehicle, high, BEYOND * steepest)
    nodes, weak = refined(vehicle, strengths, ends, steepest, tolerance, most)
    steps = closer(nodes[0]), closer(nodes[1])
    weakness = monotone(smooth(weak, nodes, steps), steps[1])
    relative_slopes, directions, eta = (np.linspace(*ends_of) for ends_of in ABOVE_NODES)
    there = smooth(weak[MOVING:], nodes, (relative_slopes, directions))[0]
    grid, driver = (relative_slopes, directions, eta), driver or Driver()
    above = above_border(vehicle, grid, ends[MOVING], there, high)
    return Surface(vehicle, driver, steepest, *grid, strengths, ends, steps, weakness, above)
