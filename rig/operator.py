"""Operators: commands of a person, constant or from a table over time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .block import Block, parameter
from .catalogue import register
from .errors import RigError


@register
@dataclass
class Steady(Block):
    """Operator of constant speed and steer angle.

    Arguments:
        speed: wanted speed [m/s].
        steering: wanted steer angle [rad], left positive.
        engage: 1: guidance steers, 0: the operator.

    Raises:
        RigError: a number out of its range.
    """

    category: ClassVar[str] = "operator"
    name: ClassVar[str] = "steady"
    about: ClassVar[str] = "one speed and steer angle all the time"
    speed: float = parameter(3.0, "m/s", "wanted speed")
    steering: float = parameter(0.0, "rad", "wanted steer angle", low=-1.5, high=1.5)
    engage: float = parameter(1.0, "", "1: guidance steers", low=0.0, high=1.0)

    def begin(self) -> None:
        """Write the commands, which stay constant."""
        for key, value in zip(
            ("wanted_speed", "steering_wheel", "engage"), self._wanted(0.0), strict=True
        ):
            self.output(key)[0] = value

    def _wanted(self, time: float) -> tuple[float, float, float]:
        return self.speed, self.steering, self.engage

    def advance(self, time: float, h: float) -> None:
        """Do nothing: the commands are constant."""


@register
@dataclass
class Scheduled(Steady):
    """Operator whose commands are a table over time, linear between its rows.

    Arguments:
        speed, steering, engage: commands before the table's first time, as in ``Steady``.
        table: rows (time [s], speed [m/s], steer angle [rad], engage).

    Raises:
        RigError: rows that are not four numbers at increasing times.
    """

    name: ClassVar[str] = "scheduled"
    about: ClassVar[str] = "speed, steer angle and engagement by a table over time"
    table: tuple[tuple[float, float, float, float], ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        rows = np.array(self.table, float).reshape(-1, 4) if len(self.table) else np.zeros((0, 4))
        if not np.isfinite(rows).all() or (np.diff(rows[:, 0]) <= 0.0).any():
            raise RigError(
                f"{self.title}: table must be rows (time, speed, angle, engage) at increasing times"
            )
        self._rows = rows

    def advance(self, time: float, h: float) -> None:
        """Write the commands of the table at ``time`` [s]."""
        if len(self._rows):
            for i in range(3):
                self.y[i] = np.interp(
                    time, self._rows[:, 0], self._rows[:, 1 + i], left=self._wanted(0.0)[i]
                )
