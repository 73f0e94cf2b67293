"""Lengths of arrays as text: sums of products of named sizes and integers, such as ``n n + 9 n``."""

from __future__ import annotations

from collections.abc import Mapping

#: Length: factor of each product of sizes; key ("n", "n") for n n, () for 1.
Length = dict[tuple[str, ...], int]


def length_of(text: str) -> Length:
    """Parse the text of an array's length."""
    found: Length = {}
    for term in text.split("+"):
        words = term.split()
        count = 1
        for word in words:
            count *= int(word) if word.isdigit() else 1
        product = tuple(sorted(word for word in words if not word.isdigit()))
        found[product] = found.get(product, 0) + count
    return found


def evaluated(length: Length, sizes: Mapping[str, int]) -> int:
    """Value of a length for these sizes."""
    total = 0
    for product, count in length.items():
        for size in product:
            count *= int(sizes[size])
        total += count
    return total


def renamed(length: Length, names: Mapping[str, str]) -> Length:
    """Length with other names for its sizes."""
    return {tuple(sorted(names[size] for size in product)): n for product, n in length.items()}
