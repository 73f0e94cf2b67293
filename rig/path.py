"""Paths of pieces with linearly varying curvature: lines, arcs, clothoids."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from mlcp.checks import numbers, shown
from mlcp.kinds import Range, within

from .errors import RigError, checked

_NODES, _WEIGHTS = (tuple(map(float, a)) for a in np.polynomial.legendre.leggauss(10))


FAR = 1e8  # largest length of a path, and largest coordinate of its beginning [m]
TURNS = 1e4  # largest change of heading in a piece [rad]
MOST = 100_000  # largest number of inner points of the grid in ``Path.nearest``
POINTS = 10_000_000  # largest number of points in a result of ``points``
Length = Annotated[float, Range(0.0, FAR, "m", open_low=True)]
Curvature = Annotated[float, within(-1e9, 1e9, "1/m")]
Distance = Annotated[float, within(1e-3, FAR, "m")]


@dataclass(frozen=True)
class PathPiece:
    """Piece of a path: curvature(s) = k + c s, from an initial position and heading.

    Arguments:
        length: length of the piece [m].
        k: initial curvature [1/m], left positive.
        c: rate of the curvature along the piece [1/m^2].
        x, y, heading: initial position and heading [m, m, rad].
    """

    length: float
    k: float
    c: float
    x: float
    y: float
    heading: float

    def at(self, s: float) -> tuple[float, float, float]:
        """Position x, y [m] and heading [rad] at s [m] from the beginning of the piece."""
        psi = self.heading + s * (self.k + 0.5 * self.c * s)
        if self.c == 0.0:
            half = 0.5 * self.k * s
            chord = s * (math.sin(half) / half if abs(half) > 1e-8 else 1.0)
            angle = self.heading + half
            return self.x + chord * math.cos(angle), self.y + chord * math.sin(angle), psi
        parts = 1 + int(abs(self.k * s) + 0.5 * abs(self.c) * s * s)  # parts of about one radian
        x, y, step = self.x, self.y, s / parts
        for i in range(parts):
            for node, weight in zip(_NODES, _WEIGHTS, strict=True):
                r = step * (i + 0.5 + 0.5 * node)
                angle = self.heading + r * (self.k + 0.5 * self.c * r)
                x += 0.5 * step * weight * math.cos(angle)
                y += 0.5 * step * weight * math.sin(angle)
        return x, y, psi


@dataclass(frozen=True)
@checked
class Path:
    """Planned path; beyond both ends it continues as a straight line.

    Arguments:
        pieces: rows (length [m], initial curvature, final curvature [1/m], change of heading before the
            piece [rad]).
        start: x, y of the beginning [m].
        heading: heading at the beginning [rad], from x to y.

    Raises:
        RigError: no piece, or one other than four finite numbers with a positive length.
    """

    pieces: tuple[tuple[float, float, float, float], ...]
    start: tuple[float, float] = (0.0, 0.0)
    heading: float = 0.0
    placed: tuple[PathPiece, ...] = field(init=False, repr=False, compare=False)
    ends: tuple[float, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rows = numbers(self.pieces)
        if (
            rows.ndim != 2
            or rows.shape[1] != 4
            or not np.isfinite(rows).all()
            or not (rows[:, 0] > 0).all()
        ):
            raise RigError(
                f"pieces = {shown(self.pieces)} of a path must each be (length > 0, curvature at "
                f"the beginning, "
                "at the end, turn before)"
            )
        place = numbers((*self.start, self.heading))
        if place.shape != (3,) or not np.isfinite(place).all():
            raise RigError(f"start = {shown(self.start)} of a path must be x, y and heading a number")
        turned = 0.5 * rows[:, 0] * np.abs(rows[:, 1:3]).sum(axis=1)
        if rows[:, 0].sum() > FAR or turned.max() > TURNS or np.abs(place).max() > FAR:
            raise RigError(
                f"a path must be at most {FAR:g} m long and begin within as much, and no piece of it "
                f"turn by more than {TURNS:g} rad; pieces = {shown(self.pieces)}"
            )
        x, y, psi = (float(v) for v in place)
        placed, ends, s = [], [], 0.0
        for length, k0, k1, turn in rows.tolist():
            piece = PathPiece(length, k0, (k1 - k0) / length, x, y, psi + turn)
            x, y, psi = piece.at(length)
            s += length
            placed.append(piece)
            ends.append(s)
        object.__setattr__(self, "pieces", tuple(tuple(row) for row in rows.tolist()))
        object.__setattr__(self, "placed", tuple(placed))
        object.__setattr__(self, "ends", tuple(ends))

    @property
    def length(self) -> float:
        """Length of the path [m]."""
        return self.ends[-1]

    def _number(self, s: float) -> int:
        """Index of the piece at s [m]."""
        for i, end in enumerate(self.ends):
            if s < end:
                return i
        return len(self.ends) - 1

    @checked
    def at(self, s: float) -> tuple[float, float, float, float]:
        """Position x, y [m], heading [rad] and curvature [1/m] at s [m] from the beginning."""
        return self._at(s)

    def _at(self, s: float) -> tuple[float, float, float, float]:
        """``at`` without a check of its argument, which would take longer than the rest."""
        if s < 0.0 or s > self.length:
            piece, edge = (self.placed[0], 0.0) if s < 0.0 else (self.placed[-1], self.placed[-1].length)
            x, y, psi = piece.at(edge)
            over = s if s < 0.0 else s - self.length
            return x + over * math.cos(psi), y + over * math.sin(psi), psi, 0.0
        i = self._number(s)
        piece = self.placed[i]
        r = s - (self.ends[i] - piece.length)
        return *piece.at(r), piece.k + piece.c * r

    @checked
    def project(self, x: float, y: float, near: float) -> float:
        """Arc length s [m] of a point's orthogonal projection, by Newton steps from s = ``near`` [m].

        A step that leads farther from the point is halved; so outside of a corner s is the corner's.
        """
        return self._project(x, y, near)

    def _project(self, x: float, y: float, near: float) -> float:
        s = near
        for _ in range(30):
            px, py, psi, k = self._at(s)
            dx, dy = x - px, y - py
            along = dx * math.cos(psi) + dy * math.sin(psi)
            left = dy * math.cos(psi) - dx * math.sin(psi)
            step = along / max(0.2, 1.0 - k * left)
            while abs(step) > 1e-9 and self._distance(x, y, s + step) > math.hypot(dx, dy) + 1e-9:
                step *= 0.5
            s += step
            if abs(step) < 1e-9:
                break
        return s

    def _distance(self, x: float, y: float, s: float) -> float:
        """Distance of a point from the path's point at s [m]."""
        px, py, _, _ = self._at(s)
        return math.hypot(px - x, py - y)

    @checked
    def nearest(self, x: float, y: float) -> float:
        """Arc length s [m] of the nearest point to x, y [m]: best of a grid of 1 m, then projected.

        The grid has at most ``MOST`` + 2 points.
        """
        grid = np.linspace(0.0, self.length, 2 + min(int(self.length), MOST))
        far = [self._distance(x, y, float(s)) for s in grid]
        return self._project(x, y, float(grid[int(np.argmin(far))]))

    @checked
    def errors(
        self, x: float, y: float, heading: float, near: float
    ) -> tuple[float, float, float, float]:
        """Cross-track error [m], heading error [rad], path curvature [1/m] and s [m] of the projection.

        Errors are positive to the left of the path. ``near``: s [m] at which the search starts.
        """
        s = self._project(x, y, near)
        px, py, psi, k = self._at(s)
        off = (y - py) * math.cos(psi) - (x - px) * math.sin(psi)
        return off, math.remainder(heading - psi, 2.0 * math.pi), k, s

    @checked
    def goal(
        self, x: float, y: float, distance: Distance, s: float, backward: bool = False
    ) -> tuple[float, float]:
        """Position of the path's first point beyond arc length s at a distance from a point [m].

        If the path is farther away already at s, the position there is returned.

        Arguments: x, y: the point [m]. distance: its distance from the result [m]. s: arc length [m].
        backward: True: the last such point before s.
        """

        def beyond(r: float) -> float:
            return self._distance(x, y, r) - distance

        stretch = -distance if backward else distance
        low, high = s, s + stretch
        if beyond(low) >= 0.0:  # the point at s is already farther away than the distance
            return self._at(s)[:2]
        while beyond(high) < 0.0:
            low, high = high, high + 0.5 * stretch
        f_low, f_high = beyond(low), beyond(high)
        for _ in range(60):
            middle = high - f_high * (high - low) / (f_high - f_low)
            f = beyond(middle)
            if abs(f) < 1e-12 * distance:
                break
            if f > 0.0:
                high, f_high, f_low = middle, f, 0.5 * f_low
            else:
                low, f_low, f_high = middle, f, 0.5 * f_high
        return self._at(middle)[:2]

    @checked
    def points(self, spacing: Length = 0.5) -> NDArray[np.float64]:
        """Positions x, y along the path, shape (n, 2) [m], at most ``spacing`` [m] apart."""
        if self.length / spacing > POINTS:
            raise RigError(f"spacing = {shown(spacing)} m of a path of {self.length:g} m is too small")
        grid = np.linspace(0.0, self.length, 2 + int(self.length / spacing))
        return np.array([self._at(s)[:2] for s in grid])

    def then(self, other: Path) -> Path:
        """Path extended by the pieces of another path."""
        return Path((*self.pieces, *other.pieces), self.start, self.heading)


