"""Self-contained HTML page of a map: layers, and numbers and curves at a chosen place."""

from __future__ import annotations

import base64
import html
import io
import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from mlcp.warned import SentenceWarning
from mlcp.writing import written

from ..performance.borders import DIRECTIONS, border, mean_speed
from ..performance.chance import likely
from ..performance.surface import Surface
from .geotiff import ROWS
from .layers import LAYERS, Layer
from .rasters import Grid, opened
from .store import write_file
from .tiles import strips

LARGEST = 5_000_000  # largest size of a page [bytes]
SIDES = (1000, 700, 500, 350)  # cells along a side of a picture, tried until the page is small
PICTURED = 600  # cells along a side of the pictures in the PNG
SLOPES, STRENGTHS = 61, 81  # nodes of the curves' tables


@dataclass(frozen=True)
class PageLayer:
    """Layer on the page: legend, and values as codes or as steps of the colour scale (0: no data)."""

    name: str
    layer: Layer
    values: np.ndarray
    low: float = 0.0
    high: float = 1.0
    log: bool = False

    def as_data(self) -> dict[str, Any]:
        """Data of this layer for the page's script, with the values as a grey PNG."""
        from PIL import Image

        packed = io.BytesIO()
        Image.fromarray(self.values).save(packed, "PNG")
        layer = self.layer
        return {
            "name": self.name,
            "words": layer.words,
            "unit": layer.unit if layer.unit not in ("1", "-") else "",
            "codes": list(layer.codes) or None,
            "colours": list(layer.colours),
            "low": self.low,
            "high": self.high,
            "log": self.log,
            "png": base64.b64encode(packed.getvalue()).decode(),
        }


def picture(name: str, layer: Layer, values: np.ndarray) -> PageLayer:
    """Layer with codes, or with quantities in 255 equal steps, for the page.

    The steps begin at 0, of a signed layer at minus the largest absolute value. Strengths have equal
    steps of the logarithm from their least value on.
    """
    if layer.codes:
        return PageLayer(name, layer, values.astype(np.uint8))
    known = np.isfinite(values)
    log = layer.unit == "Pa"
    low = float(values[known].min()) if log and known.any() else 0.0
    if layer.signed:
        low = -float(np.abs(values[known]).max(initial=1e-9))
    high = 1.0 if layer.unit == "1" else float(values[known].max(initial=max(low, 1e-9)))
    high = -low if layer.signed else max(high, low + 1e-9)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.log(values / low) / np.log(high / low) if log else (values - low) / (high - low)
    steps = 1 + np.clip(np.round(254 * np.nan_to_num(share)), 0, 254)
    return PageLayer(name, layer, np.where(known, steps, 0).astype(np.uint8), low, high, log)


def sampled_layer(path: Path, every: int) -> np.ndarray:
    """Cells of a GeoTIFF at a stride of ``every``, read row by row."""
    with opened(path) as file:
        parts = [
            file.read(1, window=((rows.start, rows.stop), (0, file.width)))[
                -rows.start % every :: every, ::every
            ].copy()  # a view would retain the whole rows in memory
            for rows in strips(file.height, ROWS)
        ]
    return np.concatenate(parts)


def curves(table: Surface, variation: float, error: float) -> dict[str, Any]:
    """Tables for the curves of the page: speed and probability over slope and strength.

    Arguments: variation, error: uncertainty of strength and slope, see ``Errors``.
    """
    low, high = table.strengths
    slopes = np.linspace(0.0, table.steepest, SLOPES)[:, None]
    strengths = np.geomspace(low, high, STRENGTHS)[None]
    speed = [table.going(strengths, a * slopes, c * slopes).speed for a, c in DIRECTIONS.values()]
    chance = likely(border(table), strengths, variation, slopes, error)
    return {
        "steepest": float(slopes[-1, 0]),
        "slopes": SLOPES,
        "weakest": low,
        "strongest": high,
        "strengths": STRENGTHS,
        "speed": np.round(speed, 2).tolist(),
        "mean": np.round(mean_speed(table, strengths, slopes), 2).tolist(),
        "chance": np.round(chance, 3).tolist(),
        "top": 4.0 * float(np.ceil(0.25 * np.max(speed))),
    }


