"""Live scene: viser in another process, which is a client of the front (``rig.outside.front``).

The scene sends no commands. It requests the newest frame when it is ready to draw, so that the front
never waits for it.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import select
import subprocess
import sys
from typing import IO, Any, cast

import numpy as np
from numpy.typing import NDArray

from bodies.view.soil_colours import Legend
from bodies.view.stage import Stage
from bodies.view.viewer import free_port, scenery
from mlcp.neighbours import need

from ...errors import RigError
from ...rig import Rig
from ..body_poses import POSES
from ..front import Front
from ..net.client import Client
from ..net.schema import Hello
from ..net.server import EVERY, LOOPBACK
from .gate import Gate
from .picture import ABOVE, Picture, posed
from .planar import Tractor, quaternion
from .ruts import Ruts, height_of

Array = NDArray[np.float64]
RATE = 30.0  # frames a second
PLANNED, DRIVEN, EDGE = (43, 98, 181), (192, 83, 43), (120, 116, 104)
#: Driven path: number of points in one drawn piece, and least distance of two points [m].
PIECE, MIN_SPACING = 25, 0.25
#: Style that hides viser's panel and notices where they would cover the scene: on a phone.
WITHOUT_PANEL = (
    '<style id="narrow">@media (max-width: 36em) { .mantine-Paper-root:has(#narrow), '
    ".mantine-Notifications-root { display: none !important; } }</style>"
)


class LiveScene:
    """Parent's side of the scene's process; a context manager.

        with LiveScene(rig) as scene, Front(rig, poses=scene.poses, machine=...) as front:
            scene.follow(front)

    Arguments:
        rig: rig in its initial state.
        boundary: corners of the field, shape (n, 2) [m]; None: none.
        port: port of viser's page; 0: a free one.
        host: address of viser's page; beyond this computer it is behind a ``Gate``.
        token: token of the gate.

    Attributes:
        poses: argument ``poses`` of ``Front``; None for a planar chassis.
        port: port of viser's page.
        legend: colours of the soils of the ground: pairs (text, colour).

    Raises:
        RigError: the scene did not start; ImportError: viser is missing.
    """

    def __init__(
        self, rig: Rig, *, boundary: Any = None, port: int = 0, host: str = "127.0.0.1", token: str = ""
    ) -> None:
        picture = Picture.of(rig, boundary)
        self.poses: Any = None if picture.planar else posed(rig).poses
        self._packed = picture.pack()
        self.legend: Legend = picture.drawn.legend
        self.port: int = port
        self.host: str = host
        self.token: str = token

    def __enter__(self) -> LiveScene:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "rig.outside.view.scene"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # not ended by Ctrl-C
        )
        self._orders, self._answers = cast(IO, self._process.stdin), cast(IO, self._process.stdout)
        order = {"port": self.port, "host": self.host, "token": self.token}
        self._say({"bytes": len(self._packed)} | order)
        with contextlib.suppress(OSError):
            self._orders.write(self._packed)
            self._orders.flush()
        answer = self._answers.readline()
        reply: dict[str, Any] = json.loads(answer) if answer else {"error": "the scene did not start"}
        if "error" in reply:
            self.__exit__()
            raise ImportError(reply["error"]) if reply.get("missing") else RigError(reply["error"])
        self.port = reply["port"]
        return self

    def _say(self, what: dict[str, Any]) -> None:
        with contextlib.suppress(OSError):  # a dead process, noticed in __enter__ by its missing answer
            self._orders.write(json.dumps(what).encode() + b"\n")
            self._orders.flush()

    def follow(self, front: Front) -> None:
        """Connect the scene's process to a front, whose states it draws."""
        if front.port < 0:
            raise RigError("a live scene is a client over TCP: port = -1 leaves it none")
        host = EVERY.get(self.host, self.host)
        self._say({"port": front.port, "host": host, "token": front.token or ""})

    def __exit__(self, *error: object) -> None:
        try:
            self._orders.close()  # the process ends at the end of its input
            self._process.wait(3.0)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._answers.close()


class Live:
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
        """Move all bodies to the poses of a frame's signals."""
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
        if self._height is not None:  # a position on the wheels' lowest points is below soft ground
            at[2] = self._height(*position[:2, None])[0] + 2.0 * ABOVE
        if self._trail and np.linalg.norm(at - self._trail[-1]) < MIN_SPACING:
            return
        self._trail.append(at)
        self._line(f"driven/{self._pieces}", np.array(self._trail), DRIVEN)
        if len(self._trail) > PIECE:
            self._trail, self._pieces = [at], self._pieces + 1


def _answer(reply: dict[str, Any]) -> None:
    """Send a line of JSON to the parent process, if it still runs."""
    with contextlib.suppress(OSError):
        os.write(1, json.dumps(reply).encode() + b"\n")


def main() -> None:
    """Run the process: draw the picture, send the port, then show the front's states until the end."""
    source = sys.stdin.buffer
    line = source.readline()
    order: dict[str, Any] = json.loads(line) if line else {"bytes": 1}
    packed = source.read(order["bytes"])
    if len(packed) < order["bytes"]:  # the parent has ended
        return
    picture = Picture.unpack(packed)
    try:
        viser = need("viser", "the scene", "live")
    except ModuleNotFoundError as error:
        _answer({"error": str(error), "missing": True})
        return
    with contextlib.suppress(AttributeError, OSError):
        os.nice(5)  # lower priority than the simulation
    host, beyond = "127.0.0.1", order["host"] not in LOOPBACK
    port = order["port"] if order["port"] and not beyond else free_port(host)
    with contextlib.redirect_stdout(io.StringIO()):  # suppress viser's banner
        server = viser.ViserServer(host=host, port=port, verbose=False)
    scenery(server)
    server.gui.set_panel_label("View")
    server.gui.main_panel.minimize()
    server.gui.add_html(WITHOUT_PANEL)
    camera = server.initial_camera
    camera.position, camera.look_at = (np.array(point) for point in picture.camera)
    live = Live(server, picture)
    with contextlib.ExitStack() as stack:
        shown = server.get_port()
        if beyond:
            gate = Gate(order["host"], shown, order["token"], order["port"])
            try:
                shown = stack.enter_context(gate).port
            except RigError as error:
                _answer({"error": str(error)})
                return
        _answer({"port": shown})
        line = source.readline()
        if line:
            with contextlib.suppress(RigError):  # the front has ended: the last picture remains
                _follow(live, server, json.loads(line))
            while not select.select([sys.stdin], [], [], 1.0)[0]:
                pass
    with contextlib.redirect_stdout(io.StringIO()):
        server.stop()


def _follow(live: Live, server: Any, order: dict[str, Any]) -> None:
    hello = Hello("view", order["token"], live.signals, rate=RATE)
    with Client(order["port"], hello, order["host"]) as client:
        while not select.select([sys.stdin], [], [], 0.0)[0]:
            found = client.newest(0.1)
            if found is not None:
                with server.atomic():
                    live.show(found[0].time, found[1])


if __name__ == "__main__":
    main()
