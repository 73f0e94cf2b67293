"""Imports of other packages of this project, and of optional packages that its extras install."""

from __future__ import annotations

import importlib
import os
from importlib.util import find_spec
from typing import Any


def require_neighbour(name: str, importer: str) -> None:
    """Refuse to import from a foreign package of the same name.

    Arguments:
        name: package to be imported.
        importer: ``__file__`` of the importing package; all packages of the project are in one folder.

    Raises:
        ImportError: another package or file of that name is found first (the message has its path), or
            none.
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


def need(module: str, what: str, extra: str) -> Any:
    """Import a module of an optional package, installed by an extra of this project.

    Arguments:
        module: name of the module, as "rasterio.warp".
        what: feature that needs the package, the first words of the message.
        extra: name of the extra.

    Raises:
        ModuleNotFoundError: the package is not installed; the sentence has the command that installs it.
    """
    package = module.partition(".")[0]
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != package:
            raise
        raise ModuleNotFoundError(
            f"{what} needs {package}: pip install 'wheelground[{extra}]'"
        ) from None
