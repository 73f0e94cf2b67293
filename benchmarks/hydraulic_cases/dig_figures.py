"""Pictures of the dig cycle: pressures, flows, pump, the path of the tip."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from bodies import Trajectory, compile, equilibrium
from bodies.frames import quaternion_matrices
from wheelground.reports.pictures import new_figure, save

from .backhoe import digging
from .digs import dig

STEP = 1e-3
TIP = (3.71684117, 0.0, -0.50023017)  # position of the bucket's tip in the pose of the description [m]


def tip_path(run: Trajectory) -> np.ndarray:
    """Positions of the bucket's tip, (n, 3) [m]."""
    body = next(b for b in run.model.mechanism.bodies if b.name == "bucket")
    turned = quaternion_matrices(np.array(body.orientation))
    arm = turned.T @ (np.array(TIP) - np.array(body.position))
    return run.position("bucket") + quaternion_matrices(run.quaternion("bucket")) @ arm


def draw(exact: Trajectory, out: Path) -> Path:
    """Draw the cycle at 1 ms beside the reference; returns the file."""
    model = compile(digging())
    run, _, _ = dig(model, equilibrium(model), STEP)
    oil, figure = run.hydraulics, new_figure(8.0, 9.0)
    grid = figure.add_gridspec(4, 2)
    axes: list[Any] = [figure.add_subplot(grid[k, :]) for k in range(3)]
    for name in ("boom", "crowd", "bucket", "swing left"):
        pressure = 1e-6 * oil.pressure(name)
        (line,) = axes[0].plot(run.time, pressure[:, 0], lw=1.0, label=f"{name}, head")
        axes[0].plot(run.time, pressure[:, 1], ":", lw=1.0, color=line.get_color())
        flow = np.gradient(oil.oil(name)[:, 0], run.time)
        axes[1].plot(run.time, 6e4 * flow, lw=1.0, label=name)
    axes[0].plot(run.time, 1e-6 * oil.pump[:, 0], "k--", lw=0.8, label="pump")
    for joint in ("swing", "boom pin", "crowd pin", "bucket pin"):
        error = 1e3 * (run.coordinate(joint) - exact.coordinate(joint))
        axes[2].plot(run.time, error, lw=1.0, label=joint)
    words = ("pressure [MPa]\n(rod sides dotted)", "oil into the head [l/min]", "error at 1 ms [mrad]")
    for axis, label in zip(axes, words, strict=True):
        axis.set_ylabel(label)
        axis.legend(fontsize=7, loc="center left", bbox_to_anchor=(1.0, 0.5))
        axis.grid(alpha=0.3)
    axes[-1].set_xlabel("time [s]")
    axes[0].set_title("dig cycle of the backhoe, one solve at 1 ms")
    path = tip_path(run)
    for k, (x, y, words) in enumerate(((0, 2, "x [m]|z [m]"), (0, 1, "x [m]|y [m]"))):
        axis = figure.add_subplot(grid[3, k])
        axis.plot(path[:, x], path[:, y], lw=1.0)
        axis.plot(*path[0, [x, y]], "o", ms=4)
        axis.set_xlabel(words.split("|")[0])
        axis.set_ylabel(words.split("|")[1])
        axis.set_aspect("equal", adjustable="datalim")
        axis.grid(alpha=0.3)
        axis.set_title("path of the tip" + (", from the side" if k == 0 else ", from above"), fontsize=9)
    file = out / "hydraulics_dig.png"
    return save(figure, file, dpi=110)
