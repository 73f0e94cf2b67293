"""Where the contact problems lie in a machine's workspaces: their arrays by name and by number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from contact.kernels.data import Contact, Friction
from mlcp import SOLVERS
from mlcp.kernels.numbered import work_length

from .hydraulics.lowering import place_oil
from .kernels import layout as L


class Pair(NamedTuple):
    """Records of floats and of integers."""

    floats: int
    ints: int


#: The contact problem of wheels on soil; ints end in ``_I``.
CONTACT = {
    "wheels": {
        "each": Pair(L.SOIL_FLOATS, L.SOIL_I), "law": L.SOIL_LAW, "lateral": L.SOIL_LATERAL,
        "normal": L.SOIL_TABLE, "deepest": L.SOIL_DEEPEST, "variant": L.SOIL_VARIANT_I,
        "weight": L.SOIL_WEIGHT, "laws": L.SOIL_LAWS_I,
        "sides": L.SOIL_SIDES_I, "now": L.SOIL_NOW, "passes": L.SOIL_PASSES,
        "bristle": L.SOIL_BRISTLE,
    },
    "rows": {
        "channel": L.SOIL_CHANNEL_I, "minus": L.SOIL_MINUS_I, "e": L.SOIL_E, "bias": L.SOIL_BIAS,
        "lower": L.SOIL_LOWER, "upper": L.SOIL_UPPER, "z": L.SOIL_Z, "active": L.SOIL_ACTIVE_I,
        "A": L.SOIL_A, "b": L.SOIL_B, "work": L.SOIL_WORK, "q": L.SOIL_Q, "u": L.SOIL_U,
        "report": L.SOIL_REPORT,
    },
    "grounds": {
        "each": Pair(L.GROUND_DATA, L.GROUND_I), "patches": Pair(L.PATCH_DATA, L.PATCH_I),
        "corners": L.PATCH_CORNERS, "strength": L.SOIL_STRENGTH, "memory": L.MEMORY,
        "rut": L.SOIL_RUT,
    },
    "settings": L.SOIL_SETTINGS, "gap": L.SOIL_GAP, "start": L.SOIL_START,
}  # fmt: skip
VECTORS = (
    "b", "lower", "upper", "z", "cosine", "sine", "sliding", "bound", "returns", "weight", "last",
    "follows", "own",
)  # fmt: skip
DENSE = {
    "channel": (L.REDUCED_INDEX_I, 0, 2), "place": (L.REDUCED_INDEX_I, 1, 2), "A": L.REDUCED,
    "active": L.REDUCED_ACTIVE_I, "work": L.REDUCED_WORK, "settings": L.SOLVER_SETTINGS,
    **{name: (L.REDUCED_VECTOR, k, len(VECTORS)) for k, name in enumerate(VECTORS)},
}  # fmt: skip
#: The problem with friction, on the channels of the step...
HARD = {
    "given": {
        "B": L.DELASSUS, "free": L.FREE, "compliance": L.CHANNEL_COMPLIANCE, "bias": L.CHANNEL_BIAS,
        "lower": L.CHANNEL_LOWER, "upper": L.CHANNEL_UPPER, "parent": L.CHANNEL_PARENT_I,
        "coefficient": L.CHANNEL_COEFFICIENT, "partner": L.CHANNEL_PARTNER_I,
        "proximal": L.CHANNEL_SOFT_I, "live": L.CHANNEL_LIVE_I, "impulse": L.CHANNEL_IMPULSE,
        "active": L.CHANNEL_ACTIVE_I,
    }, **DENSE,
}  # fmt: skip
#: ... and on the rows of wheels on soil beside everything hard.
MIXED = {
    "given": {
        "B": L.SOIL_A, "free": L.SOIL_B, "compliance": L.ROW_NOTHING, "bias": L.ROW_NOTHING,
        "lower": L.SOIL_LOWER, "upper": L.SOIL_UPPER, "parent": L.ROW_PARENT_I,
        "coefficient": L.ROW_COEFFICIENT, "partner": L.ROW_PARTNER_I, "proximal": L.ROW_PROXIMAL_I,
        "live": L.ROW_LIVE_I, "impulse": L.SOIL_Z, "active": L.SOIL_ACTIVE_I,
    }, **DENSE,
}  # fmt: skip


def slots(bundle: Any, names: dict[str, Any], base: int = 0) -> Iterator[tuple[int, int, int, int]]:
    """Slots of a bundle, the array that is there, which of so many parts of it."""
    for name, number in names.items():
        entry = bundle.entries[name]
        if isinstance(number, dict):
            yield from slots(entry.bundle, number, base + entry.floats)
            continue
        if isinstance(number, Pair):
            yield base + entry.floats, number.floats, 0, 1
            yield base + entry.ints, L.N_FLOATS + number.ints, 0, 1
            continue
        number, part, parts = number if isinstance(number, tuple) else (number, 0, 1)
        if entry.floats >= 0:
            yield base + entry.floats, number, part, parts
        else:
            yield base + entry.ints, L.N_FLOATS + number, part, parts


def make_friction(rows: int, floats: list[Any], ints: list[Any]) -> None:
    """Room for the problem with friction of so many channels or rows, and its table of places."""
    ints[L.REDUCED_INDEX_I], ints[L.REDUCED_ACTIVE_I] = np.zeros(2 * rows, int), np.zeros(rows, int)
    floats[L.REDUCED] = np.zeros(rows * rows)
    floats[L.REDUCED_VECTOR] = np.zeros(len(VECTORS) * rows)
    floats[L.REDUCED_WORK] = np.zeros(work_length(rows))
    floats[L.SOLVER_SETTINGS] = np.array(SOLVERS.settings("direct"), float)
    ints[L.FRICTION_TABLE_I] = np.zeros(2 * Friction.SLOTS, int)
    for bundle, base, matrix in (
        (Friction, 0, "A"),
        (Friction.given.bundle, Friction.given.floats, "B"),
    ):
        ints[L.FRICTION_TABLE_I][2 * (base + bundle.entries[matrix].floats + 1)] = rows


def place(N: np.ndarray) -> None:
    """Tell the contact problems and the circuit where their arrays have come to lie."""
    place_oil(N)
    parent = 2 * (L.N_FLOATS + L.ROW_PARENT_I)
    hard = HARD if N[parent + 1] == N[parent] else MIXED
    for bundle, names, at in (Contact, CONTACT, L.CONTACT_PLACE), (Friction, hard, L.FRICTION_PLACE):
        base, stop = N[at : at + 2]
        if stop == base:
            continue
        for slot, number, part, parts in slots(bundle, names):
            first, end = N[2 * number : 2 * number + 2]
            size = (end - first) // parts
            N[base + 2 * slot] = first + part * size
            N[base + 2 * slot + 1] = first + (part + 1) * size
