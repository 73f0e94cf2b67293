"""The quarter vehicle: one wheel and the mass it carries, in a plane."""

from .simulate import UNITS, QuarterModel, QuarterState, simulate
from .vehicle import GRAVITY, QuarterVehicle

__all__ = ["GRAVITY", "UNITS", "QuarterModel", "QuarterState", "QuarterVehicle", "simulate"]
