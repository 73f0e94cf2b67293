"""Deadline, checked between iterations, so it is exceeded by one iteration at most."""

import math

from mlcp.jit import clock, kernel


@kernel
def deadline_passed(deadline):
    """True if ``clock`` [s] has passed the deadline; without reading the clock for an infinite one."""
    if deadline == math.inf:
        return False
    return clock() > deadline
