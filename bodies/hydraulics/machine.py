"""A mechanism whose cylinders a circuit moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import checks
from ..driveline import Brake
from ..kernels import layout as L
from ..signals import Signal
from ..simulation import Simulation
from ..state import State
from ..workspace import REORDER
from .bench import INTEGRATIONS
from .circuit import Circuit
from .kernels.machine import follow_rods, push_rods
from .packing import carrying, fill, fill_lines, pack
from .tableaux import tableau


class Machine:
    """Linkage and oil in one solve: ``u = u_free + B h f(u)`` at the rods, B of the whole linkage.

    In the mechanism a cylinder is a ``Brake`` of its name and capacity 0 on the coordinate along which
    it acts; the machine puts the cylinder's impulse in its place.

    Arguments:
        simulation: of the mechanism; its step and state are the machine's.
        circuit: the hydraulics; a cylinder's ``extension`` belongs to the simulation's present pose.
        inputs: numbers or schedules by the names that levers listen to.
        integration: ``"auto"``, ``"backward"`` or ``"centred"``, as for a bench.
        pressures: of head and rod side at first, by cylinder [Pa]; others carry no load.

    Raises:
        MechanismError: a cylinder without its brake, or other channels than cylinders (brakes, stops,
            contacts and wheels are not solved together with oil).
        UnknownName: an input that is not given.
    """

    def __init__(
        self,
        simulation: Simulation,
        circuit: Circuit,
        *,
        inputs: Mapping[str, Signal] | None = None,
        integration: str = "auto",
        pressures: Mapping[str, tuple[float, float]] | None = None,
    ) -> None:
        checks.one_of("machine", "integration", integration, INTEGRATIONS)
        self.simulation: Simulation = simulation
        self.circuit: Circuit = circuit
        self._names = [branch.cylinder.name for branch in circuit.branches]
        model = simulation.model
        rods = {e.name: e for e in model.mechanism.elements if isinstance(e, Brake)}
        for name in self._names:
            if name not in rods or rods[name].capacity != 0.0:
                raise checks.MechanismError(
                    f"machine: cylinder {name!r} needs a Brake of its name and capacity 0 in the "
                    "mechanism, on the coordinate along which it acts"
                )
        others = [name for name in model.channels if name not in self._names]
        if others:
            raise checks.MechanismError(
                f"machine: {others[0]!r} is no cylinder; brakes, stops, contacts and wheels cannot be "
                "solved together with oil"
            )
        self._rows = np.array([model.channels[name][0] for name in self._names])
        self._places = [model.coordinate(rods[name].joint) for name in self._names]
        self.memory: Any = pack(circuit, dict(inputs or {}), tableau("ode1"), lambda *_: None)
        clock = self.memory.clock
        clock.step, clock.theta, clock.centred = simulation.step, 0.3, INTEGRATIONS[integration]
        clock.time = simulation.time
        given = dict(pressures or {})
        for k, name in enumerate(self._names):
            fill(circuit, self.memory, k, given.get(name) or carrying(circuit, k, 0.0))
        fill_lines(circuit, self.memory)
        self._offset = np.array(self.memory.now.length) - self._coordinates()

    def _coordinates(self) -> np.ndarray:
        return self.simulation.work.f(L.COORDINATE)[self._places]

    def run(self, steps: int) -> None:
        """Do so many steps.

        Raises:
            MechanismError: no whole number, or a negative one. SimulationError: a piston left its
                cylinder, or the linkage cannot go on.
        """
        work, memory = self.simulation.work, self.memory
        for _ in range(checks.whole("machine", "steps", steps)):
            work.stage("detect", "factor")
            if work.i(L.COUNT_I)[L.STATUS] == REORDER:
                work.renew_order()
                work.i(L.COUNT_I)[L.STATUS] = 0
                work.stage("detect", "factor")
            n = len(self._rows)
            B = work.f(L.DELASSUS).reshape(n, n)[np.ix_(self._rows, self._rows)]
            impulse = np.zeros(n)
            push_rods(memory.F, memory.N, B, work.f(L.FREE)[self._rows], impulse)
            work.f(L.CHANNEL_IMPULSE)[self._rows] = impulse
            work.stage("integrate", "project")
            work.refuse()
            lengths = self._coordinates() + self._offset
            for k, branch in enumerate(self.circuit.branches):
                if not 0.0 <= lengths[k] <= branch.cylinder.stroke:
                    raise checks.SimulationError(
                        f"cylinder {self._names[k]!r}: at {self.simulation.time:g} s its piston "
                        f"stands at {lengths[k]:g} m, outside its stroke of 0 to "
                        f"{branch.cylinder.stroke:g} m"
                    )
            follow_rods(memory.F, memory.N, lengths)

    def state(self) -> tuple[State, np.ndarray]:
        """A snapshot of linkage and oil from which a run goes on bit for bit."""
        return self.simulation.state(), self.memory.F.copy()

    def restore(self, state: tuple[State, np.ndarray]) -> None:
        """Go back to a snapshot of this machine.

        Raises:
            MechanismError: a state of another machine.
        """
        linkage, oil = state
        if oil.shape != self.memory.F.shape:
            raise checks.MechanismError(
                f"machine: a state of {oil.size} numbers of oil does not fit this circuit, which has "
                f"{self.memory.F.size}"
            )
        self.simulation.restore(linkage)
        self.memory.F[:] = oil

    def pressure(self, cylinder: str) -> np.ndarray:
        """Of head and rod side (2,) [Pa]."""
        return self.memory.now[self._number(cylinder)].x[:2].copy()

    def extension(self, cylinder: str) -> float:
        """Where the piston stands, from the head's end [m]."""
        return float(self.memory.now[self._number(cylinder)].length)

    @property
    def missed(self) -> int:
        """Steps in which oil and linkage did not agree."""
        return int(self.memory.clock.missed)

    def _number(self, cylinder: str) -> int:
        if cylinder not in self._names:
            raise checks.UnknownName("machine: cylinder", cylinder, self._names)
        return self._names.index(cylinder)
