"""Soil classes and tillage draft of ASABE D497, Agricultural Machinery Management Data.

The draft of a tool is ``F_i (A + B S + C S^2) W T``, with coefficients A, B, C of the tool, a factor F_i
of the soil texture, speed S, width W and depth T; ``scatter``: that of measurements about this
formula. The figures are those of the standard (D497.4 to D497.7) as quoted in the literature, at second
hand; compare them with the printed page before relying on them: no worked example of the standard was
found. Two other transcriptions agree in every number: A, B, C of five rows in the tests of MathWorks'
Simscape implement block (2024, after D497.5: narrow subsoiler, moldboard, straight chisel, primary sweep
and cultivator), and nine rows with F_i and scatter in a Brazilian program for choosing machines
(moldboard, subsoilers, disk harrows, cultivators). The rows of the chisel plow with shovels and of the
secondary sweep have no second source. A textbook's worked example of a chisel plow (68 512.5 N) has the
same A, B and units; like MathWorks it uses the moldboard's F_i, 0.70, for a medium texture; this table
has 0.85.
"""

from __future__ import annotations

from dataclasses import dataclass

from contact import ConeIndexSoil
from mlcp.checks import nearest

from ... import checks

#: Cone index [Pa] by soil class.
SOIL_CLASSES = {
    "hard": ConeIndexSoil(1.8e6),
    "firm": ConeIndexSoil(1.2e6),
    "tilled": ConeIndexSoil(9e5),
    "soft": ConeIndexSoil(4.5e5),
}
TEXTURES = ("fine", "medium", "coarse")


@dataclass(frozen=True)
class Tillage:
    """Coefficients of one tool's draft, per unit of width and cm of depth.

    ``a`` [N], ``b`` [N h/km], ``c`` [N h^2/km^2]: A, B, C of :func:`draft_numbers`; ``texture_factors``:
    factors F_1, F_2, F_3 of the soil textures fine, medium, coarse; ``per``: unit of the width, "m" or
    "tools"; ``scatter``: relative scatter +- of measurements about the formula [-].
    """

    a: float
    b: float
    c: float
    texture_factors: tuple[float, float, float]
    per: str
    scatter: float


_DEEP, _CHISEL, _DISK = (1.0, 0.70, 0.45), (1.0, 0.85, 0.65), (1.0, 0.88, 0.78)
TOOLS = {
    "subsoiler, narrow point": Tillage(226.0, 0.0, 1.8, _DEEP, "tools", 0.50),
    "subsoiler, winged point": Tillage(294.0, 0.0, 2.4, _DEEP, "tools", 0.50),
    "moldboard plow": Tillage(652.0, 0.0, 5.1, _DEEP, "m", 0.40),
    "chisel plow, straight point": Tillage(91.0, 5.4, 0.0, _CHISEL, "tools", 0.50),
    "chisel plow, shovel": Tillage(107.0, 6.3, 0.0, _CHISEL, "tools", 0.50),
    "chisel plow, twisted shovel": Tillage(123.0, 7.3, 0.0, _CHISEL, "tools", 0.50),
    "sweep plow, primary": Tillage(390.0, 19.0, 0.0, _CHISEL, "m", 0.45),
    "sweep plow, secondary": Tillage(273.0, 13.3, 0.0, _CHISEL, "m", 0.35),
    "disk harrow, tandem, primary": Tillage(309.0, 16.0, 0.0, _DISK, "m", 0.50),
    "disk harrow, tandem, secondary": Tillage(216.0, 11.2, 0.0, _DISK, "m", 0.30),
    "disk harrow, offset, primary": Tillage(364.0, 18.8, 0.0, _DISK, "m", 0.50),
    "disk harrow, offset, secondary": Tillage(254.0, 13.2, 0.0, _DISK, "m", 0.30),
    "field cultivator, primary": Tillage(46.0, 2.8, 0.0, _CHISEL, "tools", 0.30),
    "field cultivator, secondary": Tillage(32.0, 1.9, 0.0, _CHISEL, "tools", 0.25),
}


def draft_numbers(tool: str, texture: str, width: float, depth: float) -> tuple[float, float, float]:
    """Coefficients of a tool's draft ``D = d_0 + d_1 v + d_2 v^2`` [N, N s/m, N s^2/m^2], v in m/s.

        D = F_i (A + B S + C S^2) W T        S speed [km/h], T depth [cm], D [N]

    A, B, C and F_i (factor of the soil texture) are the fields of the tool's :class:`Tillage`.

    Arguments:
        tool: name in ``TOOLS``. texture: "fine", "medium" or "coarse".
        width: W of the implement [m], or its number of tools, by the unit of the tool's row.
        depth: tillage depth T [m].

    Raises:
        MechanismError: an unknown tool or texture (with the nearest); a width or depth out of range.

    Source: ASABE D497, clause on draft, at second hand.
    """
    who = "d497.draft"
    if tool not in TOOLS:
        raise checks.MechanismError(f"{who}: tool {tool!r} is unknown; {nearest(tool, list(TOOLS))}")
    checks.one_of(who, "texture", texture, TEXTURES)
    width = checks.number(who, "width", width, 0.0, 100.0, open_low=True)
    depth = checks.number(who, "depth [m]", depth, 0.0, 2.0, open_low=True)
    row = TOOLS[tool]
    size = row.texture_factors[TEXTURES.index(texture)] * width * 100.0 * depth
    return row.a * size, 3.6 * row.b * size, 3.6**2 * row.c * size


def draft(tool: str, texture: str, speed: float, width: float, depth: float) -> float:
    """Draft D [N] of a tool at a ``speed`` [m/s] of at least 0; see :func:`draft_numbers`."""
    v = checks.number("d497.draft", "speed [m/s]", speed, 0.0)
    d_0, d_1, d_2 = draft_numbers(tool, texture, width, depth)
    return d_0 + d_1 * v + d_2 * v * v
