"""Machine, controllers and clock assembled from exchangeable blocks; imports ``bodies``."""

try:
    from mlcp.neighbours import require_neighbour
except ModuleNotFoundError as _error:
    if not (_error.name or "").startswith("mlcp"):
        raise  # the message names a missing package that mlcp needs
    raise ImportError(
        "wheelground needs its own package 'mlcp', but Python finds another one first, or none."
    ) from _error
require_neighbour("bodies", __file__)

from .block import Block, parameter
from .bus import Bus, Signal
from .catalogue import BLOCKS, make, register
from .errors import RigError
from .field import Boundary, Coverage
from .panels.displays import Camera, Gauge, Links
from .panels.lever import Lever
from .panels.panel import Panel
from .path import Path, arc, clothoid, field_work, headland_turn, polyline, straight
from .port import Port
from .rig import ORDERS, Rig
from .run import Run
from .site import Site
from .timing.ages import Ages
from .timing.clock import Clock, FakeClock, WallClock
from .timing.deficit import Accounts
from .timing.pace import POLICIES, Pace
from .two_rates.exchange import Fast, MultiRate, Slow, Stepped
from .two_rates.search import Choice, Search

__all__ = [
    "BLOCKS",
    "ORDERS",
    "POLICIES",
    "Accounts",
    "Ages",
    "Block",
    "Boundary",
    "Bus",
    "Camera",
    "Choice",
    "Clock",
    "Coverage",
    "FakeClock",
    "Fast",
    "Gauge",
    "Lever",
    "Links",
    "MultiRate",
    "Pace",
    "Panel",
    "Path",
    "Port",
    "Rig",
    "RigError",
    "Run",
    "Search",
    "Signal",
    "Site",
    "Slow",
    "Stepped",
    "WallClock",
    "arc",
    "clothoid",
    "field_work",
    "headland_turn",
    "make",
    "parameter",
    "polyline",
    "register",
    "straight",
]
