"""Common style of the pictures: colours and arrows."""

from __future__ import annotations

from typing import Any

#: Palette of Okabe and Ito, as in all figures that compare schemes.
BLUE, ORANGE, GREEN, RED, PURPLE = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7"
INK, GREY, SOIL, TYRE = "#222222", "#7f7f7f", "#e9dfcf", "#d9dce1"
SCHEMES = {
    "set-valued": GREY,
    "global": BLUE,
    "local": ORANGE,
    "local-current": PURPLE,
    "implicit": GREEN,
}


def dark(colour: str) -> Any:
    """Darken the colour of a line for text next to the line."""
    from matplotlib.colors import to_rgb

    return tuple(0.68 * part for part in to_rgb(colour))


def arrow(axes: Any, tail: Any, head: Any, colour: str, width: float = 2.0, **more: Any) -> None:
    """Draw an arrow from tail to head, in the units of the axes."""
    axes.annotate(
        "", xy=tuple(head), xytext=tuple(tail),
        arrowprops={
            "arrowstyle": "-|>,head_width=0.28,head_length=0.55", "color": colour, "linewidth": width,
            "shrinkA": 0.0, "shrinkB": 0.0, "mutation_scale": 11.0, **more,
        },
    )  # fmt: skip


def plain(axes: Any) -> None:
    """Give a diagram a grid, and remove the upper and the right line of its frame."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(alpha=0.25)
