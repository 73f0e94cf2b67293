"""Memory of a bundle: its entries and those of all inner bundles, in one pair of flat arrays.

State (kept from step to step) lies first, then model (constant in a run), then work, whichever bundle
declares the entry; so a state is one contiguous piece of the floats and one of the integers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .entries import PARTS, Entry, Inner, Ints, Matrix, Several
from .lengths import Length, evaluated, renamed
from .records import Records

LINE = 8  # numbers in a cache line; every array of floats begins at a multiple of it


class Leaf(NamedTuple):
    """Entry of a bundle, or of a bundle within it, that stands for an array or records.

    Attributes:
        entry: the declared entry.
        floats, ints: number of its slot (start and stop of its numbers) in the outer bundle's table of
            offsets, -1: none.
        size: length of each axis in the outer bundle's names of sizes; None: the shape of the value.
        like: path of the entry whose memory this one shares; empty: memory of its own.
        is_table: True if the next slot starts with the number of columns.
    """

    entry: Any
    floats: int
    ints: int
    size: tuple[Length, ...] | None
    like: str
    is_table: bool


NOTHING = np.zeros(0)


class Memory(NamedTuple):
    """Contents of a leaf: floats, integers, number of columns of a table."""

    floats: NDArray[Any] = NOTHING
    ints: NDArray[Any] = NOTHING
    columns: int = 1


def leaves_of(who: str, entries: Mapping[str, Entry]) -> dict[str, Leaf]:
    """Leaves of a bundle by path; ``"rows.z"`` is the leaf ``z`` of the inner bundle ``rows``.

    Raises:
        AttributeError: a size of an inner bundle without the outer one's name; a shared entry that is
            missing or of another kind.
    """
    found: dict[str, Leaf] = {}
    for name, entry in entries.items():
        if not isinstance(entry, Inner):
            is_table = isinstance(entry, Matrix)
            found[name] = Leaf(entry, entry.floats, entry.ints, entry.size, "", is_table)
            continue
        for path, leaf in entry.bundle.leaves.items():
            found[f"{name}.{path}"] = _within(who, name, entry, leaf)
    for name, entry in entries.items():
        if isinstance(entry, Inner):
            for own, outer in entry.shared.items():
                _share(who, found, f"{name}.{own}", outer)
    return found


def _within(who: str, name: str, entry: Inner, leaf: Leaf) -> Leaf:
    try:
        size = leaf.size and tuple(renamed(length, entry.sizes) for length in leaf.size)
    except KeyError as error:
        raise AttributeError(f"{who}.{name}: sizes has no {error}") from None
    floats, ints = (entry.floats + k if k >= 0 else -1 for k in (leaf.floats, leaf.ints))
    like = leaf.like and f"{name}.{leaf.like}"
    return leaf._replace(floats=floats, ints=ints, size=size, like=like)


def _share(who: str, found: dict[str, Leaf], own: str, outer: str) -> None:
    mine = [path for path in found if path == own or path.startswith(f"{own}.")]
    if not mine:
        raise AttributeError(f"{who}: it has no entry {own!r} to share memory")
    for path in mine:
        like = outer + path.removeprefix(own)
        if like not in found:
            raise AttributeError(f"{who}: it has no entry {like!r} to share memory with {path!r}")
        one, other = found[path].entry, found[like].entry
        if type(one) is not type(other) or getattr(one, "record", 0) is not getattr(other, "record", 0):
            raise AttributeError(f"{who}: {path!r} and {like!r} are of two kinds and share no memory")
        found[path] = found[path]._replace(like=found[like].like or like)


def flat(bundle: Any, values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Pairs of path and value of a bundle's entries; an inner bundle may be given as a bundle, as a
    dict of values, or as None for an empty one."""
    leaves = bundle.leaves
    for name, value in values.items():
        path = before + name
        if path in leaves:
            if leaves[path].like:
                raise AttributeError(f"{path!r} has the memory of {leaves[path].like!r}: give that")
            yield path, value
            continue
        below = [one for one in leaves if one.startswith(f"{path}.")]
        if not below:
            raise AttributeError(f"{bundle.__name__} has no entry {path!r}")
        elif value is None:
            yield from ((one, Memory()) for one in below)
        elif isinstance(value, Mapping):
            yield from flat(bundle, value, f"{path}.")
        else:
            yield from ((f"{path}.{one}", memory) for one, memory in contents(value).items())


