"""Air spring: a bellows, given by its load and volume at ride height."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from ...checks import checked
from ...kinds import Positive, Range


@dataclass(frozen=True, kw_only=True)
@checked
class AirSpring:
    """Force f [N] of polytropic gas behind a piston of constant area A [m^2].

        f(x) = A ((p + p_a) (V / (V - A x))^n - p_a) >= 0,    A = load / p

    x [m] is the compression from the pose of the description, which the vehicle's file gives. At
    x = 0 the force is ``load`` and the stiffness n A^2 (p + p_a) / V. The force of ``table`` is linear
    beyond x = 0.85 V / A, where its stiffness is so large that no bump stop is needed.

    Arguments:
        load: force in the pose of the description [N].
        volume: volume V of bellows and tank in the pose of the description [m^3].
        pressure: gauge pressure p in the pose of the description, above the ambient p_a [Pa].
        exponent: exponent n of the gas law, (p + p_a) V^n constant [-]: 1 for slow, 1.4 for fast motion.

    Raises:
        MechanismError: naming the field, its value and the allowed range.
    """

    load: Annotated[float, Range(0.0, 1e7, open_low=True)]
    volume: Annotated[float, Range(0.0, 10.0, open_low=True)]
    pressure: Positive = 5e5
    exponent: Annotated[float, Range(1.0, 1.7)] = 1.38

    ambient: ClassVar[float] = 101_325.0  # [Pa] ambient pressure p_a
    who: ClassVar[str] = "air spring"

    @property
    def table(self) -> tuple[tuple[float, float], ...]:
        """Pairs (elongation from the pose of the description [m], tension [N])."""
        area = self.load / self.pressure
        height = self.volume / area
        pressed = np.concatenate([np.linspace(0.85, 0.0, 40), -np.geomspace(0.02, 3.0, 40)])
        gas = (self.pressure + self.ambient) * (1.0 - pressed) ** -self.exponent
        force = area * np.maximum(gas - self.ambient, 0.0)
        return tuple((float(-height * x), float(-f)) for x, f in zip(pressed, force, strict=True))
