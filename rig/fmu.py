"""Export of blocks as co-simulation units (FMI 3), and import of such units as blocks."""

from __future__ import annotations

import dataclasses
import functools
import math
import pathlib
import re
import tempfile
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from mlcp import renamed
from mlcp.neighbours import need

from . import catalogue
from .block import Block
from .bus import core
from .errors import RigError, checked, known
from .port import Port
from .site import Site

Table = dict[str, tuple[Any, str, str]]
SITE: Table = {
    "tick": (0.01, "s", "tick of the rig that it runs in"),
    "seed": (0.0, "", "of its noise"),
}


def scalars(name: str, port: Port, prefix: str = "") -> Table:
    """Scalar variables of a signal: ``name``, or ``name_1`` to ``name_n`` for n numbers."""
    values = port.value(name, port.start)
    names = [name] if port.shape == () else [f"{name}_{k + 1}" for k in range(port.size)]
    return {prefix + n: (float(v), port.unit, port.about) for n, v in zip(names, values, strict=True)}


def made_with(kind: Any) -> tuple[Any, ...]:
    """Dataclass fields of a class of blocks; none for other classes."""
    return dataclasses.fields(kind) if dataclasses.is_dataclass(kind) else ()


class BlockUnit:
    """Adapter of a block to the protocol of ``contact.hosts.fmu.Unit``.

    Parameters of the unit: numbers and strings of the block, tick [s] and seed of the rig, and
    ``start_NAME``, the initial values of the outputs. A guidance block follows a straight path along x.
    """

    kind: ClassVar[type[Block]]
    title: ClassVar[str]
    parameters: ClassVar[Table]
    inputs: ClassVar[Table]
    outputs: ClassVar[Table]

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    def _signal(self, name: str, port: Port, prefix: str = "") -> list[float]:
        return [self.values[n] for n in scalars(name, port, prefix)]

    def start(self) -> None:
        """Make the block from the unit's parameters, and start it."""
        fields = {f.name for f in made_with(self.kind)}
        given = {k: v for k, v in self.values.items() if k in fields and k in self.parameters}
        self.block: Block = self.kind(**given)
        values = {n: self._signal(n, p) for n, p in self.block.inputs.items()}
        values |= {n: self._signal(n, p, "start_") for n, p in self.block.outputs.items()}
        values = {n: v[0] if len(v) == 1 else v for n, v in values.items()}
        site = Site(seed=round(self.values["seed"]), tick=self.values["tick"])
        self.block.start(site, values)
        self._write()

    def step(self, time: float, h: float) -> None:
        """Advance from ``time`` to ``time + h`` [s]."""
        self.block.u[:] = [self.values[n] for n in self.inputs]
        self.block.advance(time, h)
        self._write()

    def _write(self) -> None:
        self.values.update(zip(self.outputs, self.block.y.tolist(), strict=True))


def slug(category: str, name: str) -> str:
    """Identifier of a block's unit: category and name with underscores."""
    return re.sub(r"\W", "_", f"{category} {name}")


@functools.cache
def unit_of(category: str, name: str) -> type[BlockUnit]:
    """Class of the unit of a block of the catalogue; RigError with the nearest known name."""
    kind = type(catalogue.make(core().category(category), name))
    plain = kind()
    numbers = {k: (p.start, p.unit, p.about) for k, p in plain.parameters.items()}
    words: Table = {f.name: (f.default, "", "") for f in made_with(kind) if isinstance(f.default, str)}
    starts = {k: v for n, p in plain.outputs.items() for k, v in scalars(n, p, "start_").items()}
    tables = {
        "kind": kind,
        "title": f"{category}, {name}: {kind.about}",
        "parameters": {**numbers, **words, **SITE, **starts},
        "inputs": {k: v for n, p in plain.inputs.items() for k, v in scalars(n, p).items()},
        "outputs": {k: v for n, p in plain.outputs.items() for k, v in scalars(n, p).items()},
    }
    return type(slug(category, name), (BlockUnit,), {"__module__": __name__, **tables})


def __getattr__(name: str) -> Any:
    """Unit classes as attributes of this module, as imported by the scripts in exported units."""
    if name == "Unit":
        return renamed.names(__name__, Unit="UnitBlock")(name)
    for category, blocks in catalogue.BLOCKS.items():
        for block in blocks:
            if slug(category, block) == name:
                return unit_of(category, block)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@checked
def export(category: str, name: str, path: str | pathlib.Path, fmi: int = 3) -> pathlib.Path:
    """Write a block of the catalogue as a co-simulation unit.

    Arguments:
        category, name: block; its numbers become parameters of the unit.
        path: file to write.
        fmi: version of the standard, 3 or 2.

    Returns:
        Path of the file. The computer that runs the unit needs Python with this package.

    Raises:
        RigError: an unknown category or name, a missing folder or library.
    """
    from contact.hosts.fmu import build

    unit = unit_of(category, name)
    try:
        return build(f"{__name__}:{unit.__name__}", pathlib.Path(path), fmi)
    except (ValueError, ModuleNotFoundError) as error:
        raise RigError(f"{category} {name!r} as a unit: {error}") from None


