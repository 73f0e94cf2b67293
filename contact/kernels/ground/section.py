"""Section of the ground in the plane of a wheel: the point nearest to the axle.

Coordinates in the plane start at the wheel's centre: u [m] is level and ahead, w [m] up in the plane.
The section of the ground is the curve ``w(u)``; half the squared distance from the axle is ``(u^2 + w^2)
/ 2``, with the slope ``u + w w'``, w' = dw/du. Nearest points are zeros of that slope. On ground whose
hollows are wider than the wheel there is one nearest point (the squared distance is convex); elsewhere
intervals in which the slope changes sign are searched.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from mlcp.jit import kernel

from . import rigid
from .terrain import FIELD, SINE, STEP, terrain_at

BILINEAR = 4  # kind of the height field of rigid contact, after the kinds of ``terrain``
SEARCHED_RADII = 1.5  # |u| up to which the ground is searched, over the wheel's radius
_MOST = 1000  # largest number of intervals of a search
_RAMP = 16  # number of intervals on the ramp of terrain of kind STEP
_ROUNDS = 60  # largest number of iterations in an interval: enough halvings to reach round-off


class GroundShape(NamedTuple):
    """A shape of ground: a kind of ``terrain`` or ``BILINEAR``, its parameters at ``record[place:]``;
    rows and columns of a height field."""

    kind: int
    record: np.ndarray
    place: int
    rows: int
    columns: int


class WheelPlane(NamedTuple):
    """A wheel's plane: the wheel's centre [m], and unit vectors in the plane, level ahead and up."""

    x: float
    y: float
    z: float
    forward_x: float
    forward_y: float
    up_x: float
    up_y: float
    up_z: float


@kernel
def surface(ground, x, y):
    """``(z, dz/dx, dz/dy)`` of the ground at x, y [m]."""
    D, o = ground.record, ground.place
    if ground.kind == BILINEAR:
        return rigid.height(D, o, ground.rows, ground.columns, x, y)
    return terrain_at(ground.kind, D, o, ground.rows, ground.columns, x, y)


@kernel
def most_tilt(ground):
    """Tangent of the largest tilt of a wheel's plane from upright at which the section has no overhang;
    at most 1."""
    D, o = ground.record, ground.place
    steepest = 0.0
    if ground.kind == SINE:
        steepest = abs(D[o]) * math.sqrt(D[o + 2] * D[o + 2] + D[o + 3] * D[o + 3])
    elif ground.kind == STEP:
        steepest = 1.5 * abs(D[o + 1]) / D[o + 2]
    elif ground.kind == FIELD:
        steepest = D[o + 5]
    elif ground.kind == BILINEAR:
        steepest = D[o + 4 + ground.rows * ground.columns]
    # there is no overhang while the ground's slope times the plane's tilt is below 1; margin: 0.7
    return min(1.0, 0.7 / max(steepest, 1e-9))


@kernel
def one_nearest(ground, x, y, reach):
    """Whether the ground within ``reach`` [m] of x, y curves up so little that only one point is nearest
    to the axle."""
    kind, D, o = ground.kind, ground.record, ground.place
    if kind == SINE:
        curvature = abs(D[o]) * (D[o + 2] * D[o + 2] + D[o + 3] * D[o + 3])
    elif kind == STEP:
        curvature = 6.0 * abs(D[o + 1]) / (D[o + 2] * D[o + 2])
    elif kind == FIELD:
        curvature = D[o + 4]
        left, low = x - D[o], y - D[o + 1]  # at its edges the field has a fold (unbounded curvature)
        if min(left, (ground.columns - 1.0) * D[o + 2] - left) < reach:
            return False
        if min(low, (ground.rows - 1.0) * D[o + 3] - low) < reach:
            return False
    else:
        return False
    return curvature * reach < 0.7  # then the squared distance from the axle is convex in u


@kernel
def cut(ground, plane, u, w):
    """Do one Newton step in w from (u, w) towards the section; return ``(w, w', dz/dx, dz/dy)``.

    The step is exact for an upright wheel.
    """
    x = plane.x + u * plane.forward_x + w * plane.up_x
    y = plane.y + u * plane.forward_y + w * plane.up_y
    z, sx, sy = surface(ground, x, y)
    rate = plane.up_z - sx * plane.up_x - sy * plane.up_y
    w -= (plane.z + w * plane.up_z - z) / rate
    return w, (sx * plane.forward_x + sy * plane.forward_y) / rate, sx, sy


@kernel
def polish(ground, plane, low, high, u, w):
    """Find the zero of ``u + w w'`` between u = low and high, from (u, w) by secants and bisection.

    Returns ``(u, w, dz/dx, dz/dy)``.
    """
    u_last, slope_last, moved = u, 0.0, high - low
    sx, sy = 0.0, 0.0
    for k in range(_ROUNDS):
        w, rise, sx, sy = cut(ground, plane, u, w)
        slope = u + w * rise
        if slope < 0.0:
            low = u
        else:
            high = u
        if k == 0:
            step = -slope / (1.0 + rise * rise)
        elif slope != slope_last:
            step = -slope * (u - u_last) / (slope - slope_last)
        else:
            step = 0.0
        u_next = u + step
        if not low < u_next < high or abs(step) > 0.5 * moved:
            u_next = 0.5 * (low + high)
        u_last, slope_last, moved = u, slope, abs(u_next - u)
        if abs(slope) <= 1e-11 or moved <= 1e-14:
            break
        w += rise * (u_next - u)
        u = u_next
    for _ in range(3):  # a tilted wheel's section needs more Newton steps in w
        before = w
        w, rise, sx, sy = cut(ground, plane, u, w)
        if abs(w - before) <= 1e-13:
            break
    return u, w, sx, sy


@kernel
def spacing_of(ground, plane, reach):
    """Length [m] of intervals of u, so short that few contain two nearest points of the section."""
    D, o = ground.record, ground.place
    if ground.kind == SINE:
        rate = abs(D[o + 2] * plane.forward_x + D[o + 3] * plane.forward_y)
        return 0.25 * math.pi / max(rate, 1e-9)
    if ground.kind == FIELD or ground.kind == BILINEAR:
        cells = max(abs(plane.forward_x) / D[o + 2], abs(plane.forward_y) / D[o + 3])
        return 1.0 / (3.0 * cells)
    return reach


@kernel
def part_of(ground, plane, reach, part):
    """``(low, high, number of intervals)`` of part 0, 1 or 2 of the section from -reach to reach.

    Only terrain of kind ``STEP`` has three parts: before, on and behind its ramp; others have part 0.
    """
    if ground.kind != STEP or abs(plane.forward_x) < 1e-9:
        if part > 0:
            return 0.0, 0.0, 0
        return -reach, reach, min(int(2.0 * reach / spacing_of(ground, plane, reach)) + 4, _MOST)
    D, o = ground.record, ground.place
    u_0, u_1 = (D[o] - plane.x) / plane.forward_x, (D[o] + D[o + 2] - plane.x) / plane.forward_x
    first = max(-reach, min(reach, min(u_0, u_1)))
    last = max(-reach, min(reach, max(u_0, u_1)))
    if part == 0:
        return -reach, first, 1
    if part == 1:
        return first, last, _RAMP
    return last, reach, 1


@kernel
def nearest(ground, plane, radius):
    """Point of the section nearest to the axle: ``(u, w, dz/dx, dz/dy, side)``.

    radius: of the wheel [m]. ``side`` is -1 if the axle itself is under the ground, else 1. Of equally
    near points the one below the axle is taken, or else the rearmost.
    """
    w, sx, sy = -radius, 0.0, 0.0
    for _ in range(8):  # find the height of the ground below the axle
        before = w
        w, _rise, sx, sy = cut(ground, plane, 0.0, w)
        if abs(w - before) <= 1e-13:
            break
    side = -1.0 if w > 0.0 else 1.0
    far = SEARCHED_RADII * radius
    reach = min(abs(w), far)  # points at a larger horizontal distance are farther from the axle
    if reach <= 1e-12:
        return 0.0, w, sx, sy, side
    if one_nearest(ground, plane.x, plane.y, far):
        u, w, sx, sy = polish(ground, plane, -reach, reach, 0.0, w)
        return u, w, sx, sy, side
    found = 0.0, w, sx, sy, side
    best = w * w
    for part in range(3):
        low, high, count = part_of(ground, plane, reach, part)
        size = (high - low) / max(count, 1)
        if not size > 0.0:
            continue
        u_0, w_0, slope_0, f_0 = low, w, 0.0, 0.0
        for k in range(count + 1):
            u_1 = low + k * size
            w_1, rise, sx, sy = cut(ground, plane, u_1, w_0)
            slope_1, f_1 = u_1 + w_1 * rise, u_1 * u_1 + w_1 * w_1
            if f_1 < best:
                best, found = f_1, (u_1, w_1, sx, sy, side)
            if k > 0 and slope_0 < 0.0 <= slope_1:
                # lower bound of the squared distance f in the interval: its value where the tangents at
                # the ends meet, less half the distance of this value from the smaller end value
                cross = (0.5 * (f_1 - f_0) - slope_1 * (u_1 - u_0)) / (slope_0 - slope_1)
                least = f_0 + 2.0 * slope_0 * cross
                if least - 0.5 * (min(f_0, f_1) - least) < best:
                    u, w_2, sx, sy = polish(ground, plane, u_0, u_1, u_0 + cross, w_0)
                    if u * u + w_2 * w_2 < best:
                        best, found = u * u + w_2 * w_2, (u, w_2, sx, sy, side)
            u_0, w_0, slope_0, f_0 = u_1, w_1, slope_1, f_1
    return found