@checked
def straight(length: Length, start: tuple[float, float] = (0.0, 0.0), heading: float = 0.0) -> Path:
    """Straight path of a length [m] from a start x, y [m] with a heading [rad]."""
    return Path(((length, 0.0, 0.0, 0.0),), start, heading)


@checked
def arc(radius: Length, angle: float, **place: Any) -> Path:
    """Circular path with a radius [m] and an angle [rad], left positive; ``place``: start and heading.

    Raises:
        RigError: a radius that is not positive.
    """
    k = math.copysign(1.0 / radius, angle)
    return Path(((radius * abs(angle), k, k, 0.0),), **place)


@checked
def clothoid(length: Length, k0: Curvature, k1: Curvature, **place: Any) -> Path:
    """Clothoid of a length [m], from curvature k0 to k1 [1/m]; ``place``: start and heading."""
    return Path(((length, k0, k1, 0.0),), **place)


@checked
def polyline(points: Iterable[Sequence[float]]) -> Path:
    """Path of straight lines between points x, y [m], such as a recorded track.

    Raises:
        RigError: fewer than two points, or two successive ones that are equal.
    """
    p = numbers(points if isinstance(points, np.ndarray) else list(points))
    if p.ndim != 2 or p.shape[1:] != (2,) or len(p) < 2 or not np.isfinite(p).all():
        raise RigError(f"a polyline needs two points x, y or more, got {shown(points)}")
    d = np.diff(p, axis=0)
    length = np.hypot(d[:, 0], d[:, 1])
    if not (length > 0.0).all():
        raise RigError(
            f"points {int(length.argmin())} and {int(length.argmin()) + 1} of a polyline are one"
        )
    heading = np.arctan2(d[:, 1], d[:, 0])
    turns = [
        0.0,
        *(math.remainder(b - a, 2.0 * math.pi) for a, b in pairwise(heading)),
    ]
    pieces = tuple((float(n), 0.0, 0.0, t) for n, t in zip(length, turns, strict=True))
    return Path(pieces, (float(p[0, 0]), float(p[0, 1])), float(heading[0]))