def contents(bundle: Any) -> dict[str, Memory]:
    """Contents of all leaves of a bundle with memory of their own."""
    places: list[int] = bundle.N[bundle.base : bundle.base + 2 * bundle.SLOTS].tolist()
    found: dict[str, Memory] = {}
    for path, leaf in bundle.leaves.items():
        if not leaf.like:
            k, j = 2 * leaf.floats, 2 * leaf.ints
            floats = bundle.F[places[k] : places[k + 1]] if k >= 0 else NOTHING
            ints = bundle.N[places[j] : places[j + 1]] if j >= 0 else NOTHING
            found[path] = Memory(floats, ints, places[max(k, j) + 2] if leaf.is_table else 1)
    return found


def memory_of(path: str, leaf: Leaf, value: Any, sizes: Mapping[str, int]) -> Memory:
    """Memory of a value, or zeros of the declared size.

    Raises:
        AttributeError: neither value nor size. ValueError: a value of another size than declared.
    """
    shape = None
    if leaf.size is not None:
        shape = tuple(evaluated(length, sizes) for length in leaf.size)
    if value is None and shape is None:
        raise AttributeError(f"{path!r} has no size, so it needs a value")
    if isinstance(value, Memory):
        return value
    entry = leaf.entry
    if isinstance(entry, Several):
        kind = entry.record
        own = Records.of(kind, *(shape or ())) if value is None else value
        many = own.floats.size, own.ints.size
        if shape is not None and many != (shape[0] * kind.FLOATS, shape[0] * kind.INTS):
            raise ValueError(f"{path!r}: there are to be {shape[0]} records")
        return Memory(own.floats.ravel(), own.ints.ravel())
    own = np.zeros(shape or (), entry.dtype) if value is None else np.asarray(value, entry.dtype)
    if shape is not None and (own.size != np.prod(shape) or own.shape[1:] != shape[1:] != ()):
        raise ValueError(f"{path!r} is of shape {own.shape}, it is to be {shape}")
    columns = max(1, own.shape[1]) if leaf.is_table else 1
    if isinstance(entry, Ints):
        return Memory(NOTHING, own.ravel(), columns)
    return Memory(own.ravel(), NOTHING, columns)


def room(sizes: list[int]) -> tuple[NDArray[np.float64], list[int]]:
    """Allocate one memory for arrays of floats of these sizes; return it and the start of each array."""
    starts = np.cumsum([0, *(-(-size // LINE) * LINE for size in sizes)]).tolist()
    size = max(starts[-1], LINE)
    memory = np.zeros(size + LINE)
    first = -memory.ctypes.data // 8 % LINE
    return memory[first : first + size], starts[:-1]


def filled(bundle: Any, found: Mapping[str, Memory]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Make the bundle's flat arrays: the table of offsets, and the contents ``found`` of the leaves."""
    leaves: dict[str, Leaf] = bundle.leaves
    order = [path for part in PARTS for path in found if leaves[path].entry.part == part]
    floats = [(leaves[path].floats, found[path].floats) for path in order]
    floats = [(slot, numbers) for slot, numbers in floats if slot >= 0]
    F, starts = room([numbers.size for _, numbers in floats])
    places, at = [0] * (2 * bundle.SLOTS), 2 * bundle.SLOTS
    for (slot, numbers), start in zip(floats, starts, strict=True):
        stop = start + numbers.size
        places[2 * slot : 2 * slot + 2] = start, stop
        F[start:stop] = numbers
    parts: list[Any] = []
    for path in order:
        leaf = leaves[path]
        if leaf.ints >= 0:
            numbers = found[path].ints
            places[2 * leaf.ints : 2 * leaf.ints + 2] = at, at + numbers.size
            parts += [numbers] if numbers.size else []
            at += numbers.size
        if leaf.is_table:
            places[2 * max(leaf.floats, leaf.ints) + 2] = found[path].columns
    for leaf in leaves.values():
        if leaf.like:
            other = leaves[leaf.like]
            for mine, its in (leaf.floats, other.floats), (leaf.ints, other.ints):
                if mine >= 0:
                    size = 3 if leaf.is_table else 2
                    places[2 * mine : 2 * mine + size] = places[2 * its : 2 * its + size]
    return F, np.concatenate([np.array(places, np.int64), *parts])
