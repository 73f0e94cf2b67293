"""Pressures, flows and energies of a mechanism's hydraulics, at a state or over a run."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import checks
from ..kernels.oil_data import HEAD, OPENING, ROD, BranchNow, PumpNow
from .circuits import Supply, supplies
from .pump import LoadSensingPump

ACCOUNTED = ("pumped", "done", "lost")


class Hydraulics:
    """Pressures and flows of a mechanism's circuits: scalars at a state, arrays (n, ...) over a run.

    Pressures are absolute. Where both sides of a cylinder are given, the head side is first.

    Attributes:
        pump: pressures of the pumps' lines, circuit by circuit, (..., pumps) [Pa].
        work: energies since the start of the run [J]: work of the pumps ("pumped"), work of the oil on
            the rods ("done"), losses in valves, leaks and viscous friction ("lost").
    """

    def __init__(
        self, model: Any, now: np.ndarray, lines: np.ndarray, account: np.ndarray, flows: Any = None
    ) -> None:
        self._circuit, self._model, self._flows = model.circuit, model, flows
        self._now, self._lines = now, lines
        self.pump: np.ndarray = _of(self._lines, PumpNow, "pressure")[..., 0]
        self.work: dict[str, np.ndarray] = {name: account[..., k] for k, name in enumerate(ACCOUNTED)}

    @classmethod
    def of(cls, work: Any) -> Hydraulics:
        """Readings at the present state of a workspace."""
        _check(work.model)
        oil = work.oil()
        return cls(work.model, oil.now.floats, oil.lines.floats, oil.account, oil.flows)

    @classmethod
    def recorded(cls, model: Any, values: np.ndarray) -> Hydraulics:
        """Readings of recorded states; ``values``: arrays of :func:`oil_state`, any leading axes."""
        _check(model)
        oil, lead = model.machine.oil, values.shape[:-1]
        ends = np.cumsum([oil.now.floats.size, oil.lines.floats.size])
        now, lines, account = np.split(values, ends, axis=-1)
        sizes = BranchNow.FLOATS, PumpNow.FLOATS
        now, lines = (x.reshape(*lead, -1, n) for x, n in zip((now, lines), sizes, strict=True))
        return cls(model, now, lines, account)

    def _number(self, cylinder: str) -> int:
        known = self._model.cylinder_index
        if not isinstance(cylinder, str) or cylinder not in known:
            raise checks.UnknownName(f"circuit {self._circuit.name!r}: cylinder", cylinder, known)
        return known[cylinder]

    def _read(self, cylinder: str, name: str) -> np.ndarray:
        """Copy of a field of a cylinder's records, which later steps of the simulation do not change."""
        return _of(self._now[..., self._number(cylinder), :], BranchNow, name).copy()

    def pressure(self, cylinder: str) -> np.ndarray:
        """Pressures of head and rod side, (..., 2) [Pa]."""
        return self._read(cylinder, "x")[..., [HEAD, ROD]]

    def extension(self, cylinder: str) -> np.ndarray:
        """Position of the piston from the head's end [m]."""
        return self._read(cylinder, "length")[..., 0]

    @property
    def pressures(self) -> np.ndarray:
        """Pressures of head and rod side of all cylinders, (..., cylinders, 2) [Pa]."""
        return _of(self._now, BranchNow, "x")[..., [HEAD, ROD]]

    @property
    def extensions(self) -> np.ndarray:
        """Positions of all pistons from their heads' ends, (..., cylinders) [m]."""
        return _of(self._now, BranchNow, "length")[..., 0].copy()

    def spool(self, cylinder: str) -> np.ndarray:
        """Position of the cylinder's spool [-]."""
        return self._read(cylinder, "spool")[..., 0]

    def opening(self, cylinder: str) -> np.ndarray:
        """Opening of the cylinder's compensator [m^2]."""
        return self._read(cylinder, "x")[..., OPENING]

    def oil(self, cylinder: str) -> np.ndarray:
        """Oil in head and rod side, as its volume at zero pressure, (..., 2) [m^3]."""
        return self._read(cylinder, "oil")

    def flow(self, cylinder: str) -> np.ndarray:
        """Flow into head and rod side at the end of a simulation's last step, (2,) [m^3/s].

        Raises:
            MechanismError: for the readings of a run, which have no flows; use differences of
                :meth:`oil`.
        """
        if self._flows is None:
            raise checks.MechanismError("hydraulics: a run records the oil, not the flows")
        return self._flows[self._number(cylinder)].rate[:2].copy()

    @property
    def energy(self) -> np.ndarray:
        """Energy of all oil and of the expanded walls, relative to oil in the tank [J]."""
        return sum(self.energies.values(), np.zeros(self._now.shape[:-2]))

    @property
    def energies(self) -> dict[str, np.ndarray]:
        """:attr:`energy` of each circuit, by name [J]."""
        found: dict[str, np.ndarray] = {}
        for j, supply in enumerate(supplies(self._circuit)):
            name = supply.circuit.name
            found[name] = found.get(name, np.zeros(self._now.shape[:-2])) + self._stored(j, supply)
        return found

    def _stored(self, j: int, supply: Supply) -> np.ndarray:
        """Energy of the oil in the line of pump j and in its branches [J]."""
        total, oil, pump = np.zeros(self._now.shape[:-2]), supply.circuit.fluid, supply.circuit.pump
        soft = 1.0 / oil.hose_modulus if oil.hose_modulus else 0.0
        wall = 1.0 / oil.wall_modulus if oil.wall_modulus else 0.0
        for k in range(supply.first, supply.last):
            cylinder = self._circuit.branches[k].cylinder
            length, content = self.extension(cylinder.name), self.oil(cylinder.name)
            pressure = self.pressure(cylinder.name)
            head, rod = cylinder.areas
            inside = (head * length, rod * (cylinder.stroke - length))
            for c in (HEAD, ROD):
                hose, volume = cylinder.hose_volume[c], cylinder.dead_volume + inside[c]
                widening = hose * soft + volume * wall
                total = total + _stored(volume + hose, widening, content[..., c], pressure[..., c], oil)
        if isinstance(pump, LoadSensingPump):
            content = _of(self._lines, PumpNow, "oil")[..., j, 0]
            total = total + _stored(pump.line, 0.0, content, self.pump[..., j], oil)
        return total

    def columns(self) -> dict[str, np.ndarray]:
        """Every pressure, extension and spool as a named column with its unit."""
        found = {}
        for name in self._circuit.cylinders:
            pressure = self.pressure(name)
            found[f"{name}.head [Pa]"], found[f"{name}.rod [Pa]"] = pressure[..., 0], pressure[..., 1]
            found[f"{name}.extension [m]"] = self.extension(name)
            found[f"{name}.spool [-]"] = self.spool(name)
        for j, supply in enumerate(supplies(self._circuit)):
            found[f"{supply.circuit.name}.pump {supply.number} [Pa]"] = self.pump[..., j]
        return found


