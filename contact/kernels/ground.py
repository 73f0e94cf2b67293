"""Which soil a wheel stands on: a map of patches, and the ruts that wheels before it have left.

A wheel's soils are rows of its law's parameters, one for each soil of the map and number of
passes; at a point it stands on a few of them, by weights that sum to 1 and vary continuously. The
memory is one flat array, so that it can be part of a saved state:

    of each remembered area: passes, rut depths [m] and stamps, a grid (columns, rows) each
    of each wheel: a trail of places it has just passed, not yet part of the area

A place enters the area only when its wheel is CLEAR of it: no wheel runs on its own rut. A wheel that
comes back before that adds no place, but a visit to the nearest that it has; so does one whose trail is
full.
"""

from __future__ import annotations

import math

from mlcp.jit import kernel

from .reading import sinking

# Integers of one wheel's ground.
FIRST_PATCH = 0
PATCHES = 1
LEVELS = 2  # numbers of passes that are told apart, 0 included
FIRST_VARIANT = 3  # row of the parameters of the map's ground, untouched
GRIDS = 4  # where the area lies in the memory, -1: none
COLUMNS = 5  # of the area, along x
ROWS = 6  # along y
TRAIL = 7  # where the wheel's trail lies in the memory
MOST = 8  # places that it can hold
GROUND_INTS = 9

# Numbers of one wheel's ground [m].
X_0, Y_0, CELL = 0, 1, 2  # corner and cell of the area
HALF_WIDTH = 3
CLEAR = 4
TYRE_STIFFNESS = 5  # [N/m]
GROUND_FLOATS = 6

PATCH_FLOATS = 5  # x from, to, y from, to, blend

# A trail: serial number, places held, 1 + the one that the wheel is at, 0 if it has left the ground;
# then the places.
SERIAL, HELD, AT, TRAIL_HEAD = 0, 1, 2, 3
# A place: where, the direction to the left, depth, serial number; where from, with the depth there; how
# often the wheel was there, and the square of how far it has been since.
X, Y, LEFT_X, LEFT_Y, DEPTH, NUMBER, FROM_X, FROM_Y, FROM_DEPTH, VISITS, AWAY = range(11)
PLACE = 11
_VISIT = 1.5  # cells that a wheel must have been away for its coming back to count


