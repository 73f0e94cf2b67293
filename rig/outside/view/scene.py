"""Live scene: viser in another process (``scene_process``), which is a client of the front.

The scene sends no commands. It requests the newest frame when it is ready to draw, so that the front
never waits for it.
"""

from __future__ import annotations

import contextlib
import json
import pickle
import subprocess
import sys
from typing import IO, Any, cast

from bodies.view.soil_colours import Legend

from ...errors import RigError
from ...rig import Rig
from ..front import Front
from ..net.server import EVERY
from .picture import Picture, posed

PROCESS = "rig.outside.view.scene_process"


class LiveScene:
    """Parent's side of the scene's process; a context manager.

        with LiveScene(rig) as scene, Front(rig, poses=scene.poses, machine=...) as front:
            scene.follow(front)

    Arguments:
        rig: rig in its initial state.
        boundary: corners of the field, shape (n, 2) [m]; None: none.
        port: port of viser's page; 0: a free one.
        host: address of viser's page; for an address beyond this computer a relay asks for the token.
        token: token of the relay (``gate.Gate``).

    Attributes:
        poses: function that returns positions and quaternions of all bodies, for the argument ``poses``
            of ``Front``; None for a planar chassis.
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
        self._packed = pickle.dumps(picture)
        self.legend: Legend = picture.drawn.legend
        self.port: int = port
        self.host: str = host
        self.token: str = token

    def __enter__(self) -> LiveScene:
        self._process = subprocess.Popen(
            [sys.executable, "-m", PROCESS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C must not end the scene before the simulation
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
