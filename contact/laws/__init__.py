"""Ground laws: thrust and resistance ratios of a wheel over slip and load.

Every law is a frozen dataclass with ``thrust_ratio``, ``thrust_slope`` and ``resistance_ratio``,
each ``(slip, load, tyre, soil)`` and broadcasting, and ``parameters(tyre, soil)`` for its kernel.
"""

from __future__ import annotations

from .brixius import Brixius

#: Laws by name, each with the settings most people start from.
LAWS = {
    "brixius": Brixius("bias"),
    "brixius-radial": Brixius("radial"),
}
