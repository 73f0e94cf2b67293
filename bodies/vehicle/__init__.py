"""Whole vehicles from parts (axles, drives, steerings, tools), described in TOML files.

``load("hmmwv")`` returns a mechanism, ``read("hmmwv")`` the vehicle with its parts;
``QuarterVehicle`` is a single wheel with a mass.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..checks import checked
from ..mechanism import Mechanism
from ..signals import Signal
from .axles.air_spring import AirSpring
from .axles.anti_roll_bar import AntiRollBar
from .axles.beam_axle import BeamAxle
from .axles.bogie import Bogie
from .axles.double_wishbone import DoubleWishbone
from .axles.rigid_axle import RigidAxle
from .axles.rocker_bogie import RockerBogie
from .axles.solid_mounted_axle import SolidMountedAxle
from .axles.swivel_wheel import SwivelWheel
from .axles.trailing_arm import TrailingArm
from .cab import Cab
from .drive.automatic_transmission import AutomaticTransmission
from .drive.centre_differential import CentreDifferential
from .drive.engine import CombustionEngine
from .drive.final_drive import FinalDrive
from .drive.gearbox import ClutchAndGearbox
from .drive.half_shafts import HalfShafts
from .drive.hub_drives import HubDrives
from .drive.propeller_shaft import PropellerShaft
from .files.reader import PARTS, from_toml, path_of, read, register, shipped
from .frame import Frame
from .part import Assembly, Part, Piece
from .pull_test import pull_test
from .quarter import QuarterVehicle
from .readings import WheelReading, off_the_law, wheel_readings
from .rolling import HardGround, Rolling
from .steering.articulated import ArticulatedSteering
from .steering.beam_steering import BeamSteering
from .steering.drag_link import DragLinkSteering
from .steering.pitman import PitmanSteering
from .steering.rack import RackSteering
from .tools import d497
from .tools.free_elements import FreeElements
from .tools.hitch import Hitch
from .tools.linkage_forces import LinkageForces, linkage_bench, linkage_forces
from .tools.load_car import LoadCar
from .tools.mounted_tool import MountedTool
from .tools.stabilisers import Stabilisers
from .tools.three_point_linkage import ThreePointLinkage
from .tools.tillage_tool import TillageTool
from .vehicle import Vehicle

__all__ = [
    "PARTS", "AirSpring", "AntiRollBar", "ArticulatedSteering", "Assembly", "AutomaticTransmission",
    "BeamAxle", "BeamSteering", "Bogie", "Cab", "CentreDifferential", "ClutchAndGearbox",
    "CombustionEngine", "DoubleWishbone", "DragLinkSteering", "FinalDrive", "Frame", "FreeElements",
    "HalfShafts", "HardGround", "Hitch", "HubDrives", "LinkageForces", "LoadCar", "MountedTool", "Part",
    "Piece", "PitmanSteering", "PropellerShaft", "QuarterVehicle", "RackSteering", "RigidAxle",
    "RockerBogie", "Rolling", "SolidMountedAxle", "Stabilisers", "SwivelWheel", "ThreePointLinkage",
    "TillageTool", "TrailingArm", "Vehicle", "WheelReading", "d497", "from_toml", "linkage_bench",
    "linkage_forces", "load", "off_the_law", "path_of", "pull_test", "read", "register", "shipped",
    "wheel_readings",
]  # fmt: skip


@checked
def load(
    name: str | Path = "hmmwv",
    *,
    controls: Mapping[str, Signal] | None = None,
    hard: bool = False,
    ground: Any = None,
    **contact: Any,
) -> Mechanism:
    """Load a vehicle as a mechanism. Wheels are named by axle and side, such as "front_left".

    Arguments:
        name: name of a shipped vehicle (``shipped()``), or a file.
        controls: signals by name: "throttle", "brake", "gear", "clutch", "steering" [rad at the column,
            left positive]. Other controls are as in the file: inputs (``Simulation.set_input``) or
            schedules.
        hard: whether wheels on soil are on hard, elastic ground instead.
        ground: plane or height field; default: that of the vehicle's file.
        contact: ``regularisation``, ``cone_index`` [Pa] and other fields of the wheels' contact.
    """
    vehicle = read(name)
    if contact:
        vehicle = vehicle.on(**contact)
    return vehicle.mechanism(controls, hard=hard, ground=ground)
