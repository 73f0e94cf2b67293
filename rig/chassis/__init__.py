"""Chassis models and towed implements with the same signals, from kinematic to multibody."""

from .bicycle import Bicycle
from .four_wheel import FourWheel
from .hub_driven import HubDriven
from .implement import Drawn
from .kinematic import Kinematic
from .towing import Towing

__all__ = ["Bicycle", "Drawn", "FourWheel", "HubDriven", "Kinematic", "Towing"]
