"""A vehicle's going as a table over strength, slope along and slope across, its border bisected."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from contact import checks

from .kernels import layout as L
from .kernels.tables import ABOVE, MOVING, STARTING, Table
from .limits import Driver, Going, balance, margins, numbers
from .powertrain import falling
from .vehicle import LumpedVehicle

BORDER = 1e-4  # of the least strength, relative: where the bisection stops


@dataclass(frozen=True, eq=False)
class Surface:
    """Table of a vehicle's going, made by ``surface``.

    The border is the least strength c*(along, across) at which it goes, of a start and of a moving
    vehicle, kept as 1/c* (0: on no ground). Above it slip, torque and deceleration are tables over

        eta = sqrt(log(c / c*) / log(max(c_max / c*, 3)))

    in which the slip leaves the border in a straight line. Speeds are made of these by the gears at
    every look-up: no interpolation crosses the border or a change of gear.

    Attributes:
        vehicle, driver: who goes.
        along (n,), across (m,), eta (k,): nodes; slopes [-], across from 0.
        strengths: least and largest [Pa].
        steps: slopes along (p,) and across (q,) of the border [-], closer than the nodes.
        weakness: 1/c* [1/Pa], shape (2, p, q): of a start, of a moving vehicle.
        tables: coded slip [-], torque [N m], deceleration [m/s^2], shape (3, n, m, k).
    """

    vehicle: LumpedVehicle
    driver: Driver
    along: np.ndarray
    across: np.ndarray
    eta: np.ndarray
    strengths: tuple[float, float]
    steps: tuple[np.ndarray, np.ndarray]
    weakness: np.ndarray
    tables: np.ndarray

    @functools.cached_property
    def table(self) -> Table:
        """The numbers that the kernels read."""
        return Table(
            self.along, self.across, self.eta, *self.steps, np.ascontiguousarray(self.weakness),
            np.ascontiguousarray(self.tables), falling(self.vehicle.gears),
            numbers(self.vehicle, self.driver, self.strengths),
        )  # fmt: skip

    def least_strength(
        self, along: ArrayLike, across: ArrayLike = 0.0, moving: bool = True
    ) -> np.ndarray:
        """c* [Pa] for slopes of any shape; inf where it goes on no ground, or beyond the table."""
        along, across = np.broadcast_arrays(np.asarray(along, float), np.abs(np.asarray(across, float)))
        (i, u), (j, v) = _place(self.steps[0], along), _place(self.steps[1], across)
        table = self.weakness[MOVING if moving else STARTING]
        weak = (1.0 - u) * ((1.0 - v) * table[i, j] + v * table[i, j + 1])
        weak = weak + u * ((1.0 - v) * table[i + 1, j] + v * table[i + 1, j + 1])
        inside = (along >= self.along[0]) & (along <= self.along[-1]) & (across <= self.across[-1])
        with np.errstate(divide="ignore"):
            return np.where(inside, 1.0 / weak, np.inf)

    def going(self, strength: ArrayLike, along: ArrayLike, across: ArrayLike = 0.0) -> Going:
        """As ``limits.going``, from the table; nan or strength at or below 0 is no data.

        Arguments: strength [Pa], slopes along and across [-], one shape. Beyond the table's strengths
        its ends hold; beyond its slopes it is NO-GO.
        """
        from .kernels.entry import going_over

        given = np.broadcast_arrays(*(np.asarray(x, float) for x in (strength, along, across)))
        points = np.stack([x.ravel() for x in given], axis=1)
        out = np.empty((len(points), 5))
        going_over(self.table, points, out)
        kind, speed, reason, slip, gear = (out[:, k].reshape(given[0].shape) for k in range(5))
        return Going(kind.astype(np.uint8), speed, reason.astype(np.uint8), slip, gear.astype(np.uint8))


def _place(nodes: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Interval of x among the nodes, and the share of the way through it; held at the ends."""
    k = np.clip(np.searchsorted(nodes, x, side="right") - 1, 0, len(nodes) - 2)
    return k, np.clip((x - nodes[k]) / (nodes[k + 1] - nodes[k]), 0.0, 1.0)