@kernel
def patch_weight(p, x, y):
    """1 inside the rectangle ``p``, 0 outside, smooth over its blend centred on the border."""
    inside = min(min(x - p[0], p[1] - x), min(y - p[2], p[3] - y))
    t = min(max(inside / p[4] + 0.5, 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


@kernel
def remembered(i, x, y, ground):
    """``(passes, depth [m])`` at a point, bilinear between the cells' centres."""
    start = ground.ints[i, GRIDS]
    if start < 0:
        return 0.0, 0.0
    columns, rows = ground.ints[i, COLUMNS], ground.ints[i, ROWS]
    u = (x - ground.floats[i, X_0]) / ground.floats[i, CELL] - 0.5
    v = (y - ground.floats[i, Y_0]) / ground.floats[i, CELL] - 0.5
    if not (-1.0 < u < columns and -1.0 < v < rows):
        return 0.0, 0.0
    left, low = math.floor(u), math.floor(v)
    passes, depth = 0.0, 0.0
    for a in range(2):
        for b in range(2):
            column, row = left + a, low + b
            if 0 <= column < columns and 0 <= row < rows:
                weight = (1.0 - abs(u - column)) * (1.0 - abs(v - row))
                k = start + column * rows + row
                passes += weight * ground.memory[k]
                depth += weight * ground.memory[k + columns * rows]
    return passes, depth


@kernel
def see_ground(i, x, y, ground, wheels):
    """Put wheel i on the soils at x, y [m], and note in ``ground.rut`` how deep the rut is there."""
    passes, ground.rut[i] = remembered(i, x, y, ground)
    levels, first = ground.ints[i, LEVELS], ground.ints[i, FIRST_VARIANT]
    passes = min(passes, levels - 1.0)
    level = min(int(passes), max(levels - 2, 0))
    part = passes - level
    left, used = 1.0, 0
    for back in range(ground.ints[i, PATCHES] + 1):
        soil = ground.ints[i, PATCHES] - back  # the last patch lies on top
        weight = left
        if soil > 0:
            weight *= patch_weight(ground.patches[ground.ints[i, FIRST_PATCH] + soil - 1], x, y)
        left -= weight
        for step in range(2):
            share = weight * (part if step == 1 else 1.0 - part)
            if share > 0.0:
                wheels.variant[i, used] = first + soil * levels + level + step
                wheels.weight[i, used] = share
                used += 1
        if left <= 0.0:
            break
    if used < wheels.weight.shape[1]:
        wheels.weight[i, used] = 0.0


@kernel
def touch(i, k, place, depth, ground):
    """The wheel has been in cell k of its area: more passes, and the deeper of the depths.

    They are counted already where the wheel was at the place (which lies there in the memory) before
    the touch that counted last.
    """
    size = ground.ints[i, COLUMNS] * ground.ints[i, ROWS]
    memory, wheels = ground.memory, float(ground.ints.shape[0])
    last = memory[k + 2 * size] - 1.0  # serial number times wheels plus wheel, plus 1; 0: untouched
    before = math.floor(last / wheels)
    same = last >= 0.0 and last - wheels * before == i and memory[place + NUMBER] <= before
    if not same:
        memory[k] += memory[place + VISITS]
        memory[k + 2 * size] = memory[ground.ints[i, TRAIL] + SERIAL] * wheels + i + 1.0
    memory[k + size] = max(memory[k + size], depth)


@kernel
def settle(i, place, ground):
    """A place of the wheel's trail becomes part of the area, and the way to it without a gap."""
    trail, start = ground.ints[i, TRAIL], ground.ints[i, GRIDS]
    memory, cell = ground.memory, ground.floats[i, CELL]
    columns, rows = ground.ints[i, COLUMNS], ground.ints[i, ROWS]
    a = trail + TRAIL_HEAD + PLACE * place
    x, y, depth = memory[a + X], memory[a + Y], memory[a + DEPTH]
    dx, dy, deeper = memory[a + FROM_X] - x, memory[a + FROM_Y] - y, memory[a + FROM_DEPTH] - depth
    along = 1 + int(2.0 * math.sqrt(dx * dx + dy * dy) / cell)
    across = 1 + int(2.0 * ground.floats[i, HALF_WIDTH] / (0.5 * cell))
    for s in range(along):
        t = s / along
        for c in range(across + 1):
            w = ground.floats[i, HALF_WIDTH] * (2.0 * c / across - 1.0)
            px = x + t * dx + w * memory[a + LEFT_X]
            py = y + t * dy + w * memory[a + LEFT_Y]
            column = math.floor((px - ground.floats[i, X_0]) / cell)
            row = math.floor((py - ground.floats[i, Y_0]) / cell)
            if 0 <= column < columns and 0 <= row < rows:
                k = start + column * rows + row
                touch(i, k, a, depth + t * deeper, ground)
    held = int(memory[trail + HELD]) - 1
    for k in range((held - place) * PLACE):
        memory[a + k] = memory[a + k + PLACE]
    memory[trail + HELD] = held
    if memory[trail + AT] == place + 1:
        memory[trail + AT] = 0.0
    elif memory[trail + AT] > place + 1:
        memory[trail + AT] -= 1.0


@kernel
def leave_track(i, x, y, left_x, left_y, sinkage, ground):
    """Wheel i stands at x, y, sunk by ``sinkage`` [m] below the ground it saw; negative: in the air."""
    if ground.ints[i, GRIDS] < 0:
        return
    memory, trail = ground.memory, ground.ints[i, TRAIL]
    first = trail + TRAIL_HEAD
    place, near, closest = 0, -1, math.inf
    while place < memory[trail + HELD]:
        a = first + PLACE * place
        dx, dy = x - memory[a + X], y - memory[a + Y]
        square = dx * dx + dy * dy
        if square > ground.floats[i, CLEAR] ** 2:
            settle(i, place, ground)
            continue
        memory[a + AWAY] = max(memory[a + AWAY], square)
        if square < closest:
            near, closest = place, square
        place += 1
    if sinkage < 0.0:
        memory[trail + AT] = 0.0
        return
    depth = ground.rut[i] + sinkage
    if near < 0 or (closest >= ground.floats[i, CELL] ** 2 and place < ground.ints[i, MOST]):
        a = first + PLACE * place
        memory[a + X], memory[a + Y] = x, y
        memory[a + LEFT_X], memory[a + LEFT_Y], memory[a + DEPTH] = left_x, left_y, depth
        memory[trail + HELD] += 1.0
        memory[trail + SERIAL] += 1.0
        memory[a + NUMBER] = memory[trail + SERIAL]
        b = first + PLACE * (int(memory[trail + AT]) - 1) if memory[trail + AT] > 0.0 else a
        memory[a + FROM_X], memory[a + FROM_Y] = memory[b + X], memory[b + Y]
        memory[a + FROM_DEPTH] = memory[b + DEPTH]
        memory[a + VISITS], memory[a + AWAY] = 1.0, 0.0
        near = place
    memory[trail + AT] = near + 1
    a = first + PLACE * near
    if memory[a + AWAY] > (_VISIT * ground.floats[i, CELL]) ** 2:
        memory[a + VISITS] += 1.0
        memory[a + AWAY] = 0.0
    memory[a + DEPTH] = max(memory[a + DEPTH], depth)


@kernel
def sinkage_below(i, gap, load, ground):
    """Sinkage [m] of a wheel at a gap [m]; -1 in the air."""
    return sinking(gap, load, ground.floats[i, TYRE_STIFFNESS])[1] if load > 0.0 else -1.0
