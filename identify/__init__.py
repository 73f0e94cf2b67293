"""Parameters of soils and laws from measurements, with confidence intervals and a verdict."""

from mlcp.neighbours import require_neighbour

require_neighbour("contact", __file__)

from .fit import Fit, fit
from .unknown import Unknown
from .wheel_test import WheelTest

__all__ = ["Fit", "Unknown", "WheelTest", "fit"]
