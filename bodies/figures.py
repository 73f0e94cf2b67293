"""Figures to draw on, with a sentence where there is no screen to draw on."""

from __future__ import annotations

from typing import Any


def subplots(*counts: int, **settings: Any) -> Any:
    """``matplotlib.pyplot.subplots``.

    Raises:
        ImportError: matplotlib's backend wants a window and there is no display.
    """
    import matplotlib.pyplot as plt

    try:
        return plt.subplots(*counts, **settings)
    except ImportError as error:
        raise ImportError(
            f"no window can be opened here ({error}). Set the environment variable MPLBACKEND=Agg "
            "and keep the picture with the figure's savefig('picture.png')."
        ) from None
