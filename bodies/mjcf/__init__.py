"""Export to MuJoCo: ``to_mjcf(model)`` writes any mechanism as MJCF; writing needs no MuJoCo."""

from .drives import Driver
from .export import Mjcf, to_mjcf

__all__ = ["Driver", "Mjcf", "to_mjcf"]
