"""Tile of a map, computed from the job (all data that determine a map) with equal bytes everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..kernels.tables import Odds, SurfaceArrays
from .layers import CODES, LAYERS, NUMBERS
from .rasters import Inputs
from .slopes import HALO, slope


@dataclass(frozen=True)
class Job:
    """All data that determine a map.

    Attributes:
        table, odds: tables of the vehicle. inputs: rasters. size: side of a tile [cells].
    """

    table: SurfaceArrays
    odds: Odds
    inputs: Inputs
    size: int

    @property
    def tiles(self) -> list[tuple[int, int]]:
        """(row, column) of every tile, row by row."""
        rows, columns = (-(-n // self.size) for n in self.inputs.grid.shape)
        return [(r, c) for r in range(rows) for c in range(columns)]

    def window(self, row: int, column: int) -> tuple[slice, slice]:
        """Slices of the rows and columns of a tile."""
        height, width = self.inputs.grid.shape
        top, left = row * self.size, column * self.size
        return slice(top, min(top + self.size, height)), slice(left, min(left + self.size, width))

    def cells(self, place: tuple[int, int]) -> int:
        """Number of cells of a tile."""
        rows, columns = self.window(*place)
        return (rows.stop - rows.start) * (columns.stop - columns.start)


def tile(job: Job, row: int, column: int) -> dict[str, np.ndarray]:
    """Compute the layers of a tile, cell by cell; a cell's bytes are independent of its tile."""
    from ..kernels.entry import cells_over

    rows, columns = job.window(row, column)
    strength = job.inputs.strength(rows, columns)
    steep = slope(job.inputs.elevation(rows, columns, HALO), job.inputs.grid.spacing)
    limit = job.inputs.limit(rows, columns)
    codes = np.empty((len(CODES), strength.size), np.uint8)
    values = np.empty((len(NUMBERS), strength.size), np.float32)
    cells_over(
        job.table, job.odds, strength.ravel(), np.ascontiguousarray(steep).ravel(), limit.ravel(),
        codes, values,
    )  # fmt: skip
    found = [*codes, *values, strength.astype(np.float32), steep.astype(np.float32)]
    return {
        name: np.ascontiguousarray(part).reshape(strength.shape)
        for name, part in zip(LAYERS, found, strict=True)
    }


def strips(height: int, rows: int) -> Iterator[slice]:
    """Slices of at most ``rows`` rows each that cover ``height`` rows."""
    for top in range(0, height, rows):
        yield slice(top, min(top + rows, height))
