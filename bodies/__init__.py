"""Multibody dynamics with the solvers of ``mlcp`` and the ground laws of ``contact``: bodies, joints,
forces, drivelines, wheels, and the time step."""

try:
    from mlcp.neighbours import require_neighbour
except ModuleNotFoundError as _error:
    if not (_error.name or "").startswith("mlcp"):
        raise  # mlcp was found, but not one of its dependencies, which Python's message names
    raise ImportError(
        "wheelground needs its own package 'mlcp', but Python finds another one first, or none."
    ) from _error
require_neighbour("contact", __file__)

from contact.rigid import Ball, Box, Cylinder, HeightField, Plane, RigidContact, Sphere

from . import view as _view  # noqa: F401 - registers the functions for pictures of a trajectory
from .appearance import Look
from .batch import Batch
from .body import Body, Ground
from .building.compile import compile
from .building.planning import NotClosed
from .checks import MechanismError, SimulationError, SimulationWarning, UnknownName
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
from .files import read_mechanism, write_mechanism
from .forces import Draft, Drag, Gravity, JointSpring, PointForce, SpringDamper, Torque
from .joints import (
    Bushing,
    ConstantVelocity,
    Cylindrical,
    Differential,
    Distance,
    Fixed,
    Gear,
    Length,
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
from .memory.workspace import Workspace
from .mjcf import to_mjcf
from .model import Model
from .rest.equilibrium import equilibrium
from .running.freedoms import Mobility, mobility
from .running.recorded_run import simulate
from .running.simulation import Simulation
from .running.trajectory import Trajectory
from .signals import Schedule
from .state import State
from .sweep import Swept, grid, sweep
from .wheel import Wheel

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
    "Length",
    "Limit",
    "LimitedSlip",
    "Look",
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