def oil_state(machine: Any) -> np.ndarray:
    """Present state of branches and lines with the energy balance, concatenated to one array."""
    oil = machine.oil
    return np.concatenate([oil.now.floats.ravel(), oil.lines.floats.ravel(), oil.account])


def _check(model: Any) -> None:
    if model.circuit is None:
        raise checks.MechanismError(f"model {model.mechanism.name!r}: it has no hydraulic circuit")


def _of(records: np.ndarray, kind: Any, name: str) -> np.ndarray:
    """Field ``name`` of records of type ``kind``, whose numbers are on the last axis."""
    field = kind.fields[name]
    return records[..., field.offset : field.offset + field.size]


def _stored(volume: Any, widening: Any, oil: Any, pressure: Any, fluid: Any) -> np.ndarray:
    """Energy of a chamber or line [J], ``kernels.volume.stored`` for arrays."""
    beta = fluid.modulus
    phi = np.exp(pressure / beta)
    full = volume * phi + widening * pressure
    content = np.minimum(oil, full)
    own = (content - widening * pressure) * beta * (1.0 - (1.0 + pressure / beta) / phi)
    tank = beta * (1.0 - np.exp(-fluid.tank / beta))
    return own + 0.5 * widening * pressure**2 - fluid.cavitation * (full - content) / phi - oil * tank
