"""Guidance block of a rig as a separate unit on an ISO 11783 bus, in another process."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, field

from ...block import Block
from ...errors import RigError
from ...path import Path
from ...site import Site
from ..geodesy import Origin
from . import messages
from .address import NULL, AddressClaim, Name, parts
from .fast_packet import Assembler

#: Shortest message of a position, without reference stations [bytes].
PACKET = 43


@dataclass
class Controller:
    """Guidance controller: receives position, heading and speed, sends a curvature for each position.

    Arguments:
        guidance: guidance block.
        path: planned path, in the rig's world.
        origin: geographic origin of the rig's world.
        name, preferred: NAME of this unit, and its preferred address.
        tick: time between two positions [s].
    """

    guidance: Block
    path: Path
    origin: Origin
    name: Name = field(default_factory=lambda: Name(identity=2))
    preferred: int = 0x1C
    tick: float = 0.1

    def __post_init__(self) -> None:
        self.claim: AddressClaim = AddressClaim(self.name, self.preferred)
        self.commands: int = 0
        self._assembler, self._time, self._begun = Assembler(), 0.0, False
        self._ready = False
        self.refused: int = 0

    def receive(self, can_id: int, data: bytes, now: float) -> list[tuple[int, bytes]]:
        """Process a frame received at ``now`` [s, controller's clock]; returns the frames to send.

        ``refused`` counts messages of another length. A value that is "not available" is left out.
        """
        out = [] if self.claim.since is not None else self.claim.start(now)
        out += self.claim.receive(can_id, data, now)
        number, source, _, _ = parts(can_id)
        if number == messages.GNSS_POSITION:
            packet = self._assembler.add(source, number, data)
            if packet is not None and self._begun:
                out += self._steer(packet)
            return out
        try:
            found = messages.decode(can_id, data)
        except RigError:
            self.refused += 1
            return out
        if found is None:
            return out
        name, values = found
        if name == "Heading" and "Heading" in values:
            if not self._begun:
                self.guidance.start(Site(path=self.path, tick=self.tick))
                self._begun = True
            wanted = math.pi / 2.0 - values["Heading"]
            before = float(self.guidance.input("fix_heading")[0])
            self.guidance.input("fix_heading")[0] = before + math.remainder(
                wanted - before, 2.0 * math.pi
            )
        elif name == "WheelSpeed" and self._begun and "Speed" in values:
            backwards = values["Direction"] == 0.0
            self.guidance.input("fix_speed")[0] = -values["Speed"] if backwards else values["Speed"]
        elif name == "GuidanceMachineInfo":
            self._ready = values["SteeringReadiness"] == 1.0 and values["RequestReset"] == 0.0
        return out

    def _steer(self, packet: bytes) -> list[tuple[int, bytes]]:
        if len(packet) < PACKET:
            self.refused += 1
            return []
        _, _, _, latitude, longitude, height, method = struct.unpack_from("<BHIqqqB", packet)
        place = latitude * 1e-16, longitude * 1e-16, height * 1e-6
        known = all(abs(value) <= most for value, most in zip(place, (90.0, 180.0, 1e5), strict=True))
        if known:  # else "not available"
            self.guidance.input("fix_position")[:] = self.origin.local(*place)
        if "fix_quality" in self.guidance.inputs:
            self.guidance.input("fix_quality")[0] = method >> 4 if known else 0
        self.guidance.advance(self._time, self.tick)
        self._time += self.tick
        if self.claim.address == NULL:
            return []
        curvature = float(self.guidance.output("curvature_command")[0])
        meant = self._ready and self.guidance.output("engaged")[0] > 0.5
        self.commands += 1
        return [messages.system_command(curvature, bool(meant), self.claim.address)]
