"""Page of a fit: its report, and the residuals of each measured quantity."""

from __future__ import annotations

import io
from collections.abc import Mapping
from html import escape

import numpy as np
from numpy.typing import NDArray

PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{title}</title></head>
<body style="margin: 1rem auto; max-width: 60rem; font-family: sans-serif">
<h1>{title}</h1>
<pre>{report}</pre>
{picture}
</body>
</html>
"""


def page(title: str, report: str, picture: str) -> str:
    """Self-contained HTML page of a report and an SVG picture."""
    return PAGE.format(title=escape(title), report=escape(report), picture=picture)


def residuals(
    errors: NDArray[np.float64], abscissas: Mapping[str, NDArray[np.float64]], over: str
) -> str:
    """Residuals over time or slip, one panel for each quantity, with a band of two standard deviations.

    Arguments:
        errors: predicted minus measured over the noise, (n,). abscissas: n numbers by quantity, in the
            order of the errors. over: label of the abscissas.

    Returns:
        SVG; "" without ``abscissas``.
    """
    if not abscissas:
        return ""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 2.2 * len(abscissas)), layout="constrained")
    axes = figure.subplots(len(abscissas), 1, squeeze=False)[:, 0]
    parts = np.split(errors, np.cumsum([at.size for at in abscissas.values()])[:-1])
    for axis, (name, at), part in zip(axes, abscissas.items(), parts, strict=True):
        axis.axhspan(-2.0, 2.0, color="#1b7fbd", alpha=0.15)
        axis.plot(at, part, ".", color="#333333", markersize=4)
        axis.set_ylabel(f"{name}:\n(predicted - measured)\nover noise [-]", fontsize=8)
        axis.set_xlabel(over, fontsize=8)
        axis.tick_params(labelsize=7)
        axis.grid(True, alpha=0.25)
    drawn = io.StringIO()
    figure.savefig(drawn, format="svg")
    return drawn.getvalue()[drawn.getvalue().index("<svg") :]
