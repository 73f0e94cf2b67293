"""Table of a vehicle's motion over strength and slope in every direction."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from bodies.progress import Elapsed
from contact import checks
from mlcp import renamed
from mlcp.kinds import Vector, checked

from ..kernels.tables import MOVING, STARTING, SurfaceArrays
from ..vehicles.powertrain import falling
from ..vehicles.vehicle import LumpedVehicle
from .limits import Driver, Going, numbers
from .partial_table import PartialTable, key_of
from .tabulate import above_border, closer, monotone, reach, refined, smooth

BEYOND = 1.1  # steepest computed slope over that of the table: air drag acts as an additional slope
# (first, last, number) of the nodes: relative slope, direction, eta (scaled strength above the border)
ABOVE_NODES = (0.0, 1.0, 51), (-1.0, 1.0, 41), (0.0, 1.0, 21)

RAYS = 1.0, -1.0, 0.0  # directions straight up, down and across
PARTS = 512  # number of equal parts of a range of nodes; each has a stored interval to search from


@renamed.attributes(share="relative_slope", way="direction")
@dataclass(frozen=True, eq=False)
@checked
class Surface:
    """Table of a vehicle's motion, made by ``surface``.

    Coordinates of a slope (along, across): direction w = along / (|along| + |across|), and relative
    slope s = hypot(along, across) / R(w), with R(w) the steepest passable slope of this direction on the
    strongest ground. The table ends at the limit of motion in every direction.

    Border: least strength c*(s, w) for a start and for motion, stored as 1/c*. Above the border slip,
    torque and deceleration are tables over the strength c, scaled to

        eta = sqrt(log(c / c*) / log(max(c_max / c*, 3))),   c_max: largest strength of the table

    over which the slip is linear near the border. Speeds are computed from them and the gears at every
    look-up, so that no interpolation crosses the border or a change of gear.

    Attributes:
        vehicle, driver: vehicle and its driver.
        steepest: largest slope of the table [-].
        relative_slope (n,), direction (m,), eta (k,): nodes from 0 to 1, from -1 (downhill) to 1, and
            from 0 to 1.
        strengths: least and largest strength [Pa].
        reach: R at equidistant directions from -1 to 1 [-], shape (2, r): at a start, in motion.
        steps: relative slopes (p,) and directions (q,) of the border, finer than the nodes.
        weakness: 1/c* [1/Pa], shape (2, p, q): at a start, in motion.
        tables: slip [-], coded as in ``kernels.balance.steady``, torque [N m], deceleration [m/s^2];
            shape (3, n, m, k).

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
    def table(self) -> SurfaceArrays:
        """Arrays of the table for the kernels."""
        nodes = self.relative_slope, self.direction, self.eta, *self.steps
        values = np.ascontiguousarray(np.moveaxis(self.tables, 0, -1))
        even = np.linspace(-1.0, 1.0, self.reach.shape[1])
        return SurfaceArrays(
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
        """Least strength c* [Pa] for slopes of any shape; inf: impassable, or beyond the table.

        The brakes are ignored (``going`` includes them): they may suffice on soft and on firm ground,
        but not between.
        """
        from ..kernels.entry import weakness_over

        along, across = np.broadcast_arrays(np.asarray(along, float), np.asarray(across, float))
        slopes = np.stack([along.ravel(), across.ravel()], axis=1)
        weak = np.empty(len(slopes))
        weakness_over(self.table, MOVING if moving else STARTING, slopes, weak)
        with np.errstate(divide="ignore"):
            return (1.0 / weak).reshape(along.shape)

    def going(self, strength: ArrayLike, along: ArrayLike, across: ArrayLike = 0.0) -> Going:
        """Motion as in ``limits.going``, from the table; no data for nan or strengths of at most 0.

        Arguments: strength [Pa], slopes along and across [-], one shape. Strengths are clipped to the
        table; slopes beyond the table are NO-GO.
        """
        from ..kernels.entry import going_over

        given = np.broadcast_arrays(*(np.asarray(x, float) for x in (strength, along, across)))
        points = np.stack([x.ravel() for x in given], axis=1)
        out = np.empty((len(points), 5))
        going_over(self.table, points, out)
        kind, speed, reason, slip, gear = (out[:, k].reshape(given[0].shape) for k in range(5))
        return Going(kind.astype(np.uint8), speed, reason.astype(np.uint8), slip, gear.astype(np.uint8))


def _hints(nodes: np.ndarray) -> np.ndarray:
    """Index of the interval of rising nodes at the start of each of ``PARTS`` equal ranges."""
    begins = np.linspace(nodes[0], nodes[-1], PARTS, endpoint=False)
    return (np.searchsorted(nodes, begins, side="right") - 1).astype(np.uint16)


def _at(direction: float, directions: np.ndarray, values: np.ndarray, axis: int) -> np.ndarray:
    """Values at one direction, linear between the ``directions`` along an axis."""
    k = min(int(np.searchsorted(directions, direction, side="right")) - 1, len(directions) - 2)
    v = (direction - directions[k]) / (directions[k + 1] - directions[k])
    return (1.0 - v) * values.take(k, axis) + v * values.take(k + 1, axis)


def _evenly(values: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """Values of a polyline along the last axis at equidistant arguments, which include all its nodes."""
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
    folder: Path | None = None,
) -> Surface:
    """Make the table of a vehicle, with adaptive refinement of the border.

    In every round the border is computed at the middle of each interval; intervals with an interpolation
    error of c* above the tolerance are halved.

    Arguments:
        vehicle, driver: vehicle and its driver, default ``Driver()``.
        strengths: least and largest strength of the table [Pa]; c* is not searched below the least, and
            larger strengths are clipped.
        steepest: largest slope of the table [-], above 0.
        tolerance: relative tolerance of c*, above 0.
        most: largest number of rounds.
        folder: folder with a file for each table, which later calls read; an interrupted computation
            continues there. Default: none.

    Raises:
        ValueError: naming the field, its value and the allowed range.
    """
    vehicle.check_strength()
    checks.positive("surface", "steepest", steepest)
    checks.positive("surface", "tolerance", tolerance)
    low, high = strengths
    if not 0.0 < low < high < np.inf:
        raise ValueError(f"surface: strengths = {strengths} must be two, above 0 and rising")
    driver = driver or Driver()
    key = key_of(vehicle, driver, strengths, steepest, tolerance, most)
    partial = PartialTable(vehicle.name, None if folder is None else Path(folder) / f"{key}.npz")
    try:
        with Elapsed(f"table of {vehicle.name}: steepest slopes"):  # the first call compiles
            ends = partial.part("reach", lambda: reach(vehicle, high, BEYOND * steepest))
        nodes, weak = refined(vehicle, strengths, ends, steepest, tolerance, most, partial)
        steps = closer(nodes[0]), closer(nodes[1])
        weakness = monotone(smooth(weak, nodes, steps), steps[1])
        relative_slopes, directions, eta = (np.linspace(*ends_of) for ends_of in ABOVE_NODES)
        there = smooth(weak[MOVING:], nodes, (relative_slopes, directions))[0]
        grid = relative_slopes, directions, eta
        above = above_border(vehicle, grid, ends[MOVING], there, high, partial)
    finally:
        partial.end()
    return Surface(vehicle, driver, steepest, *grid, strengths, ends, steps, weakness, above)
