"""Rasteriser that draws triangles and planes into a picture with a depth buffer, without a graphics
driver.

The depth of a pixel is 1/z, z: distance along the camera's axis; it is linear over the picture, larger
for nearer points, and 0 for the sky.
"""

import math

from mlcp.jit import entry_point, kernel

RIGHT, UP, FORWARD, EYE = 0, 3, 6, 9  # offsets in a camera's record: axes and position, world axes
FOCAL = 12  # offset in a camera's record: focal length [px]
POINT, NORMAL, U, V = 0, 3, 6, 9  # offsets in a plane's record: point and axes
CELL = 12  # offset in a plane's record: distance of its lines [m]
COLOURS = 13  # offset in a plane's record: colours plain, line, strong line, haze; three numbers each
FADE = 25  # offset in a plane's record: distance at which the haze has 63 % of its full strength [m]


@entry_point("bodies")
def draw_triangles(picture, depth, points, faces, colours, cover):
    """Draw triangles, each of one colour.

    Shapes: picture (rows, columns, 3), depth (rows, columns), points (n, 3) with pixel coordinates x, y
    and depth, faces (m, 3), colours (m, 3). ``cover``: opacity; if it is below 1, colours are blended
    and the depth is unchanged.
    """
    rows, columns = depth.shape
    for m in range(faces.shape[0]):
        a, b, c = faces[m, 0], faces[m, 1], faces[m, 2]
        if points[a, 2] <= 0.0 or points[b, 2] <= 0.0 or points[c, 2] <= 0.0:
            continue  # the triangle is behind the camera
        ax, ay, bx, by = points[a, 0], points[a, 1], points[b, 0], points[b, 1]
        cx, cy = points[c, 0], points[c, 1]
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if abs(area) < 1e-9:  # [px^2] the triangle is seen edge-on
            continue
        left, right = min(ax, bx, cx), max(ax, bx, cx)
        top, bottom = min(ay, by, cy), max(ay, by, cy)
        if right < 0.0 or bottom < 0.0 or left >= columns or top >= rows:
            continue
        for i in range(max(0, math.floor(top)), min(rows - 1, math.ceil(bottom)) + 1):
            y = i + 0.5
            for j in range(max(0, math.floor(left)), min(columns - 1, math.ceil(right)) + 1):
                x = j + 0.5
                wa = ((bx - x) * (cy - y) - (by - y) * (cx - x)) / area
                wb = ((cx - x) * (ay - y) - (cy - y) * (ax - x)) / area
                wc = 1.0 - wa - wb
                if wa < 0.0 or wb < 0.0 or wc < 0.0:
                    continue
                near = wa * points[a, 2] + wb * points[b, 2] + wc * points[c, 2]
                if near <= depth[i, j]:
                    continue
                for k in range(3):
                    picture[i, j, k] += cover * (colours[m, k] - picture[i, j, k])
                if cover == 1.0:
                    depth[i, j] = near


@kernel
def distance_to_lines(u, v, cell):
    """Distance [m] of a point of a plane from the nearest of its lines, ``cell`` apart."""
    across, along = u - cell * math.floor(u / cell + 0.5), v - cell * math.floor(v / cell + 0.5)
    return min(abs(across), abs(along))


@entry_point("bodies")
def draw_plane(picture, depth, camera, ground):
    """Draw a plane with a line every cell, a strong line every ten cells, and haze.

    ``camera``, ``ground``: records of camera and plane, with the offsets above.
    """
    rows, columns = depth.shape
    cell = ground[CELL]
    for i in range(rows):
        up = (0.5 * rows - i - 0.5) / camera[FOCAL]
        for j in range(columns):
            right = (j + 0.5 - 0.5 * columns) / camera[FOCAL]
            slope, height, u, v, du, dv = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
            for k in range(3):
                along = camera[FORWARD + k] + right * camera[RIGHT + k] + up * camera[UP + k]
                above = camera[EYE + k] - ground[POINT + k]
                slope += ground[NORMAL + k] * along
                height += ground[NORMAL + k] * above
                u += ground[U + k] * above
                v += ground[V + k] * above
                du += ground[U + k] * along
                dv += ground[V + k] * along
            if slope * height >= 0.0:
                continue  # the pixel's ray does not meet the plane
            z = -height / slope
            if 1.0 / z <= depth[i, j]:
                continue
            u, v = u + z * du, v + z * dv
            # width of a line [m]: a pixel on the plane, or 12 mm
            wide = max(0.012, 1.2 * z * z / (camera[FOCAL] * abs(height)))
            ten = 10.0 * cell
            fine, bold = distance_to_lines(u, v, cell), distance_to_lines(u, v, ten)
            thin = max(0.0, 1.0 - fine / wide) * min(1.0, 0.25 * cell / wide)
            thick = max(0.0, 1.0 - bold / (2.0 * wide)) * min(1.0, 0.25 * ten / wide)
            haze = 1.0 - math.exp(-z / ground[FADE])
            for k in range(3):
                shade = ground[COLOURS + k]
                shade += thin * (ground[COLOURS + 3 + k] - shade)
                shade += thick * (ground[COLOURS + 6 + k] - shade)
                picture[i, j, k] = shade + haze * (ground[COLOURS + 9 + k] - shade)
            depth[i, j] = 1.0 / z
