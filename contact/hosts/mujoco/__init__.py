"""Wheels on soft ground in MuJoCo, one compiled call a step on MuJoCo's own memory.

``ground``: call between ``mj_step1`` and ``mj_step2``; ``many``: grounds of many ``MjData``;
``callback``: passive-force callback; ``damping``: terms implicit in MuJoCo's integrators; ``kernels``:
the compiled step.
"""

from .callback import MujocoCallback
from .floors import HostWarning
from .ground import MujocoGround
from .many import MujocoGrounds

__all__ = ["HostWarning", "MujocoCallback", "MujocoGround", "MujocoGrounds"]
