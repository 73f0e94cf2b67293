"""Hydraulics: cylinders, valves and pumps; each step solves their oil together with the mechanism."""

from collections.abc import Callable
from typing import Any

from mlcp import renamed

from ..mounting import mounted
from ..oil_machines import backhoe, backhoe_loader
from .bench import Bench, BenchRun, Rod
from .circuit import Branch, Circuit
from .compensator import Compensator
from .cylinder import Cushion, EndBuffer, HydraulicCylinder
from .fluid import Fluid
from .pump import ConstantPressure, LoadSensingPump
from .relief import MakeUp, Relief
from .spool_valve import SpoolValve

__all__ = [
    "Bench", "BenchRun", "Branch", "Circuit", "Compensator", "ConstantPressure", "Cushion", "EndBuffer",
    "Fluid", "HydraulicCylinder", "LoadSensingPump", "MakeUp", "Relief", "Rod", "SpoolValve", "backhoe",
    "backhoe_loader", "mounted",
]  # fmt: skip

__getattr__: Callable[[str], Any] = renamed.names(__name__, Cylinder="HydraulicCylinder")
