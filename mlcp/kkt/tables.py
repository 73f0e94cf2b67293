"""Where every number of the factorisation lives: the integer tables that the kernels follow."""

from __future__ import annotations

import numpy as np

from mlcp.kernels import kkt_layout as at
from mlcp.kkt.ordering import Order
from mlcp.kkt.structure import BLOCK, Structure


def build_tables(structure: Structure, order: Order) -> tuple[np.ndarray, int]:
    """Lay out the panels and write every index the kernels need."""
    nb, ng, nc = structure.blocks, len(structure.groups), structure.channel_rows
    channel_first = nb + ng
    height = [BLOCK] * nb + [k for k, _ in structure.groups + structure.channels]
    place = {node: i for i, node in enumerate(order.nodes)}
    place |= {c: c for c in range(channel_first, len(height))}
    # first scalar of each node in elimination order; channels follow at the end
    first = np.zeros(len(height), dtype=np.int64)
    done = 0
    for node in (*order.nodes, *range(channel_first, len(height))):
        first[node] = done
        done += height[node]

    # A panel's columns are identified by their scalars: own, then coupled nodes in order.
    def scalars(nodes: list[int]) -> list[int]:
        return [int(first[j]) + c for j in nodes for c in range(height[j])]

    sequence = [
        (node, sorted(coupled, key=place.__getitem__))
        for node, coupled in zip(order.nodes, order.coupled, strict=True)
    ]
    start: dict[int, int] = {}
    column: dict[int, dict[int, int]] = {}
    size = 0
    for node, later in sequence:
        column[node] = {scalar: c for c, scalar in enumerate(scalars([node, *later]))}
        start[node] = size
        size += height[node] * len(column[node])
    trailing = size
    size += nc * nc
    for c, offset in enumerate(structure.channel_offset[:-1]):
        node = channel_first + c
        start[node] = trailing + int(offset) * nc
        column[node] = {structure.scalars + c: c for c in range(nc)}

    node_table: list[int] = []
    lists: list[int] = []
    program: list[int] = []
    list_places: list[int] = []  # entries of the program that wait for the lists' position
    for node, later in sequence:
        own, width = height[node], len(column[node])
        kept = sum(height[j] for j in later if j < channel_first)
        node_table += [own, start[node], width, int(first[node]), kept, width - own, len(lists)]
        list_places.append(len(program) + 4)
        runs: list[tuple[int, ...]] = []
        source = own
        for target in later:
            remaining = list(column[node])[source:]
            for s, length, there in _runs(remaining, source, column[target]):
                runs.append(
                    (
                        height[target],
                        length,
                        start[node] + s,
                        source - own,
                        start[target] + there,
                        len(column[target]),
                    )
                )
            source += height[target]
        # equal shapes side by side: the processor then guesses most jumps right
        runs.sort(key=lambda run: run[:2], reverse=True)
        program += [own, start[node], width, int(first[node]), len(lists), len(runs)]
        program += [number for run in runs for number in run]
        lists += scalars(later)

    def entry(node: int, i: int, other: int) -> int:
        return start[node] + i * len(column[node]) + column[node][int(first[other])]

    mass_at = [v for b in range(nb) for v in (start[b], len(column[b]))]
    rows = [(nb + g, i) for g in range(ng) for i in range(height[nb + g])]
    owners = [(b, i) for b in range(nb) for i in range(BLOCK)] + rows
    row_at = [start[n] + i * (len(column[n]) + 1) for n, i in rows]
    x_at = [int(first[n]) + i for n, i in owners]
    jac_rows: list[int] = []
    jac_columns: list[int] = []
    for g, (k, touched) in enumerate(structure.groups + structure.channels):
        group = nb + g
        for s, b in enumerate(touched):
            for i in range(k):
                source = int(structure.jac_offset[g]) + (s * k + i) * BLOCK
                if group < channel_first and place[group] < place[b]:
                    jac_rows += [source, entry(group, i, b)]
                else:
                    jac_columns += [source, entry(b, 0, group) + i, len(column[b])]
    jac_at = jac_rows + jac_columns

    written = np.zeros(size + 2, dtype=bool)  # and an end on both sides
    across, along = (
        np.array(jac_rows, np.int64).reshape(-1, 2),
        np.array(jac_columns, np.int64).reshape(-1, 3),
    )
    six = np.arange(BLOCK)
    for o, w in np.array(mass_at, np.int64).reshape(-1, 2):
        written[1 + o + six[:, None] * w + six] = True
    written[1 + across[:, 1:] + six] = True
    written[1 + along[:, 1:2] + along[:, 2:] * six] = True
    written[1 + np.array(row_at, np.int64)] = True
    written[[0, -1]] = True
    clear = np.flatnonzero(np.diff(written)).tolist()

    tables = [mass_at, jac_at, row_at, x_at, node_table, program, lists, clear]
    begin = at.HEADER + np.concatenate([[0], np.cumsum([len(t) for t in tables])])
    for i, where in enumerate(list_places):
        node_table[i * at.NODE_FIELDS + 6] += int(begin[6])
        program[where] += int(begin[6])
    header = [0] * at.HEADER
    header[at.BLOCKS], header[at.GROUPS] = nb, ng
    header[at.ROWS], header[at.CHANNELS] = structure.rows, nc
    header[at.NODES] = len(order.nodes)
    header[at.JAC_ROWS], header[at.JAC_COLUMNS] = len(jac_rows) // 2, len(jac_columns) // 3
    header[at.TRAILING_AT], header[at.Y_AT] = trailing, size
    header[at.WORK_AT] = size + structure.scalars + nc
    header[at.MASS_AT : at.PROGRAM_AT + 1] = [int(b) for b in begin[:6]]
    header[at.CLEARS], header[at.CLEAR_AT] = len(clear) // 2, int(begin[7])
    widest = max(len(columns) for columns in column.values())
    total = header[at.WORK_AT] + (BLOCK + 1) * (widest + BLOCK)
    return np.concatenate([header, *tables]).astype(np.int64), total


def _runs(scalars: list[int], source: int, target: dict[int, int]) -> list[tuple[int, int, int]]:
    """Longest runs ``(source column, length, target column)`` contiguous on both sides."""
    runs: list[tuple[int, int, int]] = []
    for c, scalar in enumerate(scalars):
        there = target[scalar]
        if runs and there == runs[-1][2] + runs[-1][1]:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1, runs[-1][2])
        else:
            runs.append((source + c, 1, there))
    return runs
