"""The compiled mechanism: read-only flat arrays and the names of everything in them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from . import checks, summary
from .checks import checked
from .hydraulics.circuit import Circuit
from .hydraulics.circuits import joined
from .kernels.data import Run
from .kernels.slots import FLOATS, INTS, STATE_FLOATS
from .mechanism import Mechanism
from .state import State

V = TypeVar("V")


@checked.explained
@dataclass(frozen=True, eq=False)
class Model:
    """What :func:`bodies.compile` makes of a :class:`Mechanism`.

    Attributes:
        mechanism: the description it came from.
        floats, ints: the two flat workspaces [SI] in their initial state, read-only.
        body_index, coordinate_index, input_index: names to numbers.
        rows: per joint or coupling that is a node: name -> (first row, number of rows).
        channels: per bounded coupling, contact or wheel: name -> (first channel, number).
        structure: the graph handed to the factorisation.
        plan: elimination order and tables for the initial pose.
        initial: the initial :class:`State`.
        joint_order, coupling_order: the elements in the order of their records.
        force_order: names of the force elements that are no rows (torque, drag), likewise.
    """

    mechanism: Mechanism
    floats: np.ndarray
    ints: np.ndarray
    body_index: dict[str, int]
    coordinate_index: dict[str, int]
    input_index: dict[str, int]
    rows: dict[str, tuple[int, int]]
    channels: dict[str, tuple[int, int]]
    structure: Any
    plan: Any
    initial: State
    joint_order: tuple[Any, ...] = ()
    coupling_order: tuple[Any, ...] = ()
    force_order: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return summary.of_model(self)

    @cached_property
    def circuit(self) -> Any:
        """The hydraulic circuit but its rigid cylinders, or all circuits; None where there is no oil."""
        return joined(e for e in self.mechanism.elements if isinstance(e, Circuit))

    @cached_property
    def digest(self) -> str:
        """What identifies the structure: names and order of everything, kinds of joints and rows.

        Not its numbers (gravity, masses, soils): a state may start a model that differs only in those.
        """
        m = self.mechanism
        names = [
            *self.names,
            *(f"input {n}" for n in self.input_index),
            *(f"force {n}" for n in self.force_order),
            *(f"{type(e).__name__} {e.name}" for e in m.elements),
        ]
        sizes = [self.array(path).size for path in STATE_FLOATS]
        of, rows = self.machine, self.machine.contact.rows
        found = hashlib.sha256(repr((names, sizes, self.structure.blocks)).encode())
        for kinds in (of.joints.ints, of.groups.ints, of.channels.parent, rows.channel, rows.minus):
            found.update(repr(kinds.ravel().tolist()).encode())
        return found.hexdigest()

    @property
    def names(self) -> list[str]:
        """The names of everything that a run's arrays are over."""
        return [
            *(f"body {n}" for n in self.body_index),
            *(f"row {n}" for n in self.rows),
            *(f"channel {n}" for n in self.channels),
            *(f"coordinate {n}" for n in self.coordinate_index),
        ]

    def by_element(self, work: np.ndarray) -> dict[str, np.ndarray]:
        """Sums over each element of booked work, last axis as ``WORK_DONE`` (``kernels/work``)."""
        rows, channels = self.structure.rows, self.structure.channel_rows
        found = {k: work[..., a : a + n].sum(axis=-1) for k, (a, n) in self.rows.items()}
        for k, (a, n) in self.channels.items():
            found[k] = work[..., rows + a : rows + a + n].sum(axis=-1)
        for k, name in enumerate(self.force_order):
            found[name] = work[..., rows + channels + k]
        return found | {"gravity and applied": work[..., -2], "turning": work[..., -1]}

    def array(self, path: str) -> np.ndarray:
        """The initial floats of an array or of records, ``"channels.impulse"``."""
        return view(self.floats, self.ints, FLOATS[path])

    def integers(self, path: str) -> np.ndarray:
        """Integers, likewise."""
        return view(self.ints, self.ints, INTS[path])

    @property
    def machine(self) -> Any:
        """Everything by name, as it is initially."""
        return Run(self.floats, self.ints)

    def body(self, name: str) -> int:
        """Number of a body."""
        return lookup(self.body_index, f"model {self.mechanism.name!r}: body", name)

    def coordinate(self, name: str) -> int:
        """Number of a coordinate, ``"joint"`` if it has just one, else ``"joint.angle"``."""
        own = [k for k in self.coordinate_index if isinstance(name, str) and k.rsplit(".", 1)[0] == name]
        return lookup(
            self.coordinate_index,
            f"model {self.mechanism.name!r}: coordinate",
            own[0] if len(own) == 1 else name,
        )

    def input(self, name: str) -> int:
        """Number of an input."""
        return lookup(self.input_index, f"model {self.mechanism.name!r}: input", name)


def lookup(index: Mapping[str, V], where: str, name: str) -> V:
    """``index[name]``, or an error that names the nearest known name."""
    if not isinstance(name, str) or name not in index:
        raise checks.UnknownName(where, name, index)
    return index[name]


def view(memory: np.ndarray, N: np.ndarray, k: int) -> np.ndarray:
    """View of the array of slot k in either of the two flat arrays."""
    return memory[N[2 * k] : N[2 * k + 1]]
