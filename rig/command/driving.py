"""Runs of a rig from the command line: as fast as possible, or live."""

from __future__ import annotations

import pathlib
import socket
import sys
from typing import Any

from ..rig import Rig
from ..run import Run


def drive_unpaced(rig: Rig, seconds: float, journal: pathlib.Path | None) -> Run:
    """Run a rig for ``seconds`` as fast as possible; ``journal``: file for its inputs, or None."""
    if journal is None:
        return rig.run(seconds)
    from ..outside.journal import Journal

    with Journal(journal, rig) as recording:
        return rig.run(seconds, outside=recording.outside())


def drive_paced(rig: Rig, seconds: float, journal: pathlib.Path | None, **server: Any) -> Run:
    """Run a rig in real time with cockpit and server; print their addresses and the timing of ticks."""
    from ..outside.live import live
    from ..outside.net.server import EVERY
    from ..outside.view import unavailable

    if server["scene"] and (why := unavailable()):
        print(why)
        server["scene"] = False

    fronts = []

    def on_start(front: Any) -> None:
        fronts.append(front)
        for line in front.lines:
            print(line)
        if front.hub > 0:
            print(f"controller: python -m rig guide {front.hub}")
        token = f"#{front.token}" if front.token else ""
        # a browser cannot open the host 0.0.0.0 ("all addresses"), but the computer's name
        host = socket.gethostname() if server["host"] in EVERY else server["host"]
        print(f"cockpit   http://{host}:{front.web_port}/{token}")
        print(f"programs  {host}:{front.port}, frames as in `python -m rig header`", flush=True)

    def warn(sentence: str) -> None:
        print(f"warning: {sentence}", file=sys.stderr)

    run = live(rig, seconds, journal=journal, on_start=on_start, warn=warn, **server)
    for line in fronts[0].lines:
        print(line)
    print(run.deficit)
    return run