class UnitBlock(Block):
    """Co-simulation unit (FMI 3) as a block: its variables with the names of signals are the ports.

    A signal of n numbers corresponds to n variables, ``name_1`` to ``name_n``. The unit's parameters
    ``tick``, ``seed`` and ``start_NAME`` are set from the rig. The state of a unit is inaccessible: it
    cannot be saved, and the block cannot be written into a rig's file.

    Arguments:
        path: file of the unit.
        category: category of the block; the unit must have all signals written by the category, and may
            have any of those that are read.
        parameters: numbers and strings of the unit by name.

    Raises:
        RigError: an unreadable file, a missing output or parameter.
        ModuleNotFoundError: FMPy is missing.
    """

    def __init__(self, path: str | pathlib.Path, category: str, **parameters: float | str) -> None:
        fmpy = need("fmpy", "a unit as a block", "fmi")
        # category and name differ from unit to unit; other blocks have them in their class
        vars(self).update(category=core().category(category), name=pathlib.Path(path).stem)
        try:
            about: Any = fmpy.read_model_description(str(path))
            self._folder = tempfile.TemporaryDirectory(prefix="rig_unit_")
            self._unzipped = fmpy.extract(str(path), self._folder.name)
        except Exception as error:
            raise RigError(f"{path} cannot be read as a unit of FMI 3: {error}") from None
        if about.coSimulation is None or about.fmiVersion != "3.0":
            raise RigError(f"{path} is no co-simulation unit of FMI 3, but of FMI {about.fmiVersion}")
        self._about = about
        self._at = {v.name: v.valueReference for v in about.modelVariables}
        by = {c: {v.name for v in about.modelVariables if v.causality == c} for c in CAUSALITIES}
        self._parameters = by["parameter"]
        for key in parameters:
            known(f"{path} has no parameter", key, self._parameters)
        self._given = dict(parameters)
        bus = core()
        self._reads = {
            n: p for n, p in bus.inputs(category).items() if scalars(n, p).keys() <= by["input"]
        }
        self._writes = bus.outputs(category)
        absent = [k for n, p in self._writes.items() for k in scalars(n, p) if k not in by["output"]]
        if absent:
            raise RigError(f"{path} has no output {absent[0]!r}, as every {category} block has")
        self._made: Any = None
        self._allocate(None)

    @property
    def inputs(self) -> Mapping[str, Port]:
        return self._reads

    @property
    def outputs(self) -> Mapping[str, Port]:
        return self._writes

    def _references(self, ports: Mapping[str, Port]) -> list[int]:
        return [self._at[k] for n, p in ports.items() for k in scalars(n, p)]

    def begin(self) -> None:
        """Make a new instance with the rig's tick, seed and start values."""
        from fmpy.fmi3 import FMU3Slave

        self._end()
        made: Any = FMU3Slave(
            guid=self._about.guid,
            unzipDirectory=self._unzipped,
            instanceName=self.name,
            modelIdentifier=self._about.coSimulation.modelIdentifier,
        )
        made.instantiate()
        self._made = made
        made.enterInitializationMode()
        site = {"tick": self.site.tick, "seed": float(self.site.seed)}
        starts = {
            k: v
            for n, p in self._writes.items()
            for k, v in zip(scalars(n, p, "start_"), self.output(n).tolist(), strict=True)
        }
        for key, value in {**site, **starts, **self._given}.items():
            if key not in self._parameters:
                continue
            if isinstance(value, str):
                made.setString([self._at[key]], [value])
            else:
                made.setFloat64([self._at[key]], [float(value)])
        self._in, self._out = self._references(self._reads), self._references(self._writes)
        if self._in:
            made.setFloat64(self._in, self.u.tolist())
        made.exitInitializationMode()
        self.y[:] = made.getFloat64(self._out)

    def advance(self, time: float, h: float) -> None:
        """Advance the unit by one step; RigError if it reports an error."""
        if self._in:
            self._made.setFloat64(self._in, self.u.tolist())
        try:
            self._made.doStep(currentCommunicationPoint=time, communicationStepSize=h)
        except Exception as error:
            raise RigError(f"{self.title}: at {time:g} s its unit does not step: {error}") from None
        found = np.array(self._made.getFloat64(self._out))
        self.y[:] = found if np.isfinite(found).all() else math.nan

    def state(self) -> dict[str, Any]:
        """Raise RigError: the state of a unit is inaccessible."""
        raise RigError(f"{self.title}: the state of a unit cannot be saved")

    def _end(self) -> None:
        if self._made is not None:
            self._made.terminate()
            self._made.freeInstance()
            self._made = None

    def __del__(self) -> None:
        if getattr(self, "_made", None) is not None:
            self._end()


CAUSALITIES = ("parameter", "input", "output")
