"""The quarter vehicle: one wheel and the mass it carries, in a plane."""

from .simulate import QuarterModel, QuarterState, simulate
from .vehicle import GRAVITY, QuarterVehicle

__all__ = ["GRAVITY", "QuarterModel", "QuarterState", "QuarterVehicle", "simulate"]
