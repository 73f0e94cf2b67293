"""Rigid contact with Coulomb friction: shapes, surfaces and the friction of a contact."""

from .contact import RigidContact
from .shapes import Box, Cylinder, Sphere
from .surfaces import Ball, HeightField, Plane

SHAPES = {c.__name__: c for c in (Sphere, Box, Cylinder)}
SURFACES = {c.__name__: c for c in (Plane, HeightField, Ball)}

__all__ = [
    "SHAPES",
    "SURFACES",
    "Ball",
    "Box",
    "Cylinder",
    "HeightField",
    "Plane",
    "RigidContact",
    "Sphere",
]
