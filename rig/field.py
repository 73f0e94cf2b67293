"""Geometry of field work: boundary of a field, and the area worked by an implement of some width."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.checks import numbers, shown
from mlcp.kinds import Range, Shape

from .errors import RigError, checked

Array = NDArray[np.float64]
CELLS = 4_000_000  # largest number of cells of a grid


@dataclass(frozen=True)
class Coverage:
    """Worked, overlapped and missed area of a field.

    Arguments:
        share: fraction of the field worked at least once [-].
        overlap: area worked again over the area of the field [-]; every further pass counts.
        outside: area worked beyond the boundary [m^2].
        times: number of passes over each cell, shape (rows, columns), from the lowest y and x on.
        cell: side of a cell [m].
    """

    share: float
    overlap: float
    outside: float
    times: NDArray[np.int64]
    cell: float


Places = Annotated[ArrayLike, Shape(last=2)]  # x, y [m]
Length = Annotated[float, Range(0.0, 1e6, "m", open_low=True)]


@checked
class Boundary:
    """A field's boundary: a polygon that does not cross itself, clockwise or anticlockwise.

    Arguments:
        corners: x and y, shape (n, 2), three or more [m].

    Raises:
        RigError: fewer than three corners, corners on a line, or sides that cross.
    """

    def __init__(self, corners: ArrayLike) -> None:
        found = numbers(corners)
        if found.ndim != 2 or found.shape[1] != 2 or len(found) < 3 or not np.isfinite(found).all():
            raise RigError(
                f"corners = {shown(corners)} of a boundary must be three points (x, y) or more"
            )
        self.corners: Array = found.astype(float)
        ends = np.roll(self.corners, -1, axis=0)
        for i in range(len(found) - 2):
            others = slice(i + 2, len(found) - (i == 0))
            met = _cross(self.corners[i], ends[i], self.corners[others], ends[others])
            if met.any():
                j = i + 2 + int(met.argmax())
                raise RigError(f"a boundary must not cross itself: its sides {i} and {j} do")
        if self.area == 0.0:
            raise RigError("a boundary must enclose an area; its corners lie on a line")

    @property
    def area(self) -> float:
        """Enclosed area [m^2]."""
        x, y = self.corners.T
        return 0.5 * abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1)))

    @property
    def length(self) -> float:
        """Length of all sides [m]."""
        return float(np.hypot(*(np.roll(self.corners, -1, axis=0) - self.corners).T).sum())

    def inside(self, points: Places) -> NDArray[np.bool_]:
        """Whether points lie inside; points of shape (..., 2) [m]."""
        return _inside(self.corners, np.asarray(points, float))

    def distance(self, points: Places) -> Array:
        """Distance to the nearest side, positive inside [m]; points of shape (..., 2)."""
        p = np.asarray(points, float)
        nearest = np.full(p.shape[:-1], np.inf)
        for a, b in zip(self.corners, np.roll(self.corners, -1, axis=0), strict=True):
            along = b - a
            if not along.any():
                continue
            s = np.clip((p - a) @ along / (along @ along), 0.0, 1.0)
            nearest = np.minimum(nearest, np.linalg.norm(p - a - s[..., None] * along, axis=-1))
        return np.where(self.inside(p), nearest, -nearest)

    @checked
    def worked(
        self,
        track: ArrayLike,
        heading: ArrayLike,
        width: Length,
        cell: Length = 0.25,
        *,
        down: ArrayLike | None = None,
    ) -> Coverage:
        """Area worked by an implement, as a count of passes over square cells.

        A cell is worked when its centre lies in the area that the implement sweeps between two
        successive positions. A further pass counts only if the implement has meanwhile travelled more
        than twice its width.

        Arguments:
            track: positions of the implement's centre, shape (n, 2) or (n, 3) [m].
            heading: headings of the implement, shape (n,) [rad].
            width: working width [m].
            cell: side of the cells [m].
            down: True where the implement works, shape (n,); None: everywhere.

        Raises:
            RigError: arrays of other or unequal shapes, a width or cell not above 0, too many cells.
        """
        p, turn = np.asarray(track, float), np.asarray(heading, float)
        if p.ndim != 2 or p.shape[1] not in (2, 3) or turn.shape != (len(p),) or len(p) < 2:
            raise RigError("a track must be two points (x, y) or more, with a heading each")
        works = np.ones(len(p), bool) if down is None else np.asarray(down, bool)
        if works.shape != turn.shape:
            raise RigError(f"down must be {len(p)} of yes or no, one a position")
        p = p[:, :2]
        across = 0.5 * width * np.column_stack((-np.sin(turn), np.cos(turn)))
        left, right = p + across, p - across
        if not np.isfinite(p).all() or not np.isfinite(turn).all():
            raise RigError("a track and its heading must be finite numbers")
        reach = np.vstack((self.corners, left, right))
        low = reach.min(axis=0) - cell
        columns, rows = (int(n) for n in np.ceil((reach.max(axis=0) + cell - low) / cell))
        if columns * rows > CELLS:
            raise RigError(
                f"{columns} x {rows} cells of {cell:g} m are more than {CELLS}; take larger ones"
            )
        middle = [low[k] + cell * (np.arange(n) + 0.5) for k, n in enumerate((columns, rows))]
        times, seen = np.zeros((rows, columns), np.int64), np.full((rows, columns), -np.inf)
        distance = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(p, axis=0).T))))
        last = 0
        for k in range(1, len(p)):
            if not (works[k] and works[last]):
                last = k
                continue
            moved = max(np.hypot(*(end[k] - end[last])) for end in (left, right))
            if moved < 0.5 * cell and k < len(p) - 1 and works[k + 1]:
                continue
            quad = np.array([left[last], right[last], right[k], left[k]])
            a, b = (
                ((quad.min(axis=0) - low) / cell).astype(int),
                ((quad.max(axis=0) - low) / cell).astype(int),
            )
            part = np.s_[a[1] : b[1] + 1, a[0] : b[0] + 1]
            places = np.meshgrid(middle[0][part[1]], middle[1][part[0]])
            within = _inside(quad, np.stack(places, axis=-1))
            fresh = within & (distance[k] - seen[part] > 2.0 * width)
            times[part] += fresh
            seen[part] = np.where(within, distance[k], seen[part])
            last = k
        own = self.inside(np.stack(np.meshgrid(*middle), axis=-1))
        inner = times[own]
        count = max(1, inner.size)
        return Coverage(
            share=float((inner > 0).sum() / count),
            overlap=float(np.maximum(inner - 1, 0).sum() / count),
            outside=float((times[~own] > 0).sum() * cell**2),
            times=times,
            cell=cell,
        )


def _inside(corners: Array, p: Array) -> NDArray[np.bool_]:
    """Mask of points, shape (..., 2), inside a polygon, which may cross itself (an odd winding)."""
    odd = np.zeros(p.shape[:-1], bool)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if a[1] == b[1]:
            continue
        between = (p[..., 1] >= min(a[1], b[1])) & (p[..., 1] < max(a[1], b[1]))
        x = a[0] + (p[..., 1] - a[1]) * (b[0] - a[0]) / (b[1] - a[1])
        odd ^= between & (p[..., 0] < x)
    return odd


def _cross(a: Array, b: Array, c: Array, d: Array) -> NDArray[np.bool_]:
    """Mask of the segments c to d, shape (n, 2), that meet the segment from a to b."""

    def side(p: Array, q: Array, r: Array) -> Array:
        u, v = q - p, r - p
        return u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]

    separate = (side(a, b, c) * side(a, b, d) > 0.0) | (side(c, d, a) * side(c, d, b) > 0.0)
    disjoint = (np.minimum(a, b) > np.maximum(c, d)) | (np.minimum(c, d) > np.maximum(a, b))
    return np.logical_not(separate | disjoint.any(axis=-1))
