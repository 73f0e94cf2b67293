"""Picture of a rig in viser's scene, moved by the front's state frames, with the driven path."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bodies.view.stage import Stage

from ..body_poses import POSES
from .picture import ABOVE, Picture
from .planar import Tractor, quaternion
from .ruts import Ruts, height_of

Array = NDArray[np.float64]
PLANNED, DRIVEN, EDGE = (43, 98, 181), (192, 83, 43), (120, 116, 104)
#: Driven path: number of points in one drawn piece, and least distance of two points [m].
PIECE, MIN_SPACING = 25, 0.25


class MovingPicture:
    """Picture in viser's scene, moved by state frames.

    Arguments:
        server: viser's server.
        picture: content of the scene.
    """

    def __init__(self, server: Any, picture: Picture) -> None:
        self.picture = picture
        self.stage: Stage = Stage(server, picture.drawn)
        self.tractor: Tractor | None = Tractor(**picture.planar) if picture.planar else None
        self.signals: tuple[str, ...] = (POSES, "position", "attitude")
        if self.tractor:
            self.signals = ("position", "attitude", "velocity", "steer_angle", "implement_position",
                            "hitch_angle")  # fmt: skip
        self._line("path", picture.path, PLANNED)
        self._line("boundary", picture.boundary, EDGE)
        self._trail: list[Array] = []
        self._pieces = 0
        self._rolled, self._last = 0.0, 0.0
        self._height = height_of(picture.drawn)
        self.ruts: Ruts | None = None
        if picture.wheels and self._height is not None:
            self.ruts = Ruts(server.scene, picture.wheels, picture.drawn, self._height)
        self.follow: bool = picture.follow
        self.turn: bool = picture.follow
        if picture.follow:
            self._controls(server.gui)

    def _controls(self, gui: Any) -> None:
        follow = gui.add_checkbox("Follow the machine", True)
        turn = gui.add_checkbox("Turn with it", True)

        @follow.on_update
        @turn.on_update
        def _(_: Any) -> None:
            self.follow, self.turn = follow.value, turn.value

    def _line(self, name: str, points: Array, colour: tuple[int, ...]) -> None:
        if len(points) > 1:
            pieces = np.stack((points[:-1], points[1:]), axis=1).astype(np.float32)
            self.stage.scene.add_line_segments(
                f"/world/{name}", pieces, colour, thickness=2.0, thickness_units="screen"
            )

    def show(self, time: float, seen: dict[str, Array]) -> None:
        """Move all bodies to the poses in the signals ``seen`` of a state frame; ``time`` [s]."""
        position, attitude = seen["position"], seen["attitude"]
        if self.tractor is not None:
            self._rolled += float(seen["velocity"][0]) * max(0.0, time - self._last)
            self._last = time
            heading = float(attitude[2] + seen["hitch_angle"])
            cart = (seen["implement_position"], heading)
            x, q = self.tractor.poses(position, attitude, float(seen["steer_angle"]), self._rolled, cart)
        else:
            found = seen[POSES].reshape(-1, 7)
            x, q = found[:, :3], found[:, 3:]
            if self.picture.reference is not None:
                body, height = self.picture.reference
                position = x[body] - [0.0, 0.0, height]
        self.stage.place(x, q)
        if self.ruts is not None:
            self.ruts.extend(x, q)
        if self.picture.follow:
            self._drive(position, float(attitude[2]))

    def _drive(self, position: Array, heading: float) -> None:
        """Move the view to the machine, and extend its drawn track."""
        c, s = np.cos(heading), np.sin(heading)
        around = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]]) if self.turn else np.eye(3)
        world = self.stage.world
        world.wxyz = quaternion(around)
        world.position = -around @ position if self.follow else np.zeros(3)
        at = position + np.array([0.0, 0.0, 2.0 * ABOVE])
        if self._height is not None:  # the signal "position" may lie below the surface of soft ground
            at[2] = self._height(*position[:2, None])[0] + 2.0 * ABOVE
        if self._trail and np.linalg.norm(at - self._trail[-1]) < MIN_SPACING:
            return
        self._trail.append(at)
        self._line(f"driven/{self._pieces}", np.array(self._trail), DRIVEN)
        if len(self._trail) > PIECE:
            self._trail, self._pieces = [at], self._pieces + 1
