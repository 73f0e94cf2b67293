"""Workspaces: names for the parts of one flat scratch array whose sizes follow from a few counts.

A solver of n rows says once what it keeps, by a class::

    class SweepWork(Workspace, sizes="n"):
        w = part("n", "A z + b")
        factor = part("n n", "of the free rows")
        size = within(SizeWork, "what rows are judged by")

    SweepWork.length(n)      # of the array
    W = SweepWork(work, n)   # the same in Python and in compiled code
    W.factor[i * n + j]

In Python the parts are views of the array; in kernels (``workspace_types``) an address and a count.
"""

from __future__ import annotations

import functools
from typing import Any, ClassVar

from .lengths import Length, evaluated, length_of
from .workspace_types import teach


class _Part:
    """One name of a workspace: where it begins and how long it is."""

    def __init__(self, length: Length, inner: type[Workspace] | None, meaning: str) -> None:
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
    """So many numbers: products of sizes and whole numbers, added up."""
    return _Part(length_of(length), None, meaning)


def within(work: type[Workspace], meaning: str) -> Any:
    """Another workspace, of the same sizes."""
    return _Part(work.LENGTH, work, meaning)


class Workspace:
    """Names for the parts of a flat array; see the module.

    Attributes:
        SIZES: the sizes on which it depends, in the order in which they are given.
        parts: what was declared, by name.
        LENGTH: of the array.
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
        teach(cls)

    def __init__(self, floats: Any, *sizes: int) -> None:
        self._floats = floats
        self._sizes = dict(zip(self.SIZES, sizes, strict=True))

    @classmethod
    @functools.lru_cache(maxsize=256)  # a tenth of a small warm solve, asked for in each of them
    def length(cls, *sizes: int) -> int:
        """Length of the array for these sizes."""
        return evaluated(cls.LENGTH, dict(zip(cls.SIZES, sizes, strict=True)))
