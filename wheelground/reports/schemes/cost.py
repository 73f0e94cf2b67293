"""Expected time of a run, for the progress bar and for leaving out runs that take too long.

The times were measured once and rounded up. They are constants, so that every machine runs the same
matrix.
"""

from __future__ import annotations

from typing import Any

from contact import Regularisation
from mlcp import SOLVERS

#: Time of a step [us] by solver: for the quarter vehicle, and for the vehicle with four wheels.
STEP_US = {
    "direct": (6.0, 100.0),
    "pgs": (6.0, 15000.0),
    "newton": (6.0, 160.0),
    "osqp": (200.0, 2500.0),
    "cvxpy": (25000.0, 60000.0),
}
FROM_PYTHON_US = (350.0, 1500.0)  # time of a step with a user's scheme, quarter and whole vehicle [us]
DEAR_LAWS = {"wong-reece": (300.0, 2500.0)}  # additional time of a step, quarter and whole vehicle [us]


def is_own(scheme: Any) -> bool:
    """Whether a scheme is a user's function."""
    return isinstance(scheme, Regularisation) and (scheme.line or scheme.compiled) is not None


def from_python(scheme: Any, solver: str) -> bool:
    """Whether Python code repeats the contact solve of each step, as a user's scheme needs."""
    by_python = isinstance(scheme, Regularisation) and scheme.line is not None
    return by_python or SOLVERS.number(solver) is None


def step_us(law: str, scheme: Any, solver: str, whole: bool) -> float:
    """Expected time of a step [us]; ``whole``: True for the whole vehicle, False for the quarter."""
    cost = STEP_US[solver][whole]
    if SOLVERS.number(solver) is not None and from_python(scheme, solver):
        cost = FROM_PYTHON_US[whole]
    return cost + DEAR_LAWS.get(law, (0.0, 0.0))[whole]
