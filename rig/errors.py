"""Errors of a rig that cannot be assembled or cannot continue."""

from collections.abc import Collection

from mlcp.checks import nearest, shown
from mlcp.kinds import Checking


class RigError(ValueError):
    """Error of a rig that cannot be assembled or of a run that cannot continue; one sentence."""


#: Decorator: arguments are checked against their annotations.
checked: Checking = Checking(RigError)


def known(refusal: str, name: object, names: Collection[str]) -> None:
    """Check that ``name`` is one of ``names``; else RigError: ``refusal``, the name, the nearest one."""
    if not isinstance(name, str) or name not in names:
        raise RigError(f"{refusal} {shown(name)}; {nearest(name, names)}")
