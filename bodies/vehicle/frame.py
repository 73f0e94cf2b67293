"""Frame: the main body of a vehicle."""

from __future__ import annotations

from dataclasses import dataclass

from .part import Assembly, Part, Piece


@dataclass(frozen=True, kw_only=True)
class Frame(Part):
    """Frame rails with all parts rigidly attached to them.

    Arguments:
        body: mass, inertia, and centre in the axes of the vehicle.
    """

    body: Piece

    def build(self, to: Assembly) -> None:
        to.body(self.name, self.body, to.centre(self, self.body))
