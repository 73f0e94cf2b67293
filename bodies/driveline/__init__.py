"""Elements of the driveline, one per file; ``DRIVELINE`` has their classes by name.

The differential is a coupling like a gear, in ``bodies.joints``.
"""

from .brake import Brake
from .clutch import Clutch
from .electric_motor import ElectricMotor
from .engine import Engine
from .gearbox import Gearbox
from .half_shaft import HalfShaft
from .limited_slip import LimitedSlip
from .powershift_gearbox import PowershiftGearbox
from .torque_converter import TorqueConverter

_FEW = (Engine, ElectricMotor, Clutch, Gearbox, HalfShaft, Brake, TorqueConverter, LimitedSlip)
DRIVELINE = {c.__name__: c for c in (*_FEW, PowershiftGearbox)}

__all__ = [
    "DRIVELINE",
    "Brake",
    "Clutch",
    "ElectricMotor",
    "Engine",
    "Gearbox",
    "HalfShaft",
    "LimitedSlip",
    "PowershiftGearbox",
    "TorqueConverter",
]
