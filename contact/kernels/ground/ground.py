"""Soil below a wheel: patches of a map, a raster of cone indices, and the ruts of earlier wheels.

A *pass* is a passage of a wheel over a place; a *variant* is a row of law parameters, for one wheel on
one soil after a whole number of passes. At a point the wheel stands on a few variants, with weights that
sum to 1 and vary continuously. Ruts are stored in one flat array, which is part of a saved state:

    for each area with ruts: grids (columns, rows) of passes, rut depths [m] and stamps (last visit)
    for each wheel: its trail, the places that it has just passed and that are not yet in the grids

A place is entered in the grids once its wheel is ``clear`` [m] away, so that no wheel stands in a rut
that it is making. Within one cell's length of a place of its trail a wheel adds no new place; the old
place gets one more visit if the wheel has been away. With a full trail the nearest place is updated.
"""

import math

from mlcp.jit import kernel

from .reading import sinking

# Columns of a trail: serial number of its newest place, number of places, 1 + index of the place at
# which the wheel is (0: none, as in the air); the places start at TRAIL_HEAD.
SERIAL, TRAIL_COUNT, AT, TRAIL_HEAD = 0, 1, 2, 3
# Columns of a place: position [m], unit vector to the left, rut depth [m], serial number; position and
# rut depth of the place before; number of the wheel's visits; square of the wheel's largest distance
# since the last visit.
X, Y, LEFT_X, LEFT_Y, DEPTH, NUMBER, FROM_X, FROM_Y, FROM_DEPTH, VISITS, AWAY = range(11)
PLACE = 11  # number of these columns


@kernel
def inside_polygon(D, first, corners, x, y):
    """Distance [m] of the point x, y from a polygon's border, positive inside, negative outside;
    D[first:]: x and y of the corners in turn; ``corners``: their number."""
    nearest, inside = math.inf, -1.0
    x_0, y_0 = D[first + 2 * corners - 2], D[first + 2 * corners - 1]
    for k in range(corners):
        x_1, y_1 = D[first + 2 * k], D[first + 2 * k + 1]
        dx, dy = x_1 - x_0, y_1 - y_0
        t = ((x - x_0) * dx + (y - y_0) * dy) / (dx * dx + dy * dy)
        t = min(max(t, 0.0), 1.0)
        nearest = min(nearest, math.hypot(x - x_0 - t * dx, y - y_0 - t * dy))
        if (y_0 > y) != (y_1 > y) and x < x_0 + (y - y_0) * dx / dy:
            inside = -inside
        x_0, y_0 = x_1, y_1
    return inside * nearest


