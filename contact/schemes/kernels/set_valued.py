"""Friction bounded by the law's force at the slip of the step's start: chatters at small slip.

Chatter: the wheel sticks in one step and slides in the next, since the bound is that of the slip one
step before. The scheme converges only at very short steps.
"""

from mlcp.jit import kernel

from .line import Line

EQUATIONS = "23, 24"
STATIC_FRICTION = True


@kernel
def line(at):
    """Friction alone, with the size of the present force as bound."""
    return Line(0.0, 0.0, abs(at.force), abs(at.force))
