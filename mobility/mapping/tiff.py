"""Whether a TIFF is all there: GDAL tells nobody what it could not write when it closed a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 16: 8, 17: 8, 18: 8}
BLOCKS = {(324, 325), (273, 279)}  # places and lengths of tiles, or of strips


def is_whole(path: Path) -> bool:
    """Whether every block that the directories of a TIFF name begins with something, lies within the
    file and over no other.

    Source: TIFF 6.0, section 2; BigTIFF has the same with eight bytes a place.
    """
    try:
        data = np.memmap(path, np.uint8, "r")
        found = list(_blocks(data))
        places, lengths = (np.concatenate([pair[k] for pair in found]) for k in range(2))
    except (IndexError, KeyError, ValueError):
        return False
    if np.any(lengths <= 0) or np.any(places + lengths > data.size):
        return False
    order = np.argsort(places)
    ends, begins = (places + lengths)[order][:-1], places[order][1:]
    return bool(np.all(ends <= begins) and np.all(data[places] != 0))


def _blocks(data: NDArray[np.uint8]) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Places and lengths of the blocks of every directory.

    Raises:
        IndexError, KeyError, ValueError: a directory, or what it points to, is not there.
    """
    order = {b"II": "<", b"MM": ">"}[data[:2].tobytes()]
    big = int(_numbers(data, order, 2, 3, 1)[0]) == 43
    long, head, place_kind, entry = (8, 8, 16, 20) if big else (4, 2, 4, 12)
    at = int(_numbers(data, order, 8 if big else 4, place_kind, 1)[0])
    while at:
        count = int(_numbers(data, order, at, 16 if big else 3, 1)[0])
        tags: dict[int, NDArray[np.int64]] = {}
        for k in range(count):
            where = at + head + k * entry
            tag, kind = _numbers(data, order, where, 3, 2).tolist()
            n = int(_numbers(data, order, where + 4, place_kind, 1)[0])
            value = where + 4 + long
            if n * SIZES[kind] > long:
                value = int(_numbers(data, order, value, place_kind, 1)[0])
            if value + n * SIZES[kind] > data.size:
                raise IndexError
            if kind in (3, 4, 16):
                tags[tag] = _numbers(data, order, value, kind, n)
        for places, lengths in BLOCKS:
            if places in tags:
                yield tags[places], tags[lengths]
        at = int(_numbers(data, order, at + head + count * entry, place_kind, 1)[0])


def _numbers(data: NDArray[np.uint8], order: str, at: int, kind: int, n: int) -> NDArray[np.int64]:
    """Whole numbers of a type of TIFF's."""
    size = SIZES[kind]
    found = data[at : at + n * size]
    if found.size != n * size:
        raise IndexError
    return np.frombuffer(found.tobytes(), f"{order}u{size}").astype(np.int64)
