"""Terrain: height, normal and soil at a point."""

from __future__ import annotations

from .geotiff import MapPlace
from .memory import SoilMemory
from .roughness import CLASSES, profile_spectrum, rough_ground, rough_profile
from .shapes import HeightField, Plane, Sine, Step, Terrain
from .soil_map import Patch, SoilMap
from .strength import ConeIndexField

__all__ = [
    "CLASSES", "ConeIndexField", "HeightField", "MapPlace", "Patch", "Plane", "Sine", "SoilMap",
    "SoilMemory", "Step", "Terrain",
    "profile_spectrum", "rough_ground", "rough_profile",
]  # fmt: skip
