"""What a rig says when it cannot be put together or cannot go on."""


class RigError(ValueError):
    """A rig that cannot be put together, or a run that cannot go on; one sentence says why."""
