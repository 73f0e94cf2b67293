"""Live scene in the browser: content of the scene of a rig, and the process that draws it."""

import importlib.util


def unavailable() -> str:
    """Reason, as a sentence, for no live scene; "": it is possible."""
    if importlib.util.find_spec("viser") is None:
        return "the scene needs viser: pip install 'wheelground[live]'; the cockpit has its map"
    return ""
