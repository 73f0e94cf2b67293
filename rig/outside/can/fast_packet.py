"""Fast packets of NMEA 2000: up to 223 bytes in CAN frames of eight."""

from __future__ import annotations

from ...errors import RigError

LARGEST = 6 + 31 * 7


def split(data: bytes, sequence: int) -> list[bytes]:
    """Split a packet into frames: sequence and frame number, length (first frame only), data.

    Arguments:
        data: 9 to 223 bytes; RigError for another number.
        sequence: 0 to 7, different for successive packets of a kind.

    Returns:
        Frames of eight bytes; the last one is padded with FF.
    """
    if not 9 <= len(data) <= LARGEST:
        raise RigError(f"a fast packet has 9 to {LARGEST} bytes, not {len(data)}")
    head = (sequence & 7) << 5
    frames = [bytes((head, len(data))) + data[:6]]
    for k, at in enumerate(range(6, len(data), 7), start=1):
        frames.append((bytes((head | k,)) + data[at : at + 7]).ljust(8, b"\xff"))
    return frames


class Assembler:
    """Assembler of packets from frames; a packet with a missing frame is counted in ``lost``."""

    def __init__(self) -> None:
        self.lost: int = 0
        self._open: dict[tuple[int, int], tuple[int, int, bytearray]] = {}

    def add(self, source: int, number: int, data: bytes) -> bytes | None:
        """Add a frame; the whole packet after its last frame, else None.

        Arguments:
            source: address of the sender.
            number: parameter group.
            data: eight bytes of the frame.
        """
        if len(data) != 8:
            self.lost += 1
            return None
        sequence, k, key = data[0] >> 5, data[0] & 31, (source, number)
        begun = self._open.pop(key, None)
        if k == 0:
            self.lost += begun is not None
            if not 9 <= data[1] <= LARGEST:
                self.lost += 1
            else:
                self._open[key] = (sequence, data[1], bytearray(data[2:]))
            return None
        if begun is None:
            return None
        wanted, length, have = begun
        if sequence != wanted or k != (len(have) - 6) // 7 + 1:
            self.lost += 1
            return None
        have += data[1:]
        if len(have) < length:
            self._open[key] = begun
            return None
        return bytes(have[:length])
