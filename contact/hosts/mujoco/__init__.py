"""Wheels on soft ground in MuJoCo, one compiled call a step on MuJoCo's own memory.

``ground`` asks, ``many`` for many at once, ``callback`` is asked; ``plan`` and ``pattern`` say in which
order its matrices are eliminated, ``damping`` what its integrators take implicitly, ``kernels`` compute.
"""

from .callback import MujocoCallback
from .floors import HostWarning
from .ground import MujocoGround
from .many import MujocoGrounds

__all__ = ["HostWarning", "MujocoCallback", "MujocoGround", "MujocoGrounds"]
