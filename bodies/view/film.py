"""Pictures of a run drawn without a display: a single picture, a GIF, an MP4."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mlcp.neighbours import need
from mlcp.writing import written

from .. import checks
from ..body import GROUND
from ..checks import checked
from ..frames import frame, quaternion_matrix
from ..progress import Progress
from ..running.trajectory import Trajectory
from . import kernels, meshes
from .forces import COLOURS, arrow_points, wheel_arrows
from .meshes import Mesh
from .poses import leader_of, poses_at, record_at
from .shapes import fixed_shapes, shapes_of, struts_of
from .soil_colours import legend_of
from .surfaces import SOILS, box_of, ground_pieces, grounds, is_field

GROUND_COLOUR, LINE, STRONG, HAZE = (226, 219, 206), (206, 198, 182), (170, 160, 142), (228, 232, 236)
INK = (40, 50, 60)
SUN = np.array([0.35, 0.45, 0.82]) / np.linalg.norm([0.35, 0.45, 0.82])
FINER = 2  # oversampling: number of drawn pixels along each side of a pixel of the result
FRAMES = {".mp4": 30, ".gif": 12}  # default number of pictures per second
SIZES = {".mp4": (960, 540), ".gif": (560, 316)}


@dataclass(frozen=True)
class FilmSegment:
    """Triangles of one colour (0 to 255), fixed to a body (its number) or to the world (None).

    ``cover``: opacity [-].
    """

    body: int | None
    mesh: Mesh
    colour: tuple[int, int, int]
    cover: float = 1.0


class Studio:
    """Drawing of a run at any time.

    Arguments:
        run: a :class:`bodies.Trajectory`.
        size: width and height of a picture [px].
        follow: body in the centre; default: the heaviest body if it travels more than 5 m; ``""``: none.

    Raises:
        UnknownName: no such body. MechanismError: a size out of range.
    """

    def __init__(
        self, run: Trajectory, size: tuple[int, int] = (960, 540), follow: str | None = None
    ) -> None:
        self.run = run
        self.width, self.height = (checks.whole("picture", "size", n, 16, 8192) for n in size)
        model = run.model
        leader = leader_of(run) if follow is None else follow
        self.leader: int | None = model.body(leader) if leader else None
        self.pieces = [
            FilmSegment(
                model.body_index.get(name), p.mesh, p.colour, 1.0 if p.opacity is None else p.opacity
            )
            for name, parts in [*shapes_of(model).items(), (GROUND, fixed_shapes(model))]
            for p in parts
        ]
        self.struts = struts_of(model)
        self.planes: list[np.ndarray] = []
        self._grounds()
        self.wheels = wheel_arrows(run)
        x, turn = run.positions[0], [quaternion_matrix(q) for q in run.quaternions[0]]
        seen = np.vstack(
            [p.mesh.vertices @ turn[p.body].T + x[p.body] for p in self.pieces if p.body is not None]
        )
        self.middle = 0.5 * (seen.min(axis=0) + seen.max(axis=0))
        if self.leader is not None:
            self.middle = self.middle - x[self.leader]
        self.span = 0.9 * float(np.linalg.norm(np.ptp(seen, axis=0)))  # [m] visible extent
        loads = [float(np.percentile(np.abs(w.forces[:, 0]), 90)) for w in self.wheels]
        longest = min(1.1, 0.25 * self.span)  # [m] longest arrow
        self.scale = longest / max(loads) if loads and max(loads) > 0.0 else 1e-4

    def _grounds(self) -> None:
        """Collect the grounds: planes, which are drawn pixel by pixel, and triangles of other
        grounds."""
        surfaces = grounds(self.run.model.mechanism)
        self.legend = legend_of(surfaces)
        for surface in surfaces:
            if is_field(surface):
                for mesh, colour in ground_pieces(surface, *box_of(self.run)):
                    self.pieces.append(FilmSegment(None, mesh, colour))
            elif hasattr(surface, "normal"):
                self.planes.append(_plane(surface.point, surface.normal))
            else:
                mesh = meshes.ball(surface.centre, surface.radius)
                self.pieces.append(FilmSegment(None, mesh, SOILS[0]))
        if not surfaces:
            feet = (float(p.mesh.vertices[:, 2].min()) for p in self.pieces if p.body is None)
            low = min(feet, default=float(self.run.positions[..., 2].min()) - 0.5)
            self.planes.append(_plane((0.0, 0.0, low), (0.0, 0.0, 1.0)))

    def camera(self, x: np.ndarray) -> np.ndarray:
        """Camera record for the kernels, at the bodies' positions x [m]: axes, position, focal length.

        The camera is in front of the run, to the left and above.
        """
        target = self.middle + (0.0 if self.leader is None else x[self.leader])
        eye = target + self.span * np.array([0.82, 0.95, 0.5])
        forward = target - [0.0, 0.0, 0.1 * self.span] - eye
        forward /= np.linalg.norm(forward)
        right = np.cross(forward, [0.0, 0.0, 1.0])
        right /= np.linalg.norm(right)
        focal = FINER * 0.5 * self.height / np.tan(np.radians(22.5))
        return np.concatenate([right, np.cross(right, forward), forward, eye, [focal]])

    def picture(self, time: float) -> np.ndarray:
        """Picture of the run at a time [s], (height, width, 3) uint8."""
        x, q = poses_at(self.run, time)
        turn = [quaternion_matrix(k) for k in q]
        camera = self.camera(x)
        rows, columns = FINER * self.height, FINER * self.width
        picture, depth = _sky(rows, columns), np.zeros((rows, columns), np.float32)
        for plane in self.planes:
            kernels.draw_plane(picture, depth, camera, plane)
        moved = [
            (p, p.mesh.vertices if p.body is None else p.mesh.vertices @ turn[p.body].T + x[p.body])
            for p in (*self.pieces, *self._struts(x, turn), *self._arrows(time))
        ]
        if self.planes:
            self._shadows(picture, depth, camera, moved)
        for piece, vertices in sorted(moved, key=lambda each: each[0].cover < 1.0):
            _draw(picture, depth, camera, piece, vertices)
        parts = [picture[i::FINER, j::FINER] for i in range(FINER) for j in range(FINER)]
        small = sum(parts[1:], parts[0]) / FINER**2
        return self._labelled(np.clip(small, 0.0, 255.0).astype(np.uint8), time)

    def _shadows(self, picture: Any, depth: Any, camera: Any, moved: Any) -> None:
        """Draw the shadows of the bodies on the first plane, 4 mm above the plane, in a darker tone of
        the ground's colour."""
        plane = self.planes[0]
        point, normal = plane[kernels.POINT : 3], plane[kernels.NORMAL : kernels.NORMAL + 3]
        tone = tuple(0.72 * np.array(GROUND_COLOUR))
        for piece, vertices in moved:
            if piece.body is None or piece.cover < 1.0:
                continue
            away = (vertices - point) @ normal
            flat = vertices - np.outer(away / (SUN @ normal), SUN) + 4e-3 * normal
            points = _projected(camera, flat, depth.shape)
            faces = piece.mesh.faces.astype(np.int64)
            colours = np.tile(np.array(tone, np.float32), (len(faces), 1))
            kernels.draw_triangles(picture, depth, points, faces, colours, 1.0)

    def _struts(self, x: np.ndarray, turn: list[np.ndarray]) -> Iterator[FilmSegment]:
        """Triangles of springs and cylinders between their ends, in the pose (x, turn)."""
        for strut in self.struts:
            a, axes, length = strut.pose(x, turn)
            vertices = strut.mesh.vertices @ (axes * [1.0, 1.0, length]).T + a
            yield FilmSegment(None, Mesh(vertices, strut.mesh.faces), strut.colour)

    def _arrows(self, time: float) -> Iterator[FilmSegment]:
        """Triangles of the force arrows at the wheels at a time [s]."""
        if not self.wheels:
            return
        ends = arrow_points(self.wheels, record_at(self.run, time), self.scale)
        for k, (a, b) in enumerate(ends):
            length = float(np.linalg.norm(b - a))
            if length < 0.03:
                continue
            shaft = max(length - 0.09, 0.01)
            profile = [(0, 0), (0.017, 0), (0.017, shaft), (0.042, shaft), (0, length)]
            mesh = meshes.placed(meshes.lathe(profile, sides=12), a, frame((b - a) / length))
            yield FilmSegment(None, mesh, COLOURS[k % 3])

    def _labelled(self, picture: np.ndarray, time: float) -> np.ndarray:
        """Picture with the time and the speed of the followed body at the upper left, and the legend of
        the soils at the upper right."""
        from PIL import Image, ImageDraw, ImageFont

        text = f"{self.run.model.mechanism.name}   {time:.2f} s"
        if self.leader is not None:
            speed = np.linalg.norm(self.run.velocities[record_at(self.run, time), self.leader])
            text += f"   {3.6 * speed:.1f} km/h"
        image = Image.fromarray(picture)
        size = max(12, self.height // 30)
        font, draw = ImageFont.load_default(size), ImageDraw.Draw(image)
        draw.text((self.height // 36, self.height // 40), text, INK, font)
        widest = max((draw.textlength(words, font) for words, _ in self.legend), default=0.0)
        left, bottom = self.width - size - widest, 1.5 * size * len(self.legend) + size
        if self.legend:
            draw.rectangle((left - 2.0 * size, 0.25 * size, self.width, bottom), HAZE)
        for k, (words, colour) in enumerate(self.legend):
            top = (0.75 + 1.5 * k) * size
            draw.rectangle((left - 1.6 * size, top, left - 0.4 * size, top + size), colour, INK)
            draw.text((left, top), words, INK, font)
        return np.asarray(image)

    def frames(self, rate: float) -> Iterator[np.ndarray]:
        """Pictures of the whole run at ``rate`` pictures per second."""
        times = np.arange(self.run.time[0], self.run.time[-1] + 0.5 / rate, 1.0 / rate)
        bar = Progress(f"film of {self.run.model.mechanism.name!r}", len(times), "pictures")
        for k, time in enumerate(times):
            yield self.picture(float(min(time, self.run.time[-1])))
            bar.at(k + 1)
        bar.end()


@checked
def save_picture(
    run: Trajectory,
    path: str | Path,
    time: float = 0.0,
    *,
    size: tuple[int, int] = (960, 540),
    follow: str | None = None,
) -> Path:
    """Write the picture of a run at a time, drawn without a display.

    Arguments:
        run: trajectory of :func:`bodies.simulate`.
        path: file whose name ends with ``.png`` or ``.jpg``.
        time: time of the picture [s].
        size: width and height [px].
        follow: body in the centre; default: the heaviest body if it travels more than 5 m; "": none.

    Returns:
        The path.

    Raises:
        MechanismError: another ending, a size out of range. UnknownName: no such body.
    """
    from PIL import Image

    path = Path(path)
    if path.suffix not in (".png", ".jpg"):
        raise checks.MechanismError(f"save_picture: {path.name!r} must end with .png or .jpg")
    shown = Studio(run, size, follow).picture(checks.number("save_picture", "time [s]", time))
    with written(path) as place:
        Image.fromarray(shown).save(place, "PNG" if path.suffix == ".png" else "JPEG")
    return path


@checked
def save_video(
    run: Trajectory,
    path: str | Path,
    *,
    rate: float | None = None,
    size: tuple[int, int] | None = None,
    follow: str | None = None,
) -> Path:
    """Write a run as a film, drawn without a display.

    Arguments:
        run: trajectory of :func:`bodies.simulate`.
        path: file whose name ends with ``.mp4`` (extra ``video``) or ``.gif``.
        rate: pictures per second [1/s]; default: 30, for a GIF 12.
        size: width and height [px]; default: 960 x 540, for a GIF 560 x 316.
        follow: body in the centre; default: the heaviest body if it travels more than 5 m; "": none.

    Returns:
        The path.

    Raises:
        MechanismError: another ending, a rate or size out of range. UnknownName: no such body.
        ImportError: imageio or its ffmpeg is not installed; the message names the pip command.
    """
    path = Path(path)
    if path.suffix not in FRAMES:
        raise checks.MechanismError(f"save_video: {path.name!r} must end with .mp4 or .gif")
    shown = checks.number("save_video", "rate [1/s]", rate or FRAMES[path.suffix], 0.1, 240.0)
    writer: Any = None
    if path.suffix == ".mp4":
        what = "a GIF needs nothing more; MP4"
        writer = need("imageio.v2", what, "video")
        need("imageio_ffmpeg", what, "video")
    studio = Studio(run, size or SIZES[path.suffix], follow)
    if writer is not None:
        with (
            written(path) as place,
            writer.get_writer(place, fps=shown, quality=7, macro_block_size=2) as file,
        ):
            for picture in studio.frames(shown):
                file.append_data(picture)
        return path
    from PIL import Image

    pictures = [Image.fromarray(picture).quantize(128) for picture in studio.frames(shown)]
    with written(path) as place:
        pictures[0].save(
            place, save_all=True, append_images=pictures[1:], duration=round(1e3 / shown), loop=0
        )
    return path


def _plane(point: Any, normal: Any) -> np.ndarray:
    """Record of a plane for the kernel, see the offsets in ``kernels``."""
    axes = frame(np.asarray(normal, float))
    colours = [c for colour in (GROUND_COLOUR, LINE, STRONG, HAZE) for c in colour]
    return np.array([*point, *axes[:, 2], *axes[:, 0], *axes[:, 1], 0.5, *colours, 60.0])


def _sky(rows: int, columns: int) -> np.ndarray:
    """Picture of the sky: a light gradient, darker towards the top."""
    low, high = np.array(HAZE, np.float32), np.array([176, 200, 222], np.float32)
    t = np.linspace(1.0, 0.0, rows, dtype=np.float32)[:, None, None] ** 1.5
    return np.ascontiguousarray(np.broadcast_to(low + (high - low) * t, (rows, columns, 3)))


def _projected(camera: np.ndarray, vertices: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Pixel coordinates and depth 1/z of vertices; the depth is 0 behind the camera."""
    axes = camera[:9].reshape(3, 3)
    x, y, z = ((vertices - camera[9:12]) @ axes.T).T
    near = np.where(z > 0.05, 1.0 / np.maximum(z, 0.05), 0.0)
    focal = camera[kernels.FOCAL]
    pixels = (0.5 * shape[1] + focal * x * near, 0.5 * shape[0] - focal * y * near, near)
    return np.column_stack(pixels)


def _draw(
    picture: Any, depth: Any, camera: np.ndarray, piece: FilmSegment, vertices: np.ndarray
) -> None:
    """Draw the triangles of ``piece``, lit by sun and sky, visible from both sides."""
    faces = piece.mesh.faces.astype(np.int64)
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    normal /= np.maximum(np.linalg.norm(normal, axis=1), 1e-12)[:, None]
    toward = np.sign(np.sum(normal * (camera[9:12] - a), axis=1))
    normal *= np.where(toward == 0.0, 1.0, toward)[:, None]
    light = 0.52 + 0.16 * normal[:, 2] + 0.42 * np.maximum(normal @ SUN, 0.0)
    colours = np.minimum(light[:, None] * np.array(piece.colour, float), 255.0).astype(np.float32)
    points = _projected(camera, vertices, depth.shape)
    kernels.draw_triangles(picture, depth, points, faces, colours, piece.cover)
