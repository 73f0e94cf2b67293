"""The two ways a rig is run from the command line: as fast as it goes, or live."""

from __future__ import annotations

import pathlib
import socket
import sys
from typing import Any

from ..rig import Rig
from ..run import Run

EVERY = ("0.0.0.0", "::")  # where a server listens on every address of this computer


def drive_unpaced(rig: Rig, seconds: float, journal: pathlib.Path | None) -> Run:
    """As fast as it goes, with a journal if one is asked for."""
    if journal is None:
        return rig.run(seconds)
    from ..outside.journal import Journal

    with Journal(journal, rig) as recording:
        return rig.run(seconds, outside=recording.outside())


def drive_paced(rig: Rig, seconds: float, journal: pathlib.Path | None, **server: Any) -> Run:
    """In real time with cockpit and server; says where they are, and how late its ticks were."""
    from ..outside.live import live
    from ..outside.view import unavailable

    if server["scene"] and (why := unavailable(server["host"])):
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
        # every address of this computer is none to open: its name is
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