@kernel
def patch_weight(p, corners, x, y):
    """Weight of patch ``p`` at x, y [m]: 1 inside, 0 outside, smooth across a strip of width ``p.blend``
    [m] with the border in its middle; ``corners``: x and y of the corners of all polygons in turn."""
    if p.corners > 0:
        inside = inside_polygon(corners, p.first, p.corners, x, y)
    else:
        inside = min(min(x - p.x_from, p.x_to - x), min(y - p.y_from, p.y_to - y))
    t = min(max(inside / p.blend + 0.5, 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


@kernel
def rut_at(i, x, y, ground):
    """``(passes, rut depth [m])`` at x, y [m] from the grids for wheel i, bilinear between the centres
    of cells; 0 outside the grids."""
    own = ground.each[i]
    start = own.grids
    if start < 0:
        return 0.0, 0.0
    columns, rows = own.columns, own.rows
    u = (x - own.x_0) / own.cell - 0.5
    v = (y - own.y_0) / own.cell - 0.5
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
def strength_at(own, D, x, y):
    """Cone index of a raster at x, y [m] as ``(number, part)``: ``1 - part`` times level ``number`` plus
    ``part`` times the next level.

    Levels are the cone indices for which law parameters are tabulated. The cone index is bilinear
    between the centres of cells; outside the raster it is that of the nearest edge.
    """
    levels, columns, rows = own.levels_of_strength, own.strength_columns, own.strength_rows
    u = min(max((x - own.strength_x) / own.strength_dx, 0.0), columns - 1.0)
    v = min(max((y - own.strength_y) / own.strength_dy, 0.0), rows - 1.0)
    left, low = min(int(u), columns - 2), min(int(v), rows - 2)
    s, t = u - left, v - low
    k = own.strength + levels + low * columns + left
    one = D[k] + s * (D[k + 1] - D[k])
    other = D[k + columns] + s * (D[k + columns + 1] - D[k + columns])
    found, first = one + t * (other - one), own.strength
    below, above = 0, levels - 1
    while above - below > 1:
        middle = (below + above) // 2
        if D[first + middle] <= found:
            below = middle
        else:
            above = middle
    width = D[first + above] - D[first + below]
    return below, min(max((found - D[first + below]) / width, 0.0), 1.0)


@kernel
def stand_on(i, soil, passes, weight, used, ground, wheels):
    """Add soil number ``soil`` to the variants below wheel i, its weight divided between the two whole
    numbers of passes around ``passes``; used: number of variants before, returned: number after."""
    own = ground.each[i]
    first, levels = own.first_variant + soil * own.levels, own.levels
    level = min(int(passes), max(levels - 2, 0))
    part = passes - level
    for step in range(2):
        share = weight * (part if step == 1 else 1.0 - part)
        if share > 0.0:
            wheels.variant[i, used] = first + level + step
            wheels.weight[i, used] = share
            used += 1
    return used


@kernel
def mix_soils(row, one, part, own, wheels):
    """Set variant ``row`` to ``1 - part`` times variant ``one`` plus ``part`` times the variant of
    the next cone index.

    The laws' parameters are linear in the cone index, so the result is exactly the law at the
    interpolated cone index; the normal force is interpolated between its two tables.
    """
    other = one + own.levels
    for k in range(own.law_floats):
        a = wheels.law[one, k]
        wheels.law[row, k] = a + part * (wheels.law[other, k] - a)
    for k in range(own.lateral_floats):
        a = wheels.lateral[one, k]
        wheels.lateral[row, k] = a + part * (wheels.lateral[other, k] - a)
    for k in range(wheels.normal.shape[1]):
        a = wheels.normal[one, k]
        wheels.normal[row, k] = a + part * (wheels.normal[other, k] - a)
    wheels.deepest[row] = wheels.deepest[one]


@kernel
def see_ground(i, x, y, ground, wheels):
    """Set the variants below wheel i at x, y [m] and their weights, and the rut depth ``ground.rut[i]``
    [m]."""
    own = ground.each[i]
    passes, ground.rut[i] = rut_at(i, x, y, ground)
    passes = min(passes, own.levels - 1.0)
    left, used = 1.0, 0
    for back in range(own.patches):
        soil = own.patches - back  # the last patch first: later patches lie on top of earlier ones
        patch = ground.patches[own.first_patch + soil - 1]
        weight = left * patch_weight(patch, ground.corners, x, y)
        left -= weight
        used = stand_on(i, soil, passes, weight, used, ground, wheels)
        if left <= 0.0:
            break
    if left > 0.0 and own.levels_of_strength > 0:
        number, part = strength_at(own, ground.strength, x, y)
        count = used
        used = stand_on(i, own.patches + 1 + number, passes, left, used, ground, wheels)
        for k in range(count, used):  # interpolate the raster's variants, which follow the patches'
            row = own.between + k - count
            mix_soils(row, wheels.variant[i, k], part, own, wheels)
            wheels.variant[i, k] = row
    elif left > 0.0:
        used = stand_on(i, 0, passes, left, used, ground, wheels)
    if used < wheels.weight.shape[1]:
        wheels.weight[i, used] = 0.0


@kernel
def enter_place(i, k, place, depth, ground):
    """Enter a place of wheel i's trail in the grids at cell k: add the place's visits to the cell's
    passes, and keep the larger rut depth [m].

    ``place``: index of the place in the memory. If the cell's last visit was by wheel i, with this place
        in the trail at that time, both belong to one passage, and no visits are added.
    """
    own = ground.each[i]
    size = own.columns * own.rows
    memory, wheels = ground.memory, float(len(ground.each))
    # stamp of the cell's last visit: 1 + wheel + (number of wheels) * (newest serial number of the
    # wheel's trail at that time); 0: no visit
    last = memory[k + 2 * size] - 1.0
    before = math.floor(last / wheels)
    same = last >= 0.0 and last - wheels * before == i and memory[place + NUMBER] <= before
    if not same:
        memory[k] += memory[place + VISITS]
        memory[k + 2 * size] = memory[own.trail + SERIAL] * wheels + i + 1.0
    memory[k + size] = max(memory[k + size], depth)


@kernel
def add_to_track(i, place, ground):
    """Enter place number ``place`` of wheel i's trail in the grids, with the strip of the tyre's width
    back to the place before, and remove the place from the trail."""
    own = ground.each[i]
    trail, start = own.trail, own.grids
    memory, cell = ground.memory, own.cell
    columns, rows = own.columns, own.rows
    a = trail + TRAIL_HEAD + PLACE * place
    x, y, depth = memory[a + X], memory[a + Y], memory[a + DEPTH]
    dx, dy, deeper = memory[a + FROM_X] - x, memory[a + FROM_Y] - y, memory[a + FROM_DEPTH] - depth
    along = 1 + int(2.0 * math.sqrt(dx * dx + dy * dy) / cell)
    across = 1 + int(2.0 * own.half_width / (0.5 * cell))
    for s in range(along):
        t = s / along
        for c in range(across + 1):
            w = own.half_width * (2.0 * c / across - 1.0)
            px = x + t * dx + w * memory[a + LEFT_X]
            py = y + t * dy + w * memory[a + LEFT_Y]
            column = math.floor((px - own.x_0) / cell)
            row = math.floor((py - own.y_0) / cell)
            if 0 <= column < columns and 0 <= row < rows:
                k = start + column * rows + row
                enter_place(i, k, a, depth + t * deeper, ground)
    count = int(memory[trail + TRAIL_COUNT]) - 1
    for k in range((count - place) * PLACE):
        memory[a + k] = memory[a + k + PLACE]
    memory[trail + TRAIL_COUNT] = count
    if memory[trail + AT] == place + 1:
        memory[trail + AT] = 0.0
    elif memory[trail + AT] > place + 1:
        memory[trail + AT] -= 1.0


@kernel
def leave_track(i, x, y, left_x, left_y, sinkage, ground):
    """Update wheel i's trail when the wheel is at x, y [m]; (left_x, left_y): unit vector to the left;
    sinkage [m]: of the wheel below the bottom of its present rut, negative for a wheel in the air."""
    own = ground.each[i]
    if own.grids < 0:
        return
    memory, trail = ground.memory, own.trail
    first = trail + TRAIL_HEAD
    place, near, closest = 0, -1, math.inf
    while place < memory[trail + TRAIL_COUNT]:
        a = first + PLACE * place
        dx, dy = x - memory[a + X], y - memory[a + Y]
        square = dx * dx + dy * dy
        if square > own.clear**2:
            add_to_track(i, place, ground)
            continue
        memory[a + AWAY] = max(memory[a + AWAY], square)
        if square < closest:
            near, closest = place, square
        place += 1
    if sinkage < 0.0:
        memory[trail + AT] = 0.0
        return
    depth = ground.rut[i] + sinkage
    if near < 0 or (closest >= own.cell**2 and place < own.most):
        a = first + PLACE * place
        memory[a + X], memory[a + Y] = x, y
        memory[a + LEFT_X], memory[a + LEFT_Y], memory[a + DEPTH] = left_x, left_y, depth
        memory[trail + TRAIL_COUNT] += 1.0
        memory[trail + SERIAL] += 1.0
        memory[a + NUMBER] = memory[trail + SERIAL]
        b = first + PLACE * (int(memory[trail + AT]) - 1) if memory[trail + AT] > 0.0 else a
        memory[a + FROM_X], memory[a + FROM_Y] = memory[b + X], memory[b + Y]
        memory[a + FROM_DEPTH] = memory[b + DEPTH]
        memory[a + VISITS], memory[a + AWAY] = 1.0, 0.0
        near = place
    memory[trail + AT] = near + 1
    a = first + PLACE * near
    # only a return from more than 1.5 cells away is a new visit
    if memory[a + AWAY] > (1.5 * own.cell) ** 2:
        memory[a + VISITS] += 1.0
        memory[a + AWAY] = 0.0
    memory[a + DEPTH] = max(memory[a + DEPTH], depth)


@kernel
def sinkage_below(i, gap, load, ground):
    """Sinkage [m] of wheel i under a load [N], -1 in the air; gap: of the undeformed tyre above the
    ground [m], negative when compressed."""
    return sinking(gap, load, ground.each[i].tyre_stiffness)[1] if load > 0.0 else -1.0