def surface(
    vehicle: LumpedVehicle,
    driver: Driver | None = None,
    *,
    strengths: tuple[float, float] = (2e4, 5e6),
    steepest: float = 0.7,
    tolerance: float = 0.01,
    most: int = 3,
) -> Surface:
    """The table of a vehicle, refined until a finer one differs by less than ``tolerance``.

    Slopes start on a coarse grid. In every round the middle of each interval is computed and compared
    with what the table says there; where the border's 1/c* is off by more than the tolerance, the
    interval is halved.

    Arguments:
        vehicle, driver: who goes; default driver: ``Driver()``.
        strengths: least and largest of the table [Pa]: below the least the border is not sought.
        steepest: slope of the table's ends, along and across [-], above 0.
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
    driver = driver or Driver()
    nodes = [np.linspace(-steepest, steepest, 29), np.linspace(0.0, steepest, 5)]
    known: dict[tuple[float, float], tuple[float, float]] = {}

    def weakness(a: np.ndarray, c: np.ndarray) -> np.ndarray:
        new = [(x, y) for x in a.tolist() for y in c.tolist() if (x, y) not in known]
        if new:
            points = np.array(new)
            found = np.stack(
                [_border(vehicle, points, kind, (low, high)) for kind in (STARTING, MOVING)]
            )
            known.update(zip(new, zip(*found.tolist(), strict=True), strict=True))
        return np.array([[known[x, y] for y in c.tolist()] for x in a.tolist()]).transpose(2, 0, 1)

    for _ in range(most):
        table, halved = weakness(*nodes), False
        for axis in (0, 1):
            middles = 0.5 * (nodes[axis][1:] + nodes[axis][:-1])
            at = [middles if k == axis else nodes[k] for k in (0, 1)]
            exact = weakness(*at)
            first, second = (
                np.take(table, range(k, table.shape[axis + 1] - 1 + k), axis + 1) for k in (0, 1)
            )
            off = np.abs(exact - 0.5 * (first + second)) / np.maximum(exact, 1.0 / high)
            coarse = (off > tolerance).any(axis=(0, 2 - axis))
            if coarse.any() and len(nodes[axis]) < (61, 13)[axis]:
                nodes[axis] = np.sort(np.concatenate([nodes[axis], middles[coarse]]))
                halved = True
                table = weakness(*nodes)
        if not halved:
            break
    weak = _monotone(weakness(*nodes))
    eta = np.linspace(0.0, 1.0, 21)
    tables = _above(vehicle, nodes, eta, weak[MOVING], high)
    steps = (_closer(nodes[0]), _closer(nodes[1]))
    return Surface(
        vehicle, driver, nodes[0], nodes[1], eta, strengths, steps, _smooth(weak, nodes, steps), tables
    )


def _border(vehicle: LumpedVehicle, points: np.ndarray, kind: int, strengths: tuple) -> np.ndarray:
    """1/c* at slopes (n, 2): 0 where it goes not even on 1000 times the largest strength."""
    low = np.full(len(points), np.log(strengths[0]))
    high = np.full(len(points), np.log(1e3 * strengths[1]))

    def margin(at: np.ndarray, who: np.ndarray) -> np.ndarray:
        answers = balance(vehicle, np.exp(at), points[who, 0], points[who, 1], full=False)
        return margins(vehicle, answers)[1 if kind == STARTING else 0]

    everyone = np.arange(len(points))
    above, below = margin(high, everyone), margin(low, everyone)
    never, always = above < 0.0, below >= 0.0
    turn = 0
    while (open_ := everyone[~never & ~always & (high - low > BORDER)]).size and turn < 40:
        # false position, every third time the middle; a hair to the other side closes the bracket
        share = -below[open_] / (above[open_] - below[open_])
        share = np.full(open_.size, 0.5) if turn % 3 == 2 else share
        width = high[open_] - low[open_]
        nudge = 0.4 * BORDER / width * (1.0 if turn % 2 else -1.0)
        at = low[open_] + width * np.clip(
            share + nudge, 0.3 * BORDER / width, 1.0 - 0.3 * BORDER / width
        )
        found = margin(at, open_)
        good = found >= 0.0
        high[open_], above[open_] = np.where(good, at, high[open_]), np.where(good, found, above[open_])
        low[open_], below[open_] = np.where(good, low[open_], at), np.where(good, below[open_], found)
        turn += 1
    high[always] = low[always]
    return np.where(never, 0.0, np.exp(-high))


def _monotone(weak: np.ndarray) -> np.ndarray:
    """1/c* never rises with the slope: uphill of its largest value, downhill of it, and sideways."""
    weak = np.minimum.accumulate(weak, axis=2)
    for table in weak:
        for column in table.T:
            top = int(np.argmax(column))
            column[top:] = np.minimum.accumulate(column[top:])
            column[: top + 1] = np.minimum.accumulate(column[top::-1])[::-1]
    weak[STARTING] = np.minimum(weak[STARTING], weak[MOVING])
    return weak


def _closer(nodes: np.ndarray) -> np.ndarray:
    """Three more nodes in each interval."""
    return np.interp(np.arange(0.0, len(nodes) - 0.9, 0.25), np.arange(len(nodes)), nodes)


def _smooth(weak: np.ndarray, nodes: list[np.ndarray], steps: tuple) -> np.ndarray:
    """The border between its nodes by monotone cubics on the root of 1/c*, along and then across.

    Source: Fritsch and Carlson (1980), SIAM J. Numer. Anal. 17, as ``scipy.interpolate`` has it.
    """
    from scipy.interpolate import PchipInterpolator

    along = PchipInterpolator(nodes[0], np.sqrt(weak), axis=1)(steps[0])
    return _monotone(PchipInterpolator(nodes[1], along, axis=2)(steps[1]) ** 2)


def _above(
    vehicle: LumpedVehicle, nodes: list[np.ndarray], eta: np.ndarray, weak: np.ndarray, high: float
) -> np.ndarray:
    """Slip, torque and deceleration over (along, across, eta) above the border.

    Where the vehicle goes on no ground, and beyond the strengths, what the nearest slope has.
    """
    start = 1.0 / np.maximum(weak, 1e-3 / high)  # c*; where it goes on no ground any, it is filled below
    whole = np.log(np.maximum(high / start, ABOVE))
    c = start[..., None] * np.exp(eta**2 * whole[..., None]) * (1.0 + 2.0 * BORDER)
    along, across = (x[..., None] for x in np.meshgrid(*nodes, indexing="ij"))
    answers = balance(vehicle, c, along, across)
    tables = np.stack([answers[..., k] for k in (L.CODED, L.TORQUE, L.BRAKING)])
    for row in range(len(nodes[0])):  # filled sideways first, then uphill
        for column in range(len(nodes[1])):
            if np.isnan(tables[0, row, column]).any() or weak[row, column] == 0.0:
                source = (row, column - 1) if column else (max(row - 1, 0), 0)
                bad = np.isnan(tables[:, row, column])
                tables[:, row, column][bad] = tables[:, *source][bad]
    return np.nan_to_num(tables)
