"""Check that a package is this project's, not a foreign one of the same name."""

from __future__ import annotations

import os
from importlib.util import find_spec


def require_neighbour(name: str, importer: str) -> None:
    """Refuse to import from a foreign package of the same name.

    Arguments:
        name: package to be imported.
        importer: ``__file__`` of the importing package; the project's are installed side by side.

    Raises:
        ImportError: another package or file of that name is found first; the message has its path.
    """
    home = os.path.dirname(os.path.dirname(os.path.realpath(importer)))
    spec = find_spec(name)
    found = None if spec is None else spec.origin
    if found is None or os.path.dirname(os.path.dirname(os.path.realpath(found))) != home:
        where = found or (list(spec.submodule_search_locations or ()) if spec else "nowhere")
        raise ImportError(
            f"wheelground needs its own package {name!r} (in {home}), but Python finds another one "
            f"first: {where}. Rename or remove that one, or run from another folder."
        )
