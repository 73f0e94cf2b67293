"""Strength of a soil from its class and moisture."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from contact.trafficability import PSI
from mlcp.kinds import checked

from .index import USCS

SOURCE = (
    "Sullivan, Bullock and Renfroe (1997), Soil Moisture Strength Prediction Model II, as printed in "
    "Frankenstein and Koenig (2004), ERDC/CRREL SR-04-1, table 5.2.1"
)
#: (c1, c2) of log RCI[psi] = c1 - c2 log w by class, w: moisture in percent of the dry weight; from
#: ``SOURCE``, where gravels and peat have no values. For clean sands c2 is printed without sign; it is
#: negative, since their strength increases with the moisture.
RATING = {
    "SW": (3.987, -0.815),
    "SP": (3.987, -0.815),
    "SM": (12.542, 2.955),
    "SC": (12.542, 2.955),
    "ML": (11.936, 2.407),
    "CL": (15.506, 3.530),
    "OL": (17.399, 3.584),
    "CH": (13.686, 2.705),
    "MH": (23.641, 5.191),
    "OH": (12.189, 1.942),
}
#: Codes of the soil classes in rasters; 0 and all others: unknown.
SOIL_CODES = {symbol: number for number, symbol in enumerate(USCS, 1)}


@checked
def strength_of_class(symbol: Any, moisture: ArrayLike) -> np.ndarray:
    """Rating cone index [Pa] of soil classes at a moisture; nan for classes without coefficients.

        log RCI[psi] = c1 - c2 log w     (natural logarithms; c1, c2: ``RATING``)

    Arguments:
        symbol: symbols of ``USCS``, or codes of ``SOIL_CODES``; any shape; unknown ones give nan.
        moisture: w, percent of the dry weight, broadcast; nan unless above 0.

    Source: Sullivan, Bullock and Renfroe (1997), as printed in Frankenstein and Koenig (2004),
    ERDC/CRREL SR-04-1, table 5.2.1.
    """
    symbol, moisture = np.broadcast_arrays(np.asarray(symbol), np.asarray(moisture, float))
    found = np.full(moisture.shape, np.nan)
    named = symbol.dtype.kind in "US"
    for name, (first, second) in RATING.items():
        mine = (symbol == (name if named else SOIL_CODES[name])) & (moisture > 0.0)
        found[mine] = np.exp(first - second * np.log(moisture[mine])) * PSI
    return found
