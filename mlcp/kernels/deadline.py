"""When to give up: looked at between iterations, so that a limit is passed by one of them at most."""

from __future__ import annotations

import math

from mlcp.jit import clock, kernel


@kernel
def is_late(deadline):
    """Whether ``clock`` [s] has passed the deadline; one that is infinite is not looked at."""
    if deadline == math.inf:
        return False
    return clock() > deadline
