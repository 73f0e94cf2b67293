"""Libraries that only the outside needs: an extra that is missing is a sentence."""

from __future__ import annotations

import importlib
from typing import Any

#: Module of a library, and the extra that brings it.
EXTRAS = {
    "pymap3d": "gnss", "pynmeagps": "gnss", "can": "can", "cantools": "can", "websockets": "live",
    "mcap": "log", "serial": "serial", "viser": "live",
    "rasterio": "terrain",
}  # fmt: skip


def need(module: str, what: str) -> Any:
    """The module of that name; ImportError with the install command if ``what`` requires it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        library = module.partition(".")[0]
        if error.name is None or error.name.partition(".")[0] != library:
            raise
        raise ImportError(
            f"{what} needs {library}: pip install 'wheelground[{EXTRAS[library]}]'."
        ) from error
