"""Mobility maps of a vehicle: trafficability, speed, and their probabilities; imports ``bodies``."""

from mlcp.neighbours import require_neighbour

require_neighbour("bodies", __file__)

from .index import USCS, SoilClass, index_class, needed_cone_index
from .landscape import make_landscape
from .mapping.compare import Compared, compare
from .mapping.layers import LAYERS, Layer
from .mapping.maps import Errors, Map, make_map, scenarios
from .mapping.maps import open_map as open
from .mapping.rasters import Inputs
from .mapping.routes import Route, routes, write_routes
from .performance.borders import Border, border
from .performance.chance import likely, quantiles, sampled
from .performance.limits import GO_CLASSES, REASONS, Driver, Going, going
from .performance.surface import Surface, surface
from .soils import RATING, SOIL_CODES, strength_of_class
from .vehicles.lumping import lumped
from .vehicles.powertrain import GearStage
from .vehicles.ride import Ride, ride
from .vehicles.suspension import Give
from .vehicles.twist import Roll
from .vehicles.vehicle import Axle, LumpedVehicle
from .vehicles.whole import Driven, WholeVehicle

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
    "open",
    "quantiles",
    "ride",
    "routes",
    "sampled",
    "scenarios",
    "strength_of_class",
    "surface",
    "write_routes",
]
