"""Set-valued scheme: friction bounded by the law's force at the slip of the start of the step.

Chatters at small slip; converges only at very short steps.
"""

from mlcp.jit import kernel

from .line import Line

EQUATIONS = "23, 24"
STATIC_FRICTION = True


@kernel
def line(at):
    """Line without a damper, with bounds +- the size of the present force."""
    return Line(0.0, 0.0, abs(at.force), abs(at.force))
