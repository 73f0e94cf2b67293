"""Block: something with ports that advances by a tick. Blocks of one category swap."""

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
from .panel import Panel
from .port import Port
from .site import Site


def parameter(
    start: float, unit: str = "", about: str = "", *, low: float = -np.inf, high: float = np.inf
) -> Any:
    """A number that a block is made with: a dataclass field that knows its unit and range.

    Arguments:
        start: its default [unit].
        unit, about: as in ``Port``.
        low, high: range [unit].
    """
    return dataclasses.field(default=start, metadata={"port": Port(unit, (), start, low, high, about)})


@renamed.attributes(lay="prepare")
@checked.explained
class Block(ABC):
    """Base of all blocks; a subclass is a dataclass whose fields are its parameters.

    ``inputs`` and ``outputs`` are the ports of its ``category`` in the bus table unless it says
    otherwise.
    A subclass defines ``begin()``, which sets up its own state from ``site`` and the start values in its
    ``output`` views, and ``advance(time, h)``, which reads input views and writes output
    views. ``keeps`` names the arrays that, with inputs and outputs, decide the future.

    Raises:
        RigError: naming the argument of a method that is of a wrong kind.
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
        """How sentences name it: category and name."""
        return f"{self.category} {self.name!r}"

    @property
    def parameters(self) -> Mapping[str, Port]:
        """Ports of the numbers it was made with."""
        fields = dataclasses.fields(self) if dataclasses.is_dataclass(self) else ()
        return {f.name: f.metadata["port"] for f in fields if "port" in f.metadata}

    @property
    def inputs(self) -> Mapping[str, Port]:
        """Ports that it reads."""
        return buses.core().inputs(self.category)

    @property
    def outputs(self) -> Mapping[str, Port]:
        """Ports that it writes."""
        return buses.core().outputs(self.category)

    def _allocate(self, start: Mapping[str, Any] | None) -> None:
        """Arrays for inputs and outputs, and a view of each signal in them."""
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
        """The table of signals with this block's own; most blocks have none."""
        return bus

    def panel(self) -> Panel | None:
        """Panel of the machine that this block is; None: it is none."""
        return None

    def start(self, site: Site | None = None, values: Mapping[str, Any] | None = None) -> None:
        """Begin at a site, with start values of signals by name where they are not the ports' own."""
        self.prepare(site or Site(), values)
        self.begin()

    @checked
    def prepare(self, site: Site, values: Mapping[str, Any] | None) -> None:
        """Set the site, and start values on all ports; the first half of ``start``."""
        self.site = site
        self._allocate(values)

    def begin(self) -> None:  # noqa: B027 (a block without a state of its own has nothing to do)
        """Set up the block's own state."""

    @abstractmethod
    def advance(self, time: float, h: float) -> None:
        """Go from ``time`` to ``time + h`` [s]: read inputs, write outputs."""

    def state(self) -> dict[str, NDArray[np.float64]]:
        """Copy of everything that decides the future, by name."""
        return {key: getattr(self, key).copy() for key in ("u", "y", *self.keeps)}

    def restore(self, state: Mapping[str, NDArray[np.float64]]) -> None:
        """Go back to a ``state()``."""
        for key in ("u", "y", *self.keeps):
            getattr(self, key)[...] = state[key]
