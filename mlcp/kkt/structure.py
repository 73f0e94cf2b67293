"""Constant sparsity of a saddle-point matrix: the mass blocks that each row group acts on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

BLOCK = 6  # unknowns of a mass block
MAX_ROWS = 6
MAX_TOUCHED = 4

Group = tuple[int, tuple[int, ...]]


@dataclass(frozen=True)
class Structure:
    """Sparsity of ``K = [M J'; J -E]`` and of the trailing channel rows.

    Arguments:
        blocks: number of 6 x 6 mass blocks.
        groups: row groups ``(rows, touched mass blocks)``; 1 to 6 rows, 1 to 4 distinct blocks.
        channels: trailing channel groups in the same form; they are not factored.
        mass_zeros: positions of numbers in ``mass`` that are zero in every step, which the factorisation
            does not read.
        jac_zeros: positions of such numbers in ``jac``.

    ``jac`` arrays are flat: group g stores one ``rows x 6`` row-major block for each touched mass
    block, in the order given here, from ``jac_offset[g]`` on; channel groups follow the row groups.

    Raises ValueError naming the group when a count or an index is out of range.
    """

    blocks: int
    groups: tuple[Group, ...] = ()
    channels: tuple[Group, ...] = ()
    mass_zeros: tuple[int, ...] = ()
    jac_zeros: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.blocks, (int, np.integer)) or self.blocks < 1:
            raise ValueError(f"blocks is {self.blocks!r}; it must be a whole number, 1 or more")
        for name in ("groups", "channels"):
            given = enumerate(getattr(self, name))
            checked = tuple(_checked(name, i, group, self.blocks) for i, group in given)
            object.__setattr__(self, name, checked)

    @property
    def rows(self) -> int:
        """Number of scalar rows in all row groups."""
        return sum(rows for rows, _ in self.groups)

    @property
    def channel_rows(self) -> int:
        """Number of scalar channels."""
        return sum(rows for rows, _ in self.channels)

    @property
    def scalars(self) -> int:
        """Number of unknowns of K: six per mass block and one per row."""
        return BLOCK * self.blocks + self.rows

    @cached_property
    def jac_offset(self) -> np.ndarray:
        """Start of each group in the flat ``jac``, channel groups last; then the length of ``jac``."""
        sizes = [rows * BLOCK * len(touched) for rows, touched in self.groups + self.channels]
        return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

    @property
    def jac_size(self) -> int:
        """Length of the flat ``jac``."""
        return int(self.jac_offset[-1])

    @cached_property
    def row_offset(self) -> np.ndarray:
        """Number of the first scalar row of each row group; then the number of rows."""
        return np.concatenate([[0], np.cumsum([k for k, _ in self.groups])]).astype(np.int64)

    @cached_property
    def channel_offset(self) -> np.ndarray:
        """Number of the first scalar channel of each channel group; then the number of channels."""
        return np.concatenate([[0], np.cumsum([k for k, _ in self.channels])]).astype(np.int64)

    def dense_rows(self, jac: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Expand a flat ``jac`` into the dense ``J`` (rows, 6 blocks) and ``C`` (channels, 6 blocks)."""
        everything = np.zeros((self.rows + self.channel_rows, BLOCK * self.blocks))
        first = 0
        for (rows, touched), start in zip(
            self.groups + self.channels, self.jac_offset[:-1], strict=True
        ):
            for s, block in enumerate(touched):
                a = start + s * BLOCK * rows
                part = jac[a : a + BLOCK * rows].reshape(rows, BLOCK)
                everything[first : first + rows, BLOCK * block : BLOCK * (block + 1)] = part
            first += rows
        return everything[: self.rows], everything[self.rows :]

    def flat_rows(self, blocks: Sequence[Sequence[np.ndarray]]) -> np.ndarray:
        """Flatten one list of ``rows x 6`` arrays per group (channel groups last) into ``jac``."""
        expected = self.groups + self.channels
        if len(blocks) != len(expected):
            raise ValueError(f"blocks has {len(blocks)} groups; the structure {len(expected)}")
        flat = []
        for i, ((rows, touched), parts) in enumerate(zip(expected, blocks, strict=True)):
            if len(parts) != len(touched) or any(np.shape(p) != (rows, BLOCK) for p in parts):
                raise ValueError(
                    f"group {i} needs {len(touched)} arrays of shape ({rows}, {BLOCK}), "
                    f"it has {[np.shape(p) for p in parts]}"
                )
            flat.extend(np.asarray(p, dtype=np.float64).ravel() for p in parts)
        return np.concatenate(flat) if flat else np.zeros(0)


def _checked(name: str, index: int, group: Group, blocks: int) -> Group:
    """Return the group with plain ints; raise ValueError for an entry out of range."""
    rows, touched = int(group[0]), tuple(int(b) for b in group[1])
    where = f"{name}[{index}]"
    if not 1 <= rows <= MAX_ROWS:
        raise ValueError(f"{where} has {rows} rows; allowed are 1 to {MAX_ROWS}")
    if not 1 <= len(touched) <= MAX_TOUCHED:
        raise ValueError(f"{where} touches {len(touched)} mass blocks; allowed are 1 to {MAX_TOUCHED}")
    if len(set(touched)) != len(touched):
        raise ValueError(f"{where} touches a mass block twice: {touched}; add the two parts up")
    if min(touched) < 0 or max(touched) >= blocks:
        raise ValueError(f"{where} touches {touched}; mass blocks are 0 to {blocks - 1}")
    return rows, touched
