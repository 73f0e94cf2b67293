"""Workspaces: names for the parts of one flat scratch array, of sizes computed from a few counts.

A solver of n rows declares its arrays once, by a class::

    class SweepWork(WorkArray, sizes="n"):
        w = part("n", "A z + b")
        factor = part("n n", "factor of the free rows")
        size = within(SizeWork, "scales of the rows' tolerances")

    SweepWork.length(n)      # length of the array
    W = SweepWork(work, n)   # the same in Python and in compiled code
    W.factor[i * n + j]

In Python a part is a view of the array, in compiled code (``workspace_types``) an address and a count.
"""

from __future__ import annotations

import functools
from typing import Any, ClassVar

from .lengths import Length, evaluated, length_of
from .workspace_types import register_workspace


class _Part:
    """One name of a workspace, with its start and length."""

    def __init__(self, length: Length, inner: type[WorkArray] | None, meaning: str) -> None:
        self.length, self.inner, self.meaning = length, inner, meaning
        self.name, self.start = "", dict[tuple[str, ...], int]()

    def __get__(self, work: Any, owner: Any = None) -> Any:
        if work is None:
            return self
        first = evaluated(self.start, work._sizes)
        if self.inner is not None:
            return self.inner(work._floats[first:], *(work._sizes[s] for s in self.inner.SIZES))
        return work._floats[first : first + evaluated(self.length, work._sizes)]


def part(length: str, meaning: str) -> Any:
    """Declare a part; ``length``: a sum of products of sizes and integers, as in ``n n + 9 n``."""
    return _Part(length_of(length), None, meaning)


def within(work: type[WorkArray], meaning: str) -> Any:
    """Declare an inner workspace of the same sizes."""
    return _Part(work.LENGTH, work, meaning)


class WorkArray:
    """Names for the parts of a flat array, declared by the class body as in the module's example.

    Attributes:
        SIZES: names of the sizes, in the order of the arguments.
        parts: the declared parts by name.
        LENGTH: length of the array.
    """

    SIZES: ClassVar[tuple[str, ...]] = ()
    parts: ClassVar[dict[str, _Part]] = {}
    LENGTH: ClassVar[Length] = {}

    def __init_subclass__(cls, sizes: str) -> None:
        cls.SIZES, cls.parts, cls.LENGTH = tuple(sizes.split()), {}, {}
        for name, found in list(vars(cls).items()):
            if isinstance(found, _Part):
                found.name, found.start = name, dict(cls.LENGTH)
                for product, count in found.length.items():
                    cls.LENGTH[product] = cls.LENGTH.get(product, 0) + count
                cls.parts[name] = found
        register_workspace(cls)

    def __init__(self, floats: Any, *sizes: int) -> None:
        self._floats = floats
        self._sizes = dict(zip(self.SIZES, sizes, strict=True))
        self.__dict__.update(self._sizes)

    @classmethod
    @functools.lru_cache(maxsize=256)  # uncached, it takes a tenth of the time of a small solve
    def length(cls, *sizes: int) -> int:
        """Length of the array for these sizes."""
        return evaluated(cls.LENGTH, dict(zip(cls.SIZES, sizes, strict=True)))
