"""Figures drawn without a display, with files written completely or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mlcp.writing import written


def new_figure(width: float, height: float, layout: str | None = "constrained") -> Any:
    """Make an empty figure of a width and height in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout=layout)


def save(figure: Any, path: Path, dpi: float = 130) -> Path:
    """Write a figure as a small PNG, after making the folder of the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with written(path) as place:
        figure.savefig(place, dpi=dpi, pil_kwargs={"optimize": True})
    return path
