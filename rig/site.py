"""Site of a rig: planned path, ground, seed and tick, shared by all its blocks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .errors import checked
from .path import Path, straight


@dataclass(frozen=True)
@checked
class Site:
    """Surroundings of a rig: path, ground, random seed, tick.

    Arguments:
        path: planned path, for guidance.
        terrain: ground with a ``height(x, y)`` [m], as in ``contact.terrain``; None: level.
        seed: seed of all random noise.
        tick: time between two exchanges of signals [s].

    Raises:
        RigError: an argument of another kind or out of its range.
    """

    path: Path = field(default_factory=lambda: straight(1000.0))
    terrain: Any = None
    seed: int = 0
    tick: float = 0.01
