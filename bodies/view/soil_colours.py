"""Colours of the soils of a ground by place, and their legend."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable
from html import escape
from typing import Any

import numpy as np

from contact import SOILS, ConeIndexSoil
from contact.terrain import SoilMap

from .shapes import Colour

#: Colours of cone indices, equally spaced in their logarithms, from the softest soil to the firmest.
SOFT_TO_FIRM = np.array([(138, 100, 70), (188, 150, 104), (238, 222, 186)])
#: Colours of ground laws and of soils without a cone index.
OTHERS: tuple[Colour, ...] = (
    (148, 150, 156), (206, 176, 104), (128, 140, 98), (176, 112, 90), (104, 118, 142),
)  # fmt: skip
STEPS = 9  # number of colours of a raster of cone indices
ENTRIES = 5  # largest number of cone indices in the legend

Legend = list[tuple[str, Colour]]


class SoilColours:
    """Colours of a soil map, one for each cone index, each ground law and each other soil.

    Attributes:
        legend: pairs (text, colour).
    """

    def __init__(self, soil_map: SoilMap) -> None:
        self._map = dataclasses.replace(soil_map, blend=1e-12)  # sharp borders between soils
        soils = [soil_map.ground, *(patch.soil or soil_map.ground for patch in soil_map.patches)]
        laws = ["", *(patch.law or "" for patch in soil_map.patches)]
        words = [_words(soil, law) for soil, law in zip(soils, laws, strict=True)]
        indices = [
            np.nan if law else getattr(soil, "cone_index", np.nan)
            for soil, law in zip(soils, laws, strict=True)
        ]
        drawn = np.array([*indices, *soil_map.cone_indices])[int(soil_map.covered) :]
        drawn = np.unique(drawn[np.isfinite(drawn)])
        self._low, self._high = (drawn[0], drawn[-1]) if len(drawn) else (1.0, 1.0)
        others = dict.fromkeys(w for w, c in zip(words, indices, strict=True) if np.isnan(c))
        other = dict(zip(others, itertools.cycle(OTHERS), strict=False))
        self._colours = np.array(
            [
                *(other.get(w) or self._colour(c) for w, c in zip(words, indices, strict=True)),
                *(self._colour(c) for c in soil_map.cone_indices),
            ]
        )
        if len(drawn) > ENTRIES:
            drawn = np.geomspace(self._low, self._high, ENTRIES)
        self.legend: Legend = [(_words(ConeIndexSoil(c), ""), self._colour(c)) for c in drawn.tolist()]
        self.legend += other.items()

    def _colour(self, cone_index: float) -> Colour:
        """Colour of a cone index [Pa], one of ``STEPS`` colours."""
        span = np.log(self._high / self._low)
        share = np.log(max(cone_index, self._low) / self._low) / span if span > 0.0 else 0.5
        step = np.round(min(share, 1.0) * (STEPS - 1)) / (STEPS - 1)
        at = np.linspace(0.0, 1.0, len(SOFT_TO_FIRM))
        r, g, b = (round(float(np.interp(step, at, line))) for line in SOFT_TO_FIRM.T)
        return r, g, b

    def at(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Colours (n, 3) at the points with the coordinates x and y, (n,) [m]."""
        return self._colours[np.maximum(self._map.number_at(x, y), 0)]


def legend_of(surfaces: Iterable[Any]) -> Legend:
    """Legend of all grounds with a soil map; empty without one."""
    maps = [m for m in (getattr(surface, "soil_map", None) for surface in surfaces) if m is not None]
    return list(dict.fromkeys(entry for m in maps for entry in SoilColours(m).legend))


def as_html(legend: Legend) -> str:
    """Legend as lines of HTML."""
    return "".join(
        "<div style='font: 13px sans-serif; color: #283238; white-space: nowrap'><span style='display: "
        "inline-block; width: 1em; height: 1em; margin-right: 0.5em; vertical-align: -0.15em; border: "
        f"1px solid #283238; background: rgb{colour}'></span>{escape(words)}</div>"
        for words, colour in legend
    )


def _words(soil: Any, law: Any) -> str:
    """Entry of the legend: ground law, cone index, or the soil's name in ``contact.SOILS``."""
    if law:
        return f"law {law if isinstance(law, str) else law.name}"
    if isinstance(soil, ConeIndexSoil):
        c = soil.cone_index
        return f"cone index {1e-6 * c:.3g} MPa" if c > 999.5e3 else f"cone index {1e-3 * c:.3g} kPa"
    named = (name for name, known in SOILS.items() if known.bekker == soil)
    return next(named, f"soil with n = {getattr(soil, 'n', np.nan):.3g}")
