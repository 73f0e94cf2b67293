"""Export to MuJoCo: ``to_mjcf(model)`` writes a mechanism as MJCF, without an installed MuJoCo."""

from .drives import Driver
from .export import Mjcf, to_mjcf

__all__ = ["Driver", "Mjcf", "to_mjcf"]
