"""Block: a component with ports that advances tick by tick. Blocks of one category are exchangeable."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mlcp import renamed
from mlcp.checks import nearest
from mlcp.kinds import Owner, check_fields

from . import bus as buses
from .errors import RigError, checked
from .panels.panel import Panel
from .port import Port
from .site import Site


def parameter(
    start: float, unit: str = "", about: str = "", *, low: float = -np.inf, high: float = np.inf
) -> Any:
    """Dataclass field of a block's parameter, with its unit and range.

    Arguments:
        start: default [unit].
        unit, about: as in ``Port``.
        low, high: range [unit].
    """
    return dataclasses.field(default=start, metadata={"port": Port(unit, (), start, low, high, about)})


@renamed.attributes(lay="prepare")
@checked.explained
class Block(ABC):
    """Base of all blocks; a subclass is a dataclass whose fields are its parameters.

    ``inputs`` and ``outputs`` are the ports of its ``category`` in the bus table, unless the subclass
    overrides them. A subclass implements ``begin()``, which sets its own state from ``site`` and the
    start values in its ``output`` views, and ``advance(time, h)``, which reads input views and writes
    output views. ``keeps``: names of the arrays that make up its state beside inputs and outputs.

    Raises:
        RigError: a method's argument of a wrong kind.
    """

    category: ClassVar[str] = ""
    name: ClassVar[str] = ""
    about: ClassVar[str] = ""
    keeps: ClassVar[tuple[str, ...]] = ()
    #: Time between two calls of ``advance`` [s]; None: every tick.
    period: float | None = None
    site: Site
    u: NDArray[np.float64]
    y: NDArray[np.float64]

    def __post_init__(self) -> None:
        for key, port in self.parameters.items():
            value = port.value(f"{self.title}: {key}", getattr(self, key))
            object.__setattr__(self, key, float(value[0]))
        check_fields(Owner(self.title, ": ", RigError), self)
        self._allocate(None)

    @property
    def title(self) -> str:
        """Category and name, as in error messages."""
        return f"{self.category} {self.name!r}"

    @property
    def parameters(self) -> Mapping[str, Port]:
        """Ports (unit and range) of the block's numerical parameters, by name."""
        fields = dataclasses.fields(self) if dataclasses.is_dataclass(self) else ()
        return {f.name: f.metadata["port"] for f in fields if "port" in f.metadata}

    @property
    def inputs(self) -> Mapping[str, Port]:
        """Ports of the signals read by the block."""
        return buses.core().inputs(self.category)

    @property
    def outputs(self) -> Mapping[str, Port]:
        """Ports of the signals written by the block."""
        return buses.core().outputs(self.category)

    def _allocate(self, start: Mapping[str, Any] | None) -> None:
        """Allocate the arrays of inputs and outputs, and a view of each signal in them."""
        self._views: dict[str, NDArray[np.float64]] = {}
        for attribute, ports in (("u", self.inputs), ("y", self.outputs)):
            flat, at = np.zeros(sum(p.size for p in ports.values())), 0
            for key, port in ports.items():
                view = flat[at : at + port.size]
                view[:] = port.value(key, (start or {}).get(key, port.start))
                self._views[key if attribute == "u" else "out " + key] = view
                at += port.size
            setattr(self, attribute, flat)

    def input(self, name: str) -> NDArray[np.float64]:
        """View of an input, shape (size,) [its unit]; it stays valid until the next ``start``."""
        return self._view(name, name)

    def output(self, name: str) -> NDArray[np.float64]:
        """View of an output, shape (size,) [its unit]; it stays valid until the next ``start``."""
        return self._view("out " + name, name)

    def _view(self, key: str, name: str) -> NDArray[np.float64]:
        if key not in self._views:
            raise RigError(f"{self.title} has no signal {name!r}; {nearest(name, self.outputs)}")
        return self._views[key]

    def extend(self, bus: buses.Bus) -> buses.Bus:
        """Table of signals, extended by this block's own signals; most blocks have none."""
        return bus

    def panel(self) -> Panel | None:
        """Panel of the cockpit, if the block is a machine; else None."""
        return None

    def start(self, site: Site | None = None, values: Mapping[str, Any] | None = None) -> None:
        """Begin a run on a site, with start values of signals by name (default: those of the ports)."""
        self.prepare(site or Site(), values)
        self.begin()

    @checked
    def prepare(self, site: Site, values: Mapping[str, Any] | None) -> None:
        """Set the site and the start values of all ports; ``start`` calls this before ``begin``."""
        self.site = site
        self._allocate(values)

    def begin(self) -> None:  # noqa: B027 (a block without a state of its own has nothing to do)
        """Set up the block's own state."""

    @abstractmethod
    def advance(self, time: float, h: float) -> None:
        """Advance from ``time`` to ``time + h`` [s]: read inputs, write outputs."""

    def state(self) -> dict[str, NDArray[np.float64]]:
        """Copy of the whole state by name; a run restored from it continues with the same bytes."""
        return {key: getattr(self, key).copy() for key in ("u", "y", *self.keeps)}

    def restore(self, state: Mapping[str, NDArray[np.float64]]) -> None:
        """Restore a state that ``state()`` has returned."""
        for key in ("u", "y", *self.keeps):
            getattr(self, key)[...] = state[key]
