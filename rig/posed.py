"""Blocks with bodies that can be drawn, also before the compilation."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .block import Block
from .site import Site

# Limits of the contact solve under laws that integrate stresses, whose Newton steps take up to 0.3 ms:
# the longest solve takes some 3 ms, and up to 1 % of the steps miss the tolerance on the law
STRESS_LIMITS = {"max_newton_steps": 6, "max_passes": 12}


def limits_of(mechanism: Any) -> dict[str, int] | None:
    """Limits of the contact solve of a rig's machine; None: no wheel's law integrates stresses."""
    from contact import WongReece

    laws = (getattr(wheel.soil, "ground_law", None) for wheel in mechanism.wheels)
    return STRESS_LIMITS if any(isinstance(law, WongReece) for law in laws) else None


class Posed(Block):
    """Block with a simulation of ``bodies`` in ``sim``; None before ``begin()``.

    A subclass implements ``described()``, the mechanism in its initial pose.
    """

    sim: Any = None
    _sketch: Any = None

    @abstractmethod
    def described(self) -> Any:
        """Mechanism in the pose of its description, at its place on the site."""

    def prepare(self, site: Site, values: Mapping[str, Any] | None) -> None:
        """Set the site and the start values, and discard the simulation of an earlier run."""
        super().prepare(site, values)
        self.sim = self._sketch = None

    @property
    def model(self) -> Any:
        """Compiled model; before ``begin()`` one in the pose of its description, not in equilibrium."""
        if self.sim is not None:
            return self.sim.model
        if self._sketch is None:
            from bodies.building.compile import arrays_of

            self._sketch = arrays_of(self.described())
        return self._sketch

    def state(self) -> dict[str, NDArray[np.float64]]:
        return super().state() | {k: np.array(v) for k, v in self.sim.state().arrays().items()}

    def restore(self, state: Mapping[str, Any]) -> None:
        from bodies.state import State

        super().restore(state)
        self.sim.restore(State.of(self.name, {k: state[k] for k in self.sim.state().arrays()}))

    def begin_compiling(self) -> None:
        """Start the compilation of the model's step in other processes, unless it is cached."""
        from bodies.memory.workspace import begin_compiling

        begin_compiling(self.model)

    def poses(self) -> NDArray[np.float64]:
        """Position [m] and quaternion of every body, (n, 7); before ``begin()`` as ``described()``."""
        if self.sim is not None:
            return self.sim.poses()

        model = self.model
        n = len(model.mechanism.bodies)  # the ground, the last body of the arrays, is left out
        x, q = model.machine.position.reshape(-1, 3), model.machine.quaternion.reshape(-1, 4)
        return np.hstack((x[:n], q[:n]))
