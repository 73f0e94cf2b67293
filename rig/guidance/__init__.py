"""Guidance laws for path tracking, and their linear stability limits."""

from .look_ahead import LookAhead
from .margin import Loop, gains, sampled_limit
from .off_track import OffTrack
from .stanley import Stanley

__all__ = ["LookAhead", "Loop", "OffTrack", "Stanley", "gains", "sampled_limit"]
