"""Mobility maps: where a vehicle can go, how fast, and how sure that is; above ``bodies``."""

from mlcp.neighbours import require_neighbour

require_neighbour("bodies", __file__)

from .chance import Border, border, likely, quantiles, sampled
from .index import USCS, SoilClass, index_class, needed_cone_index, rating_cone_index
from .limits import CLASSES, REASONS, Driver, Going, going
from .powertrain import Gear
from .surface import Surface, surface
from .vehicle import Axle, LumpedVehicle, lumped

__all__ = [
    "CLASSES",
    "REASONS",
    "USCS",
    "Axle",
    "Border",
    "Driver",
    "Gear",
    "Going",
    "LumpedVehicle",
    "SoilClass",
    "Surface",
    "border",
    "going",
    "index_class",
    "likely",
    "lumped",
    "needed_cone_index",
    "quantiles",
    "rating_cone_index",
    "sampled",
    "surface",
]
