"""A run as one file that plays in any browser without a network, and a pose as a GLB file."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Any

import numpy as np

from .. import checks
from ..trajectory import Trajectory

RATE = 30  # pictures a second


def save_html(
    run: Trajectory, path: str | Path, *, rate: float = RATE, follow: str | None = None
) -> Path:
    """Write a run as one HTML file that plays it offline: turn, zoom, scrub (extra ``view``).

    Arguments:
        run: what :func:`bodies.simulate` returned.
        path: of the file.
        rate: poses a second.
        follow: body that stays in the middle; default the heaviest if it travels, "" for none.

    Returns:
        The path.

    Raises:
        ImportError: viser is missing, with the command that installs it. UnknownName: no such body.
        MechanismError: a rate out of range.
    """
    from .viewer import Viewer

    rate = checks.number("save_html", "rate [1/s]", rate, 0.1, 240.0)
    viewer = Viewer(run, port=0, follow=follow)
    try:
        serializer = viewer.server.get_scene_serializer()
        times = np.arange(run.time[0], run.time[-1] + 0.5 / rate, 1.0 / rate)
        for time in np.minimum(times, run.time[-1]):
            viewer.scene.draw(float(time))
            serializer.insert_sleep(1.0 / rate)
        page = serializer.as_html()
    finally:
        viewer.close()
    Path(path).write_text(page, encoding="utf-8")
    return Path(path)
