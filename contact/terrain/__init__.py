"""Terrain: height, normal and soil at a point."""

from __future__ import annotations

from .memory import SoilMemory
from .roughness import CLASSES, profile_spectrum, rough_ground, rough_profile
from .shapes import HeightField, Plane, Sine, Step, Terrain
from .soil_map import Patch, SoilMap

__all__ = [
    "CLASSES", "HeightField", "Patch", "Plane", "Sine", "SoilMap", "SoilMemory", "Step", "Terrain",
    "profile_spectrum", "rough_ground", "rough_profile",
]  # fmt: skip