@checked
def headland_turn(width: Length, radius: Length, side: float = 1.0) -> Path:
    """Turn onto the next parallel track: two quarter circles, or an omega turn on narrow tracks.

        width < 2 radius:   cos(a) = (width + 2 radius) / (4 radius),  arcs of angles -a, pi + 2 a, -a

    (in radians, positive to the side of the turn).

    Arguments:
        width: distance between the tracks [m].
        radius: radius of the arcs [m].
        side: 1 to the left, -1 to the right.

    Raises:
        RigError: a width or radius that is not positive.
    """
    k = math.copysign(1.0 / radius, side)
    if width >= 2.0 * radius:
        quarter, across = (0.5 * math.pi * radius, k, k, 0.0), width - 2.0 * radius
        line = ((across, 0.0, 0.0, 0.0),) if across > 0.0 else ()
        return Path((quarter, *line, quarter))
    a = math.acos((width + 2.0 * radius) / (4.0 * radius))
    out = (radius * a, -k, -k, 0.0)
    return Path(
        (out, (radius * (math.pi + 2.0 * a), k, k, 0.0), out)
        if a > 0.0
        else ((radius * math.pi, k, k, 0.0),)
    )


@checked
def field_work(
    length: Length, width: Length, radius: Length, tracks: Annotated[int, within(1, 10_000)] = 2
) -> Path:
    """Parallel tracks connected by headland turns.

    Arguments:
        length: length of a track [m].
        width: distance between tracks [m].
        radius: radius of the turns [m].
        tracks: number of tracks, 1 to 10000.

    Raises:
        RigError: fewer than one track.
    """
    track = ((length, 0.0, 0.0, 0.0),)
    turns = [headland_turn(width, radius, side).pieces for side in (1.0, -1.0)]
    pieces = track + tuple(piece for i in range(tracks - 1) for piece in (*turns[i % 2], *track))
    return Path(pieces)
