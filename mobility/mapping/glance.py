"""Quick check of the rasters before the computation: quantity, unit, range."""

from __future__ import annotations

import functools
import logging
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..soils import SOIL_CODES
from .rasters import PASCALS, Inputs, strange
from .tiles import strips

log: logging.Logger = logging.getLogger("mobility")

SIDE, PLACES = 256, 4  # side of a window [cells]; number of windows along a side of the raster
DRY = 1.0  # largest value of a moisture that is taken as a fraction instead of percent


def glance(inputs: Inputs) -> None:
    """Check some windows of every raster, or the whole raster if its windows have no data.

    Raises:
        ValueError: a raster without data, of another unit, with soil classes instead of a cone index or
            vice versa, or with moisture as a fraction. One sentence.
    """
    for path in (inputs.soil, inputs.dem, inputs.moisture):
        if path is None:
            continue
        values = np.concatenate([*_windows(inputs, path, _some(inputs))])
        if path == inputs.soil and inputs.classes is not None:
            codes = np.unique(values[np.isfinite(values)])
            lacking = codes[~np.isin(codes, list(inputs.own))]
            if 0 < lacking.size < codes.size:
                _warn_of_unlisted(path, inputs.classes, tuple(lacking.tolist()))
        fault = _fault(inputs, path, values)
        if fault is not None:
            whole = [_fault(inputs, path, part) for part in _windows(inputs, path, _all(inputs))]
            if None not in whole:
                raise ValueError(fault)


@functools.cache  # log only one warning for the same raster and CSV
def _warn_of_unlisted(soil: Path, classes: Path, codes: tuple[float, ...]) -> None:
    """Log a warning with the classes of the soil raster that have no row in the user's CSV."""
    found = ", ".join(f"{code:g}" for code in codes[:8])
    log.warning("%s has classes without a row in %s, unknown there: %s", soil, classes, found)


def _fault(inputs: Inputs, path: Path, values: np.ndarray) -> str | None:
    """Sentence on a fault in the values of a raster; None: no fault."""
    known = values[np.isfinite(values)]
    if not known.size:
        return f"{path} holds no data: every cell is unknown"
    most = float(known.max())
    if path == inputs.moisture and most <= DRY:
        return f"{path}: a largest moisture of {most:.3g} % of the dry weight is rather a fraction"
    if path != inputs.soil:
        return None
    if inputs.own:
        if np.isin(known, list(inputs.own)).any():
            return None
        return f"{path} holds none of the classes of {inputs.classes}: {', '.join(map(str, inputs.own))}"
    if inputs.moisture is not None:
        if np.isin(known, list(SOIL_CODES.values())).any():
            return None
        return f"{path} holds no soil class (numbers 1 to {len(SOIL_CODES)}), which --moisture asks for"
    if most <= 0.0:
        return f"{path} holds no cone index above 0"
    if most <= len(SOIL_CODES) and (known == np.round(known)).all():
        return (
            f"{path} holds whole numbers up to {most:g}: soil classes need a raster of moisture, or "
            "--classes"
        )
    return strange(path, inputs.unit, most * PASCALS[inputs.unit])


def _windows(inputs: Inputs, path: Path, places: Iterator[tuple[slice, slice]]) -> Iterator[np.ndarray]:
    """Values of a raster's windows, one after the other."""
    for rows, columns in places:
        yield inputs.read(path, rows, columns).ravel()


def _some(inputs: Inputs) -> Iterator[tuple[slice, slice]]:
    """Evenly spaced windows of the raster, as slices of rows and columns."""
    height, width = inputs.grid.shape
    for top in np.unique(np.linspace(0, max(height - SIDE, 0), PLACES).astype(int)):
        for left in np.unique(np.linspace(0, max(width - SIDE, 0), PLACES).astype(int)):
            yield slice(top, min(top + SIDE, height)), slice(left, min(left + SIDE, width))


def _all(inputs: Inputs) -> Iterator[tuple[slice, slice]]:
    """Windows of the whole raster, in strips of rows."""
    height, width = inputs.grid.shape
    for rows in strips(height, SIDE):
        yield rows, slice(0, width)
