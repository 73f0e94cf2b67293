"""Steering actuators of the front wheels, and the controllers that command them."""

from .controller import FromErrors, Proportional
from .first_order import FirstOrder
from .hydraulic import Hydraulic
from .perfect import Perfect
from .third_order_valve import ThirdOrderValve

__all__ = ["FirstOrder", "FromErrors", "Hydraulic", "Perfect", "Proportional", "ThirdOrderValve"]
