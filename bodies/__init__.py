"""Bodies, joints, forces, driveline and the step; knows ``mlcp`` and ``contact``."""

try:
    from mlcp.neighbours import require_neighbour
except ModuleNotFoundError as _error:
    if not (_error.name or "").startswith("mlcp"):
        raise  # something that mlcp needs is missing, and the message says what
    raise ImportError(
        "wheelground needs its own package 'mlcp', but Python finds another one first, or none."
    ) from _error
require_neighbour("contact", __file__)

from contact.rigid import Ball, Box, Cylinder, HeightField, Plane, RigidContact, Sphere

from .batch import Batch
from .body import Body, Ground
from .checks import MechanismError, SimulationError, SimulationWarning, UnknownName
from .compile import compile
from .driveline import (
    Brake,
    Clutch,
    ElectricMotor,
    Engine,
    Gearbox,
    HalfShaft,
    LimitedSlip,
    PowershiftGearbox,
    TorqueConverter,
)
from .equilibrium import equilibrium
from .files import read_mechanism, write_mechanism
from .forces import Draft, Drag, Gravity, JointSpring, PointForce, SpringDamper, Torque
from .freedoms import Mobility, mobility
from .joints import (
    Bushing,
    ConstantVelocity,
    Cylindrical,
    Differential,
    Distance,
    Fixed,
    Gear,
    Limit,
    Motor,
    Planar,
    PointOnLine,
    Prismatic,
    RackAndPinion,
    Revolute,
    Spherical,
    Universal,
)
from .mechanism import Mechanism
from .mjcf import to_mjcf
from .model import Model
from .planning import NotClosed
from .recorded_run import simulate
from .signals import Schedule
from .simulation import Simulation
from .state import State
from .sweep import Swept, grid, sweep
from .trajectory import Trajectory
from .wheel import Wheel
from .workspace import Workspace

__all__ = [
    "Ball",
    "Batch",
    "Body",
    "Box",
    "Brake",
    "Bushing",
    "Clutch",
    "ConstantVelocity",
    "Cylinder",
    "Cylindrical",
    "Differential",
    "Distance",
    "Draft",
    "Drag",
    "ElectricMotor",
    "Engine",
    "Fixed",
    "Gear",
    "Gearbox",
    "Gravity",
    "Ground",
    "HalfShaft",
    "HeightField",
    "JointSpring",
    "Limit",
    "LimitedSlip",
    "Mechanism",
    "MechanismError",
    "Mobility",
    "Model",
    "Motor",
    "NotClosed",
    "Planar",
    "Plane",
    "PointForce",
    "PointOnLine",
    "PowershiftGearbox",
    "Prismatic",
    "RackAndPinion",
    "Revolute",
    "RigidContact",
    "Schedule",
    "Simulation",
    "SimulationError",
    "SimulationWarning",
    "Sphere",
    "Spherical",
    "SpringDamper",
    "State",
    "Swept",
    "Torque",
    "TorqueConverter",
    "Trajectory",
    "Universal",
    "UnknownName",
    "Wheel",
    "Workspace",
    "compile",
    "equilibrium",
    "grid",
    "mobility",
    "read_mechanism",
    "simulate",
    "sweep",
    "to_mjcf",
    "write_mechanism",
]
