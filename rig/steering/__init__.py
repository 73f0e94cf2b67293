"""Steering: from a command to the angle of the front wheels, and the controller that commands it."""

from .controller import FromErrors, Proportional
from .first_order import FirstOrder
from .hydraulic import Hydraulic
from .perfect import Perfect
from .third_order_valve import ThirdOrderValve

__all__ = ["FirstOrder", "FromErrors", "Hydraulic", "Perfect", "Proportional", "ThirdOrderValve"]
