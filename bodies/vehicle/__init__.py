"""Whole vehicles from parts, described in TOML files.

``load("hmmwv")`` is a mechanism; ``read("hmmwv")`` the vehicle with its parts; ``QuarterVehicle`` one
wheel and the mass it carries.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..mechanism import Mechanism
from ..signals import Signal
from . import d497
from .anti_roll_bar import AntiRollBar
from .automatic_transmission import AutomaticTransmission
from .beam_axle import BeamAxle
from .beam_steering import BeamSteering
from .cab import Cab
from .centre_differential import CentreDifferential
from .double_wishbone import DoubleWishbone
from .drag_link import DragLinkSteering
from .engine import CombustionEngine
from .final_drive import FinalDrive
from .frame import Frame
from .gearbox import ClutchAndGearbox
from .half_shafts import HalfShafts
from .hitch import Hitch
from .hub_drives import HubDrives
from .linkage_forces import LinkageForces, linkage_bench, linkage_forces
from .load_car import LoadCar
from .part import Assembly, Part, Piece
from .pitman import PitmanSteering
from .propeller_shaft import PropellerShaft
from .pull_test import pull_test
from .quarter import QuarterVehicle
from .reader import PARTS, from_toml, path_of, read, register, shipped
from .readings import WheelReading, off_the_law, wheel_readings
from .rigid_axle import RigidAxle
from .rocker_bogie import RockerBogie
from .rolling import HardGround, Rolling
from .solid_mounted_axle import SolidMountedAxle
from .steering import RackSteering
from .swivel_wheel import SwivelWheel
from .three_point_linkage import ThreePointLinkage
from .tillage_tool import TillageTool
from .trailing_arm import TrailingArm
from .vehicle import Vehicle

__all__ = [
    "PARTS",
    "AntiRollBar",
    "Assembly",
    "AutomaticTransmission",
    "BeamAxle",
    "BeamSteering",
    "Cab",
    "CentreDifferential",
    "ClutchAndGearbox",
    "CombustionEngine",
    "DoubleWishbone",
    "DragLinkSteering",
    "FinalDrive",
    "Frame",
    "HalfShafts",
    "HardGround",
    "Hitch",
    "HubDrives",
    "LinkageForces",
    "LoadCar",
    "Part",
    "Piece",
    "PitmanSteering",
    "PropellerShaft",
    "QuarterVehicle",
    "RackSteering",
    "RigidAxle",
    "RockerBogie",
    "Rolling",
    "SolidMountedAxle",
    "SwivelWheel",
    "ThreePointLinkage",
    "TillageTool",
    "TrailingArm",
    "Vehicle",
    "WheelReading",
    "d497",
    "from_toml",
    "linkage_bench",
    "linkage_forces",
    "load",
    "off_the_law",
    "path_of",
    "pull_test",
    "read",
    "register",
    "shipped",
    "wheel_readings",
]


def load(
    name: str | Path = "hmmwv",
    *,
    controls: Mapping[str, Signal] | None = None,
    hard: bool = False,
    ground: Any = None,
    **contact: Any,
) -> Mechanism:
    """A vehicle as a mechanism; its wheels are called front_left and so on, after their axles.

    Arguments:
        name: of a shipped vehicle (``shipped()``), or a file.
        controls: signals by name: "throttle", "brake", "steering" [rad at the column], "gear",
            "clutch". Those left out are inputs of these names, for ``Simulation.set_input``.
        hard: wheels on hard, springy ground instead of soil.
        ground: plane or height field; default: the vehicle file's.
        contact: ``regularisation``, ``cone_index`` [Pa] and other fields of the wheels' contact.
    """
    vehicle = read(name)
    if contact:
        vehicle = vehicle.on(**contact)
    return vehicle.mechanism(controls, hard=hard, ground=ground)
