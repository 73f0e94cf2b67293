"""Addresses on an ISO 11783 bus: identifiers, NAME, and the claim of an address."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...errors import RigError

CLAIM, REQUEST, ACKNOWLEDGEMENT = 0xEE00, 0xEA00, 0xE800
NULL, ALL = 0xFE, 0xFF
#: Functions of a NAME: steering control, navigation.
STEERING, NAVIGATION = 0x10, 0x17


def identifier(number: int, source: int, destination: int = ALL, priority: int = 6) -> int:
    """29-bit identifier of a parameter group; the destination only applies to addressed groups."""
    if not (
        0 <= priority < 8 and 0 <= number < 1 << 18 and 0 <= source < 256 and 0 <= destination < 256
    ):
        raise RigError(f"parameter group {number}, priority {priority} or an address is out of range")
    if (number >> 8) & 0xFF < 240:
        number = (number & ~0xFF) | destination
    return priority << 26 | number << 8 | source


def parts(can_id: int) -> tuple[int, int, int, int]:
    """Parameter group, source, destination and priority of a 29-bit identifier."""
    number = can_id >> 8 & 0x3FFFF
    destination = ALL
    if number >> 8 & 0xFF < 240:
        destination = number & 0xFF
        number &= ~0xFF
    return number, can_id & 0xFF, destination, can_id >> 26 & 7


def acknowledgement(number: int, requester: int, source: int) -> tuple[int, bytes]:
    """Identifier and data of the negative acknowledgement of a request.

    Arguments: number: requested, unsupported parameter group. requester, source: addresses of the
    requesting and of this unit.
    """
    data = bytes((1, 0xFF, 0xFF, 0xFF, requester)) + number.to_bytes(3, "little")
    return identifier(ACKNOWLEDGEMENT, source), data


@dataclass(frozen=True)
class Name:
    """64-bit NAME of a unit; the lower NAME wins an address claim.

    Arguments:
        identity: serial number, 21 bits.
        manufacturer: 11 bits.
        function: 8 bits, such as ``STEERING``.
        function_instance: 5 bits.
        unit_instance: 3 bits.
        device_class: 7 bits; 1: tractor.
        device_class_instance: 4 bits.
        industry_group: 3 bits; 2: agriculture.
        configurable: True: the unit takes another address after a lost claim.
    """

    identity: int = 1
    manufacturer: int = 2047
    function: int = NAVIGATION
    function_instance: int = 0
    unit_instance: int = 0
    device_class: int = 1
    device_class_instance: int = 0
    industry_group: int = 2
    configurable: bool = True

    @property
    def value(self) -> int:
        """NAME as one 64-bit number."""
        found = 0
        for name, at, bits in (
            ("identity", 0, 21), ("manufacturer", 21, 11), ("unit_instance", 32, 3),
            ("function_instance", 35, 5), ("function", 40, 8), ("device_class", 49, 7),
            ("device_class_instance", 56, 4), ("industry_group", 60, 3), ("configurable", 63, 1),
        ):  # fmt: skip
            part = int(getattr(self, name))
            if not 0 <= part < 1 << bits:
                raise RigError(f"{name} = {part} of a NAME must be 0 to {(1 << bits) - 1}")
            found |= part << at
        return found

    def data(self) -> bytes:
        """NAME as the eight bytes of a claim."""
        return self.value.to_bytes(8, "little")


@dataclass
class AddressClaim:
    """Address claim of a unit: claims an address, answers requests for it, and defends it.

    A claim is valid 250 ms after it was sent, unless a lower NAME claims the same address; the unit then
    takes the lowest free address of 128 to 247, if it is configurable.

    Arguments:
        name: NAME of this unit.
        preferred: preferred address, 0 to 253.
        address: claimed address; ``NULL``: none. since: time of the claim [s]; None: not begun.
        taken: NAMEs of other units by their addresses.

    Source: ISO 11783-5, as open stacks describe it.
    """

    name: Name
    preferred: int = 0x1C
    address: int = NULL
    since: float | None = None
    taken: dict[int, int] = field(default_factory=dict)

    def start(self, now: float) -> list[tuple[int, bytes]]:
        """Begin the claim at ``now`` [s]; returns the frames (identifier, data) to send."""
        self.address, self.since = self.preferred, now
        return [self._claim()]

    def good(self, now: float) -> bool:
        """Whether the claim is valid at ``now`` [s]."""
        return self.since is not None and self.address != NULL and now - self.since >= 0.25

    def receive(self, can_id: int, data: bytes, now: float) -> list[tuple[int, bytes]]:
        """Process a frame received at ``now`` [s]; returns the frames (identifier, data) to send."""
        number, source, destination, _ = parts(can_id)
        if number == REQUEST and len(data) >= 3 and destination in (ALL, self.address):
            requested = int.from_bytes(data[:3], "little")
            return [self._claim()] if requested == CLAIM and self.since is not None else []
        if number != CLAIM or len(data) != 8:
            return []
        other = int.from_bytes(data, "little")
        if source < NULL:
            self.taken[source] = other
        if source != self.address or other == self.name.value or self.address == NULL:
            return []
        if other > self.name.value:
            del self.taken[source]
            return [self._claim()]
        free = [a for a in range(128, 248) if a not in self.taken]
        self.address = free[0] if free and self.name.configurable else NULL
        self.since = now
        return [self._claim()]

    def _claim(self) -> tuple[int, bytes]:
        return identifier(CLAIM, self.address), self.name.data()
