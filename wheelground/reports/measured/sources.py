"""Measured rows with predictions, and reader of the tables of published measurements (``data/``)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class MeasuredRows:
    """Measured rows with a common law, wheel and parameters, and the predicted values.

    Arguments:
        source: short name of the publication.
        case: wheel or machine, and the origin of the parameters.
        quantity, unit: name and unit of the values. over: name and unit of the abscissa.
        at, measured, predicted: abscissas, measured and predicted values, shape (n,).
        scatter: standard deviation of repeated measurements, shape (n,), or None.
        parameters: numbers of the law, each with its origin: measured, from a catalogue, or fitted.
        names: texts of the abscissas, if they are not numbers.
    """

    source: str
    case: str
    quantity: str
    unit: str
    over: str
    at: NDArray[np.float64]
    measured: NDArray[np.float64]
    predicted: NDArray[np.float64]
    parameters: str
    scatter: NDArray[np.float64] | None = None
    names: tuple[str, ...] = ()

    @property
    def bias(self) -> float:
        """Mean of predicted minus measured values [unit of the values]."""
        return float(np.mean(self.predicted - self.measured))

    @property
    def rms(self) -> float:
        """Root mean square of predicted minus measured values [unit of the values]."""
        return float(np.sqrt(np.mean((self.predicted - self.measured) ** 2)))

    @property
    def span(self) -> float:
        """Largest minus smallest measured value."""
        return float(np.ptp(self.measured))

    def as_dict(self) -> dict[str, object]:
        """Dictionary of this comparison for the JSON file."""
        words = ("source", "case", "quantity", "unit", "over", "parameters", "bias", "rms")
        arrays = ("at", "measured", "predicted")
        return {name: getattr(self, name) for name in words} | {
            name: getattr(self, name).tolist() for name in arrays
        }


def table(name: str) -> np.ndarray:
    """Read the file ``name`` of ``data/`` as a structured array, one field per column.
    Lines that begin with # have its citation and licence."""
    lines = (DATA / f"{name}.csv").read_text(encoding="utf-8").splitlines()
    plain = [line for line in lines if not line.startswith("#")]
    return np.genfromtxt(plain, delimiter=",", names=True, dtype=None, encoding="utf-8")
