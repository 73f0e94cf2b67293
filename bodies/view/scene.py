"""A recorded run in viser's scene: the machine, and the force arrows of its wheels."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..running.trajectory import Trajectory
from .forces import COLOURS, arrow_points, wheel_arrows
from .poses import poses_at, record_at
from .stage import Meshes, Stage


class Scene(Stage):
    """Nodes of a recorded run in viser's scene: machine, grounds and force arrows of the wheels.

    Attributes:
        arrows: node of the force arrows; None without wheels.
        scale: length of an arrow over its force [m/N].
        follow: name of the body in the centre; None: no body.
    """

    def __init__(self, server: Any, run: Trajectory) -> None:
        x = run.positions
        super().__init__(server, Meshes.of(run.model, x.min(axis=(0, 1)), x.max(axis=(0, 1))))
        self.run = run
        self.wheels = wheel_arrows(run)
        self.follow: str | None = None
        forces = [w.forces for w in self.wheels]
        largest = max((float(np.percentile(np.abs(f[:, 0]), 90)) for f in forces), default=0.0)
        self.scale = 1.1 / largest if largest > 0.0 else 1e-4
        self.arrows: Any = None
        if self.wheels:
            colours = np.array([*COLOURS] * len(self.wheels), np.uint8)
            self.arrows = self.scene.add_arrows(
                "/world/forces",
                arrow_points(self.wheels, 0, self.scale).astype(np.float32),
                colours,
                shaft_radius=0.017,
                head_radius=0.042,
                head_length=0.09,
            )

    def draw(self, time: float) -> None:
        """Draw the run at a time [s]."""
        x, q = poses_at(self.run, time)
        self.place(x, q)
        moved = np.zeros(3)
        if self.follow is not None:
            k = self.run.model.body_index[self.follow]
            # the scene follows the body horizontally, at the height of the first record
            moved = x[k] - [0.0, 0.0, self.run.positions[0, k, 2]]
        if self.arrows is not None and self.arrows.visible:
            # relative to the followed body, so that the arrows do not lag behind it in a slow browser
            points = arrow_points(self.wheels, record_at(self.run, time), self.scale) - moved
            self.arrows.points, self.arrows.position = points.astype(np.float32), moved
        self.world.position = -moved
