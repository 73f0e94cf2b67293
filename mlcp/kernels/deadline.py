"""Check of a deadline between iterations: a solve exceeds its deadline by one iteration at most."""

import math

from mlcp.jit import clock, kernel


@kernel
def deadline_passed(deadline):
    """True if ``clock()`` [s] is past the deadline; False for inf, without reading the clock."""
    if deadline == math.inf:
        return False
    return clock() > deadline
