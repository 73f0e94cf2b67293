"""Wheels on soft ground in MuJoCo, by one compiled call a step on MuJoCo's own memory.

Modules: ``ground``: contact solve between ``mj_step1`` and ``mj_step2``; ``many``: grounds of many
``MjData``; ``callback``: passive-force callback; ``damping``: damping that MuJoCo's integrators treat
implicitly; ``kernels``: the compiled step.
"""

from .callback import MujocoCallback
from .floors import HostWarning
from .ground import MujocoGround
from .many import MujocoGrounds

__all__ = ["HostWarning", "MujocoCallback", "MujocoGround", "MujocoGrounds"]