def write_page(
    path: Path,
    title: str,
    layers: Mapping[str, tuple[Layer, Path]],
    grid: Grid,
    summary: Sequence[Sequence[str]],
    shapes: Mapping[str, Any] | None = None,
    notes: str = "",
    lines: Sequence[Mapping[str, Any]] = (),
) -> Path:
    """Write a page; a large map is shown by a sample of its cells, to remain below 5 MB if possible.

    Warns (``SentenceWarning``) of a larger page.

    Arguments:
        path: file. title: heading.
        layers: description and GeoTIFF by name; the first is shown at the start. grid: grid of the map.
        summary: rows of a table. shapes: result of ``curves``. notes: text below the map.
        lines: lines on the map: "name", "colour", "places" (n, 2) east and north [m].
    """
    frame = resources.files("mobility.mapping").joinpath("page.html").read_text(encoding="utf-8")
    rows = "".join(
        "<tr>"
        + "".join(
            f"<{'td' if k else 'th'}>{html.escape(c)}</{'td' if k else 'th'}>" for k, c in enumerate(row)
        )
        + "</tr>"
        for row in summary
    )
    for side in SIDES:
        every = -(-max(grid.shape) // side)
        pictures = [
            picture(name, layer, sampled_layer(file, every)) for name, (layer, file) in layers.items()
        ]
        height, width = pictures[0].values.shape
        data = {
            "width": width,
            "height": height,
            "dx": grid.spacing[0] * every,
            "dy": grid.spacing[1] * every,
            "left": grid.transform[2],
            "top": grid.transform[5],
            "layers": [one.as_data() for one in pictures],
            "curves": shapes,
            "lines": [dict(line, places=np.round(line["places"], 1).tolist()) for line in lines],
        }
        shows = "" if every == 1 else f"Shown is one cell in {every} x {every}. "
        cells = f"{grid.shape[1]} x {grid.shape[0]} cells of {grid.spacing[0]:g} m, {grid.crs}. "
        parts = {
            "TITLE": html.escape(title),
            "SUMMARY": rows,
            "NOTE": html.escape(shows + cells + notes),
            "DATA": json.dumps(data, separators=(",", ":")).replace("</", "<\\/"),
        }
        page = frame
        for name, text in parts.items():
            page = page.replace(f"@@{name}@@", text)
        if len(page.encode()) < LARGEST:
            break
    else:
        warnings.warn(
            f"{path} has {len(page.encode()) / 1e6:.3g} MB, more than {LARGEST / 1e6:g} MB, though it "
            f"shows one cell in {every} x {every}: its {len(lines)} routes are long, or its layers many",
            SentenceWarning,
            stacklevel=2,
        )
    write_file(path, page.encode())
    return path


def map_layers(folder: Path) -> dict[str, tuple[Layer, Path]]:
    """Description and GeoTIFF of all layers in a map's folder, by name."""
    return {name: (layer, folder / f"{name}.tif") for name, layer in LAYERS.items()}


def write_picture(path: Path, title: str, layers: Mapping[str, tuple[Layer, Path]], grid: Grid) -> Path:
    """Write layers side by side, with legends, as a PNG."""
    from matplotlib.colors import LinearSegmentedColormap, ListedColormap
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    every = -(-max(grid.shape) // PICTURED)
    columns = 2 if len(layers) > 1 else 1
    rows = -(-len(layers) // columns)
    figure = Figure(figsize=(6.2 * columns, 4.8 * rows), layout="constrained")
    figure.suptitle(title)
    axes = np.atleast_1d(figure.subplots(rows, columns, squeeze=False)).ravel()
    left, top = grid.transform[2] / 1e3, grid.transform[5] / 1e3
    extent = (
        left,
        left + grid.shape[1] * grid.spacing[0] / 1e3,
        top - grid.shape[0] * grid.spacing[1] / 1e3,
        top,
    )
    for axis, (name, (layer, file)) in zip(axes, layers.items(), strict=False):
        values = sampled_layer(file, every).astype(float)
        if layer.codes:
            there = np.unique(values[values > 0]).astype(int)
            last = len(layer.codes) - 0.5
            axis.imshow(
                np.where(values > 0, values, np.nan),
                extent=extent,
                interpolation="nearest",
                cmap=ListedColormap(layer.colours),
                vmin=-0.5,
                vmax=last,
            )
            axis.legend(
                handles=[Patch(color=layer.colours[k], label=layer.codes[k]) for k in there],
                loc="upper left",
                bbox_to_anchor=(1.0, 1.0),
                fontsize=8,
                frameon=False,
            )
        else:
            most = float(np.nanmax(values, initial=0.0))
            span = (-most, most) if layer.signed else (0.0, 1.0 if layer.unit == "1" else most)
            ramp = LinearSegmentedColormap.from_list(name, layer.colours)
            drawn = axis.imshow(
                values, extent=extent, interpolation="nearest", cmap=ramp, vmin=span[0], vmax=span[1]
            )
            unit = "-" if layer.unit == "1" else layer.unit
            figure.colorbar(drawn, ax=axis, shrink=0.8, label=f"[{unit}]")
        axis.set_title(layer.words, fontsize=9)
        axis.set(xlabel="east [km]", ylabel="north [km]")
        axis.ticklabel_format(useOffset=False, style="plain")
        axis.locator_params(nbins=5)  # few, since labels such as "400.25" are wide
    for axis in axes[len(layers) :]:
        axis.set_visible(False)
    with written(path) as place:
        figure.savefig(place, dpi=110, format="png")
    return path
