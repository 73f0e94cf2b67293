"""Units in headers, as in ``VehSpd [km/h]``: their factor to the SI unit, and the SI unit."""

import math
import re

from mlcp.checks import nearest

#: SI unit and factor of each unit.
UNITS = {
    "m": ("m", 1.0), "mm": ("m", 1e-3), "cm": ("m", 1e-2), "km": ("m", 1e3),
    "m/s": ("m/s", 1.0), "mm/s": ("m/s", 1e-3), "km/h": ("m/s", 1.0 / 3.6),
    "rad": ("rad", 1.0), "deg": ("rad", math.pi / 180.0),
    "rad/s": ("rad/s", 1.0), "deg/s": ("rad/s", math.pi / 180.0), "rpm": ("rad/s", math.pi / 30.0),
    "s": ("s", 1.0), "ms": ("s", 1e-3), "kg": ("kg", 1.0), "t": ("kg", 1e3),
    "N": ("N", 1.0), "kN": ("N", 1e3), "N m": ("N m", 1.0), "kN m": ("N m", 1e3),
    "Pa": ("Pa", 1.0), "kPa": ("Pa", 1e3), "MPa": ("Pa", 1e6), "bar": ("Pa", 1e5),
    "W": ("W", 1.0), "kW": ("W", 1e3), "-": ("-", 1.0), "%": ("-", 1e-2),
}  # fmt: skip


def unit_of(header: str) -> tuple[str, str | None, float]:
    """``(name, SI unit, factor)`` of a header ``name [unit]``; without a unit ``(header, None, 1.0)``.

    Raises:
        ValueError: a unit that is not in ``UNITS``, with the nearest.
    """
    found = re.fullmatch(r"(.*\S)\s+\[([^\[\]]*)\]", header)
    if not found:
        return header, None, 1.0
    name, unit = found.groups()
    if unit not in UNITS:
        raise ValueError(f"unit [{unit}] of {name!r} is unknown; {nearest(unit, UNITS)}")
    return name, *UNITS[unit]
