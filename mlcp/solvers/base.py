"""Interface of a solver, its start, answer and settings, and functions common to all solvers."""

from __future__ import annotations

import importlib
import math
import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, NamedTuple, Protocol, runtime_checkable

import numpy as np

from mlcp.delassus import StructuredMLCP
from mlcp.kernels import codes
from mlcp.kinds import Range, above
from mlcp.problem import MLCP
from mlcp.status import Status

#: Status of a solve by the kernel's result code.
STATUS = {
    codes.SOLVED: Status.SOLVED,
    codes.ITERATION_LIMIT: Status.ITERATION_LIMIT,
    codes.INFEASIBLE: Status.INFEASIBLE,
    codes.FAILED: Status.BACKEND_FAILED,
    codes.OUT_OF_TIME: Status.TIME_LIMIT,
    codes.SPARSE: Status.ITERATION_LIMIT,
}


TimeLimit = Annotated[float, Range(0.0, unit="s", open_low=True, finite=False)]
Count = Annotated[int, above(0.0)]


class UnsuitableProblem(ValueError):
    """Problem without a property needed by the solver."""


class Answer(NamedTuple):
    """Answer of a solver; ``solve`` recomputes the residual and so the final status from the problem."""

    z: np.ndarray
    status: Status
    iterations: int
    active: np.ndarray | None = None
    extras: Mapping[str, Any] = MappingProxyType({})


class Start(NamedTuple):
    """Start of a solve: a point and, if known, its active set."""

    z: np.ndarray | None = None
    active: np.ndarray | None = None


class KernelSettings(NamedTuple):
    """Settings of a solver compiled into a step, in the order of ``mlcp.kernels.numbered``."""

    most: float  # largest number of pivots of a stage, of sweeps or of Newton steps
    relaxation: float = 1.0  # factor of projected Gauss-Seidel
    symmetric: bool = False  # True: sweep forward and backward
    time_limit: float = math.inf  # largest time of one solve [s]


@runtime_checkable
class Solver(Protocol):
    """Interface of a solver: a frozen dataclass of its settings.

    Every solver here also has ``time_limit`` [s], the longest wall time of a solve, checked between
    iterations; a solve that exceeds the limit ends with the status TIME_LIMIT.

    A solver with a kernel (``mlcp.kernels.numbered``), which a compiled time step can call, also has
    ``in_a_step``, the KernelSettings for a solver given by its name only, and ``kernel_settings``, the
    KernelSettings made from the object's settings.

    Class attributes: name; exact (True: finitely many steps, exact to rounding); handles_bilateral
    (True: accepts rows without bounds); warm_starts; needs (one sentence on A); tolerance (the default).
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


def package(name: str) -> Any:
    """Import a solver's package; ModuleNotFoundError with the install command if it is missing."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ModuleNotFoundError(
            f"the solver {name!r} needs the package {name}, which is not installed: pip install {name}",
            name=name,
        ) from None


TIME_LIMIT = 60.0  # default time limit of every solver [s]


def deadline(time_limit: float) -> float:
    """Time of ``mlcp.jit.clock`` [s] at which a solve that starts now must end."""
    return time.monotonic() + time_limit


def has_passed(when: float) -> bool:
    """True if the time ``when`` [s] of ``mlcp.jit.clock`` has passed."""
    return time.monotonic() > when


def start_point(problem: MLCP | StructuredMLCP, start: Start) -> np.ndarray:
    """Make the start z (n,) of an iteration: the given point, or zero, clipped to the bounds."""
    z = np.zeros(problem.n) if start.z is None else np.array(start.z, dtype=np.float64)
    return np.clip(z, problem.lower, problem.upper)


def active_set(problem: MLCP | StructuredMLCP, z: np.ndarray) -> np.ndarray:
    """Active set (n,) of z: -1 where z is at its lower bound, +1 at its upper bound, 0 elsewhere."""
    at_lower = (z <= problem.lower).astype(np.int64)
    return np.where(at_lower == 1, -1, (z >= problem.upper).astype(np.int64))
