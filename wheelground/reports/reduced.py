"""Complementarity problem of a step's contact rows alone, for analysis or another solver."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import bodies
from mlcp import MLCP


def problem_of(sim: bodies.Simulation) -> tuple[MLCP, NDArray[np.float64]]:
    """Copy the contact problem of the last step's last solve, and the solution z [N s] of this problem.

    Bodies and joints are eliminated from the problem.
    """
    work = sim.work
    ground = work.ground(sim.solver)
    B = work.machine.channels.B
    return ground.problem(B, work.machine.channels.free), work.machine.contact.rows.z.copy()
