"""Program of the front's process, started by ``Front``: sockets, buses and the journal's file.

It reads its settings, then records and events, from standard input, and serves until the end of input.
"""

from __future__ import annotations

import datetime as dt
import sys
from typing import Any

from ..bus import Bus
from ..errors import RigError
from ..timing.clock import SECOND
from .front_loop import FrontLoop
from .geodesy import Origin
from .journal_file import JournalFile
from .lines import Isobus, Place, open_lines
from .net.server import Server
from .waiting import Bell, Pipe, answer


def main() -> None:
    """Run the process: read the settings, send the ports, serve, send a summary at the end."""
    pipe = Pipe(sys.stdin.fileno())
    order = pipe.first()
    if not order:
        return
    options: dict[str, Any] = order["server"]
    options["origins"] = tuple(options.get("origins", ()))
    journal_file, lines, bell = None, [], Bell()
    try:
        origin = Origin(*order["origin"]) if order["origin"] else None
        if order["journal"] is not None:
            journal_file = JournalFile(order["journal"], order["tick"], origin)
        begun = dt.datetime.fromisoformat(order["begun"])
        place = Place(origin or Origin(0.0, 0.0), begun, order["receiver"], order["wheelbase"],
                      order["tick"] / SECOND)  # fmt: skip
        lines = open_lines(order["lines"], place, order["takes"], order["transmit"])
        bus = Bus.of(order["bus"], "the rig's bus")
        taken = {"takes": order["takes"], "reads": order["reads"]}
        with Server(bus=bus, ring=bell.ring, **taken, **options) as server:
            loop = FrontLoop(order, bus, pipe, server, journal_file, lines, bell)
            reply: dict[str, Any] = {"port": server.port, "web_port": server.web_port}
            reply |= {"token": server.token, "line": loop.line.getsockname()[1]}
            reply["lines"] = [line.name for line in lines]
            reply["hub"] = next((line.port for line in lines if isinstance(line, Isobus)), -1)
            answer(reply)
            loop.serve()
    except (RigError, ImportError) as error:
        answer({"error": str(error)})
        return
    finally:
        for each in lines:
            each.close()
    if journal_file is not None:
        journal_file.close()
    reply = {"failed": "" if journal_file is None else journal_file.failed, "lines": loop.summary()}
    answer(reply)


if __name__ == "__main__":
    main()
