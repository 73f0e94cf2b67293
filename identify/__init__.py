"""Fits of soils, laws and vehicles to measurements, with confidence intervals and a verdict."""

from mlcp.neighbours import require_neighbour

require_neighbour("contact", __file__)

from .fit import fit
from .log import Log, fit_log
from .solve import Fit
from .unknown import Unknown
from .wheel_test import WheelTest

__all__ = ["Fit", "Log", "Unknown", "WheelTest", "fit", "fit_log"]
