"""Process of the live scene: ``scene`` sends it the picture and the front's address on its input."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pickle
import select
import sys
from typing import Any

import numpy as np

from bodies.view.viewer import free_port, scenery
from mlcp.neighbours import need

from ...errors import RigError
from ..net.client import Client
from ..net.schema import Hello
from ..net.server import LOOPBACK
from ..waiting import answer
from .gate import Gate
from .moving_picture import MovingPicture
from .picture import Picture

RATE = 30.0  # frames a second
FULL_WIDTH = 1.3  # width over height of a window; narrower ones see the machine from farther away
#: Style that hides viser's panel and notices where they would cover the scene: on a phone.
WITHOUT_PANEL = (
    '<style id="narrow">@media (max-width: 36em) { .mantine-Paper-root:has(#narrow), '
    ".mantine-Notifications-root { display: none !important; } }</style>"
)


def main() -> None:
    """Run the process: draw the picture, send the port, then show the front's states until the end."""
    source = sys.stdin.buffer
    line = source.readline()
    order: dict[str, Any] = json.loads(line) if line else {"bytes": 1}
    packed = source.read(order["bytes"])
    if len(packed) < order["bytes"]:  # the parent has ended
        return
    picture: Picture = pickle.loads(packed)  # from the parent process, which started this one
    try:
        viser = need("viser", "the scene", "live")
    except ModuleNotFoundError as error:
        answer({"error": str(error), "missing": True})
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
    eye, target = (np.array(point) for point in picture.camera)
    camera = server.initial_camera
    camera.position, camera.look_at = eye, target

    @server.on_client_connect
    def _(client: Any) -> None:
        if client.camera.aspect < FULL_WIDTH:
            client.camera.position = target + (eye - target) * FULL_WIDTH / client.camera.aspect

    live = MovingPicture(server, picture)
    with contextlib.ExitStack() as stack:
        shown = server.get_port()
        if beyond:
            gate = Gate(order["host"], shown, order["token"], order["port"])
            try:
                shown = stack.enter_context(gate).port
            except RigError as error:
                answer({"error": str(error)})
                return
        answer({"port": shown})
        line = source.readline()
        if line:
            with contextlib.suppress(RigError):  # the front has ended: the last picture remains
                _follow(live, server, json.loads(line))
            while not select.select([sys.stdin], [], [], 1.0)[0]:
                pass
    with contextlib.redirect_stdout(io.StringIO()):
        server.stop()


def _follow(live: MovingPicture, server: Any, order: dict[str, Any]) -> None:
    hello = Hello("view", order["token"], live.signals, rate=RATE)
    with Client(order["port"], hello, order["host"]) as client:
        while not select.select([sys.stdin], [], [], 0.0)[0]:
            found = client.newest(0.1)
            if found is not None:
                with server.atomic():
                    live.show(found[0].time, found[1])


if __name__ == "__main__":
    main()
