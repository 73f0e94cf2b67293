"""Wheels on soft ground in MuJoCo, one compiled call a step on MuJoCo's own memory.

``ground`` asks and ``callback`` is asked; ``plan`` and ``pattern`` say in which order its matrices are
eliminated, ``damping`` what its integrators take implicitly, ``kernels`` compute.
"""

from .callback import MujocoCallback
from .floors import HostWarning
from .ground import MujocoGround

__all__ = ["HostWarning", "MujocoCallback", "MujocoGround"]
