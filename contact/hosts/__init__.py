"""Wheels on soil inside other multibody codes (hosts); see docs/bring_your_own_engine.md.

``WheelsOnGround`` is the interface; ``generic``, ``mujoco``, ``exudyn``, ``pinocchio`` and ``drake``
are the adapters, which load their host on first use; ``fmu`` builds co-simulation units (FMI),
``wheelground.h`` is the interface for C.
"""

from pathlib import Path

from mlcp.kinds import checked

from .wheels_on_ground import HostError, WheelsOnGround

__all__ = ["HostError", "WheelsOnGround", "include"]


@checked
def include() -> Path:
    """Directory of ``wheelground.h``, for a C compiler's ``-I``."""
    return Path(__file__).parent
