"""What a rig says when it cannot be put together or cannot go on."""

from mlcp.kinds import Checking


class RigError(ValueError):
    """A rig that cannot be put together, or a run that cannot go on; one sentence says why."""


#: What is handed to a class or function of this package, checked after its annotations.
checked: Checking = Checking(RigError)
