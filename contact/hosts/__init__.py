"""The wheel on soft ground inside other multibody codes; see docs/bring_your_own_engine.md."""

from .wheels_on_ground import HostError, WheelsOnGround

__all__ = ["HostError", "WheelsOnGround"]
