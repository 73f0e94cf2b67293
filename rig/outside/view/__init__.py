"""A live scene in the browser: picture of a rig, and the process that draws it."""

from __future__ import annotations

import importlib.util

from ..net.server import LOOPBACK


def unavailable(host: str) -> str:
    """Why there can be no live scene beside a server on this host, in a sentence; "" where there can.

    viser's page asks for no token, so that it is shown on this computer alone.
    """
    if host not in LOOPBACK:
        return f"the scene is not shown beyond this computer: a cockpit on {host} has its map"
    if importlib.util.find_spec("viser") is None:
        return "the scene needs viser: pip install 'wheelground[live]'; the cockpit has its map"
    return ""
