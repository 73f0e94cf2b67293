"""Live scene in the browser: content of the scene of a rig, and the process that draws it."""

from __future__ import annotations

import importlib.util

from ..net.server import LOOPBACK


def unavailable(host: str) -> str:
    """Reason, as a sentence, for no live scene beside a server on this host; "": it is possible.

    viser's page needs no token and is therefore limited to this computer.
    """
    if host not in LOOPBACK:
        return f"the scene is not shown beyond this computer: a cockpit on {host} has its map"
    if importlib.util.find_spec("viser") is None:
        return "the scene needs viser: pip install 'wheelground[live]'; the cockpit has its map"
    return ""
