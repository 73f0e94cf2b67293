"""Terrain: height, normal and soil at a point."""

from __future__ import annotations

from typing import TypeAlias

from .geotiff import MapPlace
from .memory import SoilMemory
from .roughness import CLASSES, rough_ground, rough_profile
from .shapes import Sine, Slope, SmoothHeightField, Step, Terrain
from .soil_map import Patch, SoilMap
from .strength import ConeIndexField

# Earlier name of ``SmoothHeightField``; ``contact.rigid`` has a class of this name too.
HeightField: TypeAlias = SmoothHeightField
Plane: TypeAlias = Slope

__all__ = [
    "CLASSES", "ConeIndexField", "MapPlace", "Patch", "Sine", "Slope", "SmoothHeightField", "SoilMap",
    "SoilMemory", "Step", "Terrain",
    "rough_ground", "rough_profile",
]  # fmt: skip
