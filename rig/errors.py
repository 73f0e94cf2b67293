"""Errors of a rig that cannot be assembled or cannot continue."""

from mlcp.kinds import Checking


class RigError(ValueError):
    """A rig that cannot be put together, or a run that cannot go on; one sentence says why."""


#: Decorator: arguments are checked against their annotations.
checked: Checking = Checking(RigError)
