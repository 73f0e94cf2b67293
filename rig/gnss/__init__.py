"""Satellite navigation: a receiver with noise, latency and a lever arm."""

from .receiver import COMPENSATIONS, Receiver, rotation

__all__ = ["COMPENSATIONS", "Receiver", "rotation"]
