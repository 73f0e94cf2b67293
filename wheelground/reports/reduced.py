"""Complementarity problem of the last step in its contact rows alone, for analysis or another solver."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import bodies
from mlcp import MLCP


def problem_of(sim: bodies.Simulation) -> tuple[MLCP, NDArray[np.float64]]:
    """Copies of the problem of wheels on soil, without bodies and joints, and of its solution z [N s].

    It is the problem of the last step's last solve.
    """
    work = sim.work
    ground = work.ground(sim.solver)
    B = work.machine.channels.B
    return ground.problem(B, work.machine.channels.free), work.machine.contact.rows.z.copy()
