"""Integer tables with the position of every number of the factorisation, for the kernels."""

from __future__ import annotations

import functools

import numpy as np

from mlcp.kernels.kkt.kkt_layout import HALVED, NODE_FIELDS, PARTS, Header
from mlcp.kkt.gathering import Gathering
from mlcp.kkt.ordering import Order
from mlcp.kkt.panels import Panels
from mlcp.kkt.structure import BLOCK, Structure


def build_tables(structure: Structure, order: Order) -> tuple[np.ndarray, int]:
    """Return (int64 table of all positions for the kernels, length of the array ``panels``).

    The table is read-only: models and poses of the same structure and order share it.
    """
    return kept_table(structure, Order(order.nodes, order.coupled, (), 0.0, 0))


@functools.lru_cache(maxsize=64)
def kept_table(structure: Structure, order: Order) -> tuple[np.ndarray, int]:
    nb, ng, nc = structure.blocks, len(structure.groups), structure.channel_rows
    panels = Panels(structure, order)
    height, start, first = panels.height, panels.start, panels.first

    node_table: list[int] = []
    lists: list[int] = []
    program: list[int] = []
    list_places: list[int] = []  # entries of ``program`` to which the start of ``lists`` is added
    list_of: dict[int, int] = {}
    for node, later in panels.later.items():
        own, width = height[node], panels.width(node)
        kept = sum(height[j] for j in later if j < panels.channel_first)
        node_table += [own, start[node], width, int(first[node]), kept, width - own, len(lists)]
        list_places.append(len(program) + 4)
        # runs of equal shape follow each other, so that the processor predicts most branches
        runs = sorted(panels.runs(node), key=lambda run: (run.rows, run.length), reverse=True)
        program += [own, start[node], width, int(first[node]), len(lists), len(runs), own]
        for run in runs:
            program += [run.rows, run.length, start[node] + run.column, run.ratios - own]
            program += [start[run.target] + run.there, panels.width(run.target)]
        list_of[node] = len(lists)
        lists += panels.scalars(later)

    rows = [(nb + g, i) for g in range(ng) for i in range(height[nb + g])]
    owners = [(b, i) for b in range(nb) for i in range(BLOCK)] + rows
    row_at = [start[n] + i * (panels.width(n) + 1) for n, i in rows]
    x_at = [int(first[n]) + i for n, i in owners]

    tables = [row_at, x_at, node_table, program, lists]
    begin = Header.INTS + np.concatenate([[0], np.cumsum([len(t) for t in tables])])
    for i, where in enumerate(list_places):
        node_table[i * NODE_FIELDS + 6] += int(begin[4])
        program[where] += int(begin[4])
    lanes = Gathering(panels, {node: int(begin[4]) + n for node, n in list_of.items()})
    given, clear = lanes.mass + lanes.jac, lanes.clear.tolist()
    at, ends = begin[5] + len(lanes.program), np.linspace(0, panels.size, PARTS + 1).astype(int)[1:]
    mass, jac = (np.searchsorted(numbers, ends << 32) for numbers in (lanes.mass, lanes.jac))
    parts = np.column_stack([ends, at + mass, at + len(lanes.mass) + jac]).ravel().tolist()
    tables += [lanes.program, given, clear, parts]
    for node, where in zip(panels.later, list_places, strict=True):
        if node in lanes.halved:
            program[where + 2] = HALVED
    header = Header()
    header.blocks, header.rows, header.channels = nb, structure.rows, nc
    header.nodes, header.channel_nodes = len(order.nodes), len(structure.channels)
    header.trailing_at, header.y_at = panels.trailing, panels.size
    header.work_at = panels.size + structure.scalars + nc
    header.row_at, header.x_at, header.node_at, header.program_at = begin[:4]
    header.gather_at, header.given_at = begin[5], at
    header.clear_at, header.clears = header.given_at + len(given), len(clear)
    header.part_at = header.clear_at + len(clear)
    header.given_mass, header.given_jac = len(lanes.mass), len(lanes.jac)
    widest = max(panels.width(node) for node in panels.column)
    total = header.work_at + (BLOCK + 1) * (widest + BLOCK)
    table = np.concatenate([header.ints, *tables]).astype(np.int64)
    table.setflags(write=False)
    return table, total
