"""Errors of a rig that cannot be assembled or cannot continue."""

from mlcp.kinds import Checking


class RigError(ValueError):
    """Error of a rig that cannot be assembled or of a run that cannot continue; one sentence."""


#: Decorator: arguments are checked against their annotations.
checked: Checking = Checking(RigError)
