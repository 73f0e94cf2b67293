"""The compiled mechanism: read-only flat arrays, with names and numbers of the parts."""

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
from .kernels.data import RunData
from .kernels.slots import FLOATS, INTS, STATE_FLOATS
from .mechanism import Mechanism
from .state import State
from .wheel import Wheel

V = TypeVar("V")


@checked.explained
@dataclass(frozen=True, eq=False)
class Model:
    """Compiled form of a :class:`Mechanism`, from :func:`bodies.compile`.

    Attributes:
        mechanism: the mechanism that was compiled.
        floats, ints: all floats [SI] and all integers of the initial state, flat and read-only.
        body_index, coordinate_index, input_index: number of each body, coordinate and input by name.
        rows: (first row, number of rows) of each joint and bilateral coupling, by name; row: scalar
            constraint equation.
        channels: (first channel, number) of each bounded coupling, contact and wheel, by name; channel:
            constraint row whose impulse has bounds.
        structure: graph of the system matrix, for the factorisation.
        plan: elimination order of the system matrix in the initial pose, with its index tables.
        initial: the initial :class:`State`.
        joint_order, coupling_order: joints and couplings in the order of their records.
        force_order: names of the applied forces (torque, drag, ...) in the order of their records.
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
        """Hydraulic network of all cylinders with oil; None without such cylinders."""
        return joined(e for e in self.mechanism.elements if isinstance(e, Circuit))

    @cached_property
    def digest(self) -> str:
        """Hash of the structure: names and order of all parts, kinds of joints and rows.

        It does not depend on gravity, masses and soils: a state can be restored in any model that
        differs only in these.
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
        """Names of bodies, rows, channels and coordinates, in the order of a run's arrays."""
        return [
            *(f"body {n}" for n in self.body_index),
            *(f"row {n}" for n in self.rows),
            *(f"channel {n}" for n in self.channels),
            *(f"coordinate {n}" for n in self.coordinate_index),
        ]

    def by_element(self, work: np.ndarray) -> dict[str, np.ndarray]:
        """Work of each element by name [J]; last axis of ``work``: rows of joints and couplings,
        channels, applied forces, gravity with applied wrenches, gyroscopic impulses."""
        rows, channels = self.structure.rows, self.structure.channel_rows
        found = {k: work[..., a : a + n].sum(axis=-1) for k, (a, n) in self.rows.items()}
        for k, (a, n) in self.channels.items():
            found[k] = work[..., rows + a : rows + a + n].sum(axis=-1)
        for k, name in enumerate(self.force_order):
            found[name] = work[..., rows + channels + k]
        return found | {"gravity and applied": work[..., -2], "turning": work[..., -1]}

    def array(self, path: str) -> np.ndarray:
        """Initial floats of the array or records ``path``, such as ``"channels.impulse"``."""
        return view(self.floats, self.ints, FLOATS[path])

    def integers(self, path: str) -> np.ndarray:
        """Initial integers of the array or records ``path``."""
        return view(self.ints, self.ints, INTS[path])

    @property
    def machine(self) -> Any:
        """Initial state as records and arrays with named fields, ``kernels.data.RunData``."""
        return RunData(self.floats, self.ints)

    def body(self, name: str) -> int:
        """Number of a body."""
        return lookup(self.body_index, f"model {self.mechanism.name!r}: body", name)

    def wheel(self, name: str) -> tuple[int, Wheel]:
        """Number of a wheel's record, and the wheel."""
        wheels = self.mechanism.wheel_order
        index = {wheel.name: k for k, wheel in enumerate(wheels)}
        number = lookup(index, f"model {self.mechanism.name!r}: wheel", name)
        return number, wheels[number]

    def coordinate(self, name: str) -> int:
        """Number of the coordinate ``"joint.angle"``, or ``"joint"`` of a joint with one coordinate."""
        where = f"model {self.mechanism.name!r}: coordinate"
        own = self._single_coordinates.get(name, name) if isinstance(name, str) else name
        return lookup(self.coordinate_index, where, own)

    @cached_property
    def _single_coordinates(self) -> dict[str, str]:
        """Names of the coordinates of joints with one coordinate, by joint."""
        joints = [name.rsplit(".", 1)[0] for name in self.coordinate_index]
        pairs = zip(joints, self.coordinate_index, strict=True)
        return {joint: name for joint, name in pairs if joints.count(joint) == 1}

    @cached_property
    def cylinder_index(self) -> dict[str, int]:
        """Number of each cylinder with oil, by name."""
        return {name: k for k, name in enumerate(self.circuit.cylinders)}

    def input(self, name: str) -> int:
        """Number of an input."""
        return lookup(self.input_index, f"model {self.mechanism.name!r}: input", name)


def lookup(index: Mapping[str, V], where: str, name: str) -> V:
    """``index[name]``; if there is none, UnknownName with the nearest known name. ``where``: start of
    the message."""
    checks.need_known(where, name, index)
    return index[name]


def view(memory: np.ndarray, N: np.ndarray, k: int) -> np.ndarray:
    """View of array number k in ``memory`` (all floats or all integers of a state); N: all integers,
    with the start and end of array k at ``N[2 k]`` and ``N[2 k + 1]``."""
    return memory[N[2 * k] : N[2 * k + 1]]
