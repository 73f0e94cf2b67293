"""Export to MuJoCo: ``to_mjcf(model)`` writes a mechanism as MJCF, without an installed MuJoCo."""

from collections.abc import Callable
from typing import Any

from mlcp import renamed

from .drives import Drives
from .export import Mjcf, to_mjcf

__all__ = ["Drives", "Mjcf", "to_mjcf"]

__getattr__: Callable[[str], Any] = renamed.names(__name__, Driver="Drives")
