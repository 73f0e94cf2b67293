"""Names of the tables of a file, and of its nested objects ``{ type = "...", ... }``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from contact import (
    BekkerSoil,
    BrixiusLateral,
    ConeIndexSinkage,
    ConeIndexSoil,
    Crolla,
    LuGre,
    Pacejka,
    PacejkaLateral,
    PneumaticTrail,
    PressureSinkageSoil,
    ReeceSoil,
    SoilTrail,
    Tyre,
    WheelContact,
    WongReeceLateral,
    laws,
)
from contact import terrain as grounds
from contact.rigid import SHAPES, SURFACES, RigidContact

from ..body import Body
from ..hydraulics import circuit as oil
from ..hydraulics.cylinder import Cushion, EndBuffer
from ..mechanism import ELEMENTS
from ..signals import Schedule
from ..wheel import Wheel


def table_name(kind: str) -> str:
    """Name of a class's table, for example ``rack_and_pinion`` of ``RackAndPinion``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind).lower()


#: Classes by the names of their tables at the top level of a mechanism's file, in the order in which the
#: writer puts them.
TABLES: dict[str, type] = {
    "body": Body,
    "wheel": Wheel,
    "rigid_contact": RigidContact,
    **{table_name(name): cls for name, cls in ELEMENTS.items()},
}
_PLAIN = (
    ConeIndexSoil, BekkerSoil, ReeceSoil, PressureSinkageSoil,
    *(law for law in laws.KINDS if law.in_files), Crolla, BrixiusLateral, WongReeceLateral, LuGre,
    Pacejka, PacejkaLateral, ConeIndexSinkage, PneumaticTrail, SoilTrail,
    oil.Branch, oil.Compensator, oil.ConstantPressure, Cushion, EndBuffer, oil.Fluid,
    oil.HydraulicCylinder, oil.LoadSensingPump, oil.MakeUp, oil.Relief, oil.SpoolValve, Tyre,
    WheelContact, Schedule, grounds.SoilMap, grounds.Patch, grounds.SoilMemory,
    grounds.ConeIndexField, grounds.MapPlace, grounds.Slope, grounds.Step, grounds.Sine,
    grounds.SmoothHeightField,
    *SHAPES.values(), *SURFACES.values(),
)  # fmt: skip
#: Classes and functions that make nested objects, by the value of ``type`` in the file.
KINDS: dict[str, Callable[..., Any]] = {
    **{table_name(cls.__name__): cls for cls in _PLAIN},
    "rough_ground": grounds.rough_ground,
    "geotiff": grounds.SmoothHeightField.from_geotiff,
    "cone_index_geotiff": grounds.ConeIndexField.from_geotiff,
}
NAMES = {cls: name for name, cls in KINDS.items() if isinstance(cls, type)}
