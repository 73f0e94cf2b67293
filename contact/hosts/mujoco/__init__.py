"""Wheels on soft ground in MuJoCo, by one compiled call a step on MuJoCo's own memory."""

from .callback import MujocoCallback
from .floors import HostWarning
from .ground import MujocoGround
from .many import MujocoGrounds

__all__ = ["HostWarning", "MujocoCallback", "MujocoGround", "MujocoGrounds"]
