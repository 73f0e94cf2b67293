"""Layers of a map: quantity, unit, codes, colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..performance.limits import GO_CLASSES, REASONS
from ..performance.odds import QUANTILES

VALIDITY = (
    "no data",
    "within the law's measurements",
    "beyond the law's measured slips",
    "beyond the table",
)


@dataclass(frozen=True)
class Layer:
    """Description of one layer.

    Attributes:
        unit: unit, such as "m/s". words: description.
        codes: meanings of the codes 0, 1, ...; empty: the layer has a quantity instead.
        colours: hexadecimal colours, of the codes or of equal steps over the range of the quantity.
        signed: True: colours are symmetric about 0.
    """

    unit: str
    words: str
    codes: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()
    signed: bool = False

    @property
    def kind(self) -> Any:
        """Data type: unsigned bytes for codes (0: no data), else float32 (nan: no data)."""
        return np.uint8 if self.codes else np.float32

    @property
    def legend(self) -> str:
        """Description followed by the meanings of the codes."""
        codes = ", ".join(f"{k} {word}" for k, word in enumerate(self.codes))
        return f"{self.words}: {codes}" if codes else self.words


_SLOW_TO_FAST = ("#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725")  # viridis
_DARK = ("#f7fbff", "#6baed6", "#08306b")
_UNSURE = ("#7b3294", "#c2a5cf", "#f7f7f7", "#a6dba0", "#008837")
#: All layers of a map by name.
LAYERS = {
    "class": Layer("", "worst class of up, down and across", GO_CLASSES,
                   ("#ffffff", "#4d9221", "#e6ab02", "#c51b3a")),
    "reason": Layer("", "what limits the slowest of up, down and across", REASONS,
                    ("#ffffff", "#a6611a", "#80cdc1", "#d01c8b", "#2c7bb6", "#bababa", "#4d4d4d")),
    "validity": Layer("", "validity of the ground law in the cell", VALIDITY,
                      ("#ffffff", "#92c5de", "#f4a582", "#ca0020")),
    "speed": Layer("m/s", "mean speed up, down and across (harmonic); 0: one of them is NO-GO",
                   (), _SLOW_TO_FAST),
    "chance": Layer("1", "probability that it starts up, down and across", (), _UNSURE),
} | {
    f"speed_p{round(100 * p)}": Layer(
        "m/s", f"mean speed that is not reached with probability {p:g}", (), _SLOW_TO_FAST)
    for p in QUANTILES
} | {
    "strength": Layer("Pa", "strength of the ground that was used", (), _DARK),
    "slope": Layer("-", "tangent of the steepest slope", (), _DARK),
}  # fmt: skip
CODES = [name for name, layer in LAYERS.items() if layer.codes]  # layers of codes, in the kernel's order
NUMBERS = [name for name in LAYERS if name not in (*CODES, "strength", "slope")]
