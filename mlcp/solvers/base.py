"""What every solver has in common."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Protocol, runtime_checkable

import numpy as np

from mlcp.problem import MLCP
from mlcp.status import Status


class UnsuitableProblem(ValueError):
    """The solver states what it needs of a problem, and this one does not have it."""


class Answer(NamedTuple):
    """What a solver says; ``solve`` recomputes the verdict from the problem."""

    z: np.ndarray
    status: Status
    iterations: int
    active: np.ndarray | None = None
    extras: Mapping[str, Any] = MappingProxyType({})


class Start(NamedTuple):
    """Where to start: a point and, where known, its active set."""

    z: np.ndarray | None = None
    active: np.ndarray | None = None


@runtime_checkable
class Solver(Protocol):
    """A small frozen dataclass of settings.

    Class attributes: name; exact (finite, to rounding); handles_bilateral (rows without bounds);
    warm_starts; needs (one sentence on A); tolerance (what it reaches when none is asked for).
    """

    name: ClassVar[str]
    exact: ClassVar[bool]
    handles_bilateral: ClassVar[bool]
    warm_starts: ClassVar[bool]
    needs: ClassVar[str]
    tolerance: ClassVar[float]

    def answer(self, problem: MLCP, tol: float, start: Start) -> Answer:
        """Solve the problem to the scaled natural residual ``tol``."""
        ...


def start_point(problem: MLCP, start: Start) -> np.ndarray:
    """A fresh array inside the bounds: the start's point, or zero, clipped."""
    z = np.zeros(problem.n) if start.z is None else np.array(start.z, dtype=np.float64)
    return np.clip(z, problem.lower, problem.upper)


def setting(owner: str, field_name: str, value: float, low: float, high: float) -> None:
    """Raise one sentence unless low < value < high."""
    if not low < value < high:
        raise ValueError(f"{owner}.{field_name} is {value}; it must be between {low} and {high}.")
