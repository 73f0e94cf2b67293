"""Look: description of a body's shape in pictures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import checks
from .checks import checked
from .kinds import Fraction, Name

Corner = tuple[float, float, float]


@dataclass(frozen=True, kw_only=True)
@checked
class Look:
    """Convex plate that represents a body in pictures instead of a guessed shape; no effect on the
    motion.

    Arguments:
        name: unique name.
        body: name of the body, or "ground", such as for a post.
        outline: corners in the plane of x and z [m], world axes, pose of the description.
        span: both ends of the plate along y [m].
        mirrored: whether there is a second plate, mirrored in the plane y = 0.
        colour: red, green and blue, 0 to 255.
        opacity: 0 to 1.
        hulls: corners of each plate [m], world axes, pose of the description; default: from
            outline, span and mirrored, which are then reset to their defaults.

    Raises:
        MechanismError: a field out of its range, or the corners of a plate in one plane or line.
    """

    name: Name
    body: Name
    outline: tuple[tuple[float, float], ...] = ()
    span: tuple[float, ...] = (0.0, 0.0)
    mirrored: bool = False
    colour: tuple[float, ...] = (228.0, 168.0, 44.0)
    opacity: Fraction = 1.0
    hulls: tuple[tuple[Corner, ...], ...] = ()

    def __post_init__(self) -> None:
        who = f"look {self.name!r}"
        colour = checks.vector(who, "colour", self.colour)
        tones = tuple(checks.number(who, f"colour[{k}]", c, 0.0, 255.0) for k, c in enumerate(colour))
        object.__setattr__(self, "colour", tones)
        if not self.hulls:
            ends = checks.vector(who, "span [m]", self.span, 2)
            if len(self.outline) < 3 or ends[0] == ends[1]:
                raise checks.MechanismError(
                    f"{who}: it needs an outline of three corners or more and a span [m] of two ends."
                )
            sides = (1.0, -1.0) if self.mirrored else (1.0,)
            hulls = tuple(tuple((x, s * y, z) for x, z in self.outline for y in ends) for s in sides)
            object.__setattr__(self, "hulls", hulls)
        for hull in self.hulls:
            spread = np.linalg.svd(np.subtract(hull, np.mean(hull, axis=0)), compute_uv=False)
            if len(hull) < 4 or spread[2] < 1e-6 * spread[0]:
                raise checks.MechanismError(f"{who}: the corners of a plate lie in one plane or line.")
        object.__setattr__(self, "outline", ())
        object.__setattr__(self, "span", (0.0, 0.0))
        object.__setattr__(self, "mirrored", False)
