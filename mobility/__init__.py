"""Mobility maps: where a vehicle can go, how fast, and how sure that is; above ``bodies``."""

from mlcp.neighbours import require_neighbour

require_neighbour("bodies", __file__)

from .borders import Border, border
from .chance import likely, quantiles, sampled
from .compare import Compared, compare
from .index import USCS, SoilClass, index_class, needed_cone_index, rating_cone_index
from .landscape import make_landscape
from .layers import LAYERS, Layer
from .limits import GO_CLASSES, REASONS, Driver, Going, going
from .lumping import lumped
from .maps import Errors, Map, make_map, scenarios
from .powertrain import GearStage
from .rasters import Inputs
from .ride import Ride, ride
from .routes import Route, routes, write_routes
from .soils import RATING, SOIL_CODES, strength_of_class
from .surface import Surface, surface
from .suspension import Give
from .twist import Roll
from .vehicle import Axle, LumpedVehicle
from .whole import Driven, WholeVehicle

__all__ = [
    "GO_CLASSES",
    "LAYERS",
    "RATING",
    "REASONS",
    "SOIL_CODES",
    "USCS",
    "Axle",
    "Border",
    "Compared",
    "Driven",
    "Driver",
    "Errors",
    "GearStage",
    "Give",
    "Going",
    "Inputs",
    "Layer",
    "LumpedVehicle",
    "Map",
    "Ride",
    "Roll",
    "Route",
    "SoilClass",
    "Surface",
    "WholeVehicle",
    "border",
    "compare",
    "going",
    "index_class",
    "likely",
    "lumped",
    "make_landscape",
    "make_map",
    "needed_cone_index",
    "quantiles",
    "rating_cone_index",
    "ride",
    "routes",
    "sampled",
    "scenarios",
    "strength_of_class",
    "surface",
    "write_routes",
]
