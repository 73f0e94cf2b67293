"""From two rasters to the layers of a map, tile by tile."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from contact import checks

from .chance import DIRECTIONS, border, likely
from .limits import CLASSES, NO_DATA, NO_GO, REASONS
from .rasters import Inputs, write_layer
from .slopes import HALO, slope
from .surface import Surface

#: Layers of a map: unit and words of each; the worst of up, down and across where it says so.
LAYERS = {
    "class": ("", "class, the worst of up, down and across: " + ", ".join(
        f"{k} {w}" for k, w in enumerate(CLASSES))),
    "speed": ("m/s", "mean speed up, down and across (harmonic); 0 where one of them is NO-GO"),
    "reason": ("", "what limits the slowest direction: " + ", ".join(
        f"{k} {w}" for k, w in enumerate(REASONS))),
    "chance": ("1", "probability that it starts in the worst of up, down and across"),
}  # fmt: skip


@dataclass(frozen=True)
class Errors:
    """How well strength and slope are known.

    Arguments:
        strength: coefficient of variation [-], at least 0. slope: standard deviation of the tangent [-].

    Raises:
        ValueError: naming the field, its value and the allowed range.
    """

    strength: float = 0.15
    slope: float = 0.03

    def __post_init__(self) -> None:
        checks.within("Errors", "strength", self.strength, 0.0)
        checks.within("Errors", "slope", self.slope, 0.0)


def tile(
    table: Surface, inputs: Inputs, rows: slice, columns: slice, errors: Errors
) -> dict[str, np.ndarray]:
    """The layers of one window: a pure function of the rasters, cell by cell, whatever the window.

    Arguments:
        table: of the vehicle. inputs: rasters. rows, columns: the window. errors: of the inputs.
    """
    strength = inputs.read("soil", rows, columns)
    steep = slope(inputs.read("dem", rows, columns, HALO), inputs.grid.spacing)
    known = np.isfinite(strength) & np.isfinite(steep) & (strength > 0.0)
    ways = [
        table.going(np.where(known, strength, np.nan), ahead * steep, beside * steep)
        for ahead, beside in DIRECTIONS.values()
    ]
    kind = np.max([way.kind for way in ways], axis=0)
    speeds = np.stack([way.speed for way in ways])
    slowest = np.argmin(np.where(known, speeds, 0.0), axis=0)[None]
    with np.errstate(divide="ignore", invalid="ignore"):
        speed = len(ways) / np.sum(1.0 / speeds, axis=0)
    reason = np.take_along_axis(np.stack([way.reason for way in ways]), slowest, 0)[0]
    safe, flat = np.where(known, strength, 1e5), np.where(known, steep, 0.0)
    chances = [
        likely(border(table, name), safe, errors.strength, flat, errors.slope) for name in DIRECTIONS
    ]
    return {
        "class": np.where(known, kind, NO_DATA).astype(np.uint8),
        "speed": np.where(known, np.where(kind == NO_GO, 0.0, speed), np.nan).astype(np.float32),
        "reason": np.where(known, reason, 0).astype(np.uint8),
        "chance": np.where(known, np.min(chances, axis=0), np.nan).astype(np.float32),
    }


def make_map(
    table: Surface,
    inputs: Inputs,
    out: Path,
    errors: Errors | None = None,
    size: int = 256,
    threads: int = 1,
) -> dict[str, float]:
    """Write a GeoTIFF for each of ``LAYERS``; returns what ``summary`` says of them.

    Arguments:
        table: of the vehicle. inputs: rasters. out: folder, made if needed.
        errors: of the inputs; default ``Errors()``.
        size: of a tile [cells], at least 16. threads: at least 1. Neither changes a byte of the layers.

    Raises:
        ValueError: naming the field, its value and the allowed range, or the raster at fault.
    """
    checks.within("make_map", "size", size, 16)
    checks.within("make_map", "threads", threads, 1)
    height, width = inputs.grid.shape
    windows = [
        (slice(r, min(r + size, height)), slice(c, min(c + size, width)))
        for r in range(0, height, size)
        for c in range(0, width, size)
    ]
    whole: dict[str, np.ndarray] = {}

    def work(window: tuple[slice, slice]) -> dict[str, np.ndarray]:
        return tile(table, inputs, *window, errors or Errors())

    with ThreadPoolExecutor(threads) as pool:
        for window, layers in zip(windows, pool.map(work, windows), strict=True):
            for name, layer in layers.items():
                whole.setdefault(name, np.empty((height, width), layer.dtype))[window] = layer
    out.mkdir(parents=True, exist_ok=True)
    for name, (unit, words) in LAYERS.items():
        write_layer(out / f"{name}.tif", whole[name], inputs.grid, unit, words)
    return summary(whole["speed"])


def summary(speed: np.ndarray) -> dict[str, float]:
    """V50 and V80 [m/s] (mean speed over the best half and four fifths), share of NO-GO [-].

    Arguments: speed: [m/s], any shape; nan is no data and not counted, 0 is NO-GO.

    Raises:
        ValueError: no cell has data.
    """
    known = np.sort(speed[np.isfinite(speed)].astype(float))[::-1]
    if known.size == 0:
        raise ValueError("no cell of the map has both strength and slope: do the rasters hold data?")
    best = {f"V{p}": known[: max(1, round(known.size * p / 100))].mean() for p in (50, 80)}
    return {**{k: float(v) for k, v in best.items()}, "NO-GO": float(np.mean(known == 0.0))}
