"""A test bench: a circuit with a mass on every rod, integrated implicitly or explicitly."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from .. import checks
from ..checks import checked
from ..kernels.oil_data import DONE, LOST, PUMPED, STORED, TANK
from ..kinds import Positive, Range
from ..signals import Signal, check_signal
from .circuit import INTEGRATIONS, Circuit
from .circuits import need_slopes
from .cylinder import Pair
from .kernels.run import EACH, advance, stored_energy, write_record
from .kernels.volume import chamber, oil_in
from .packing import carrying, fill, fill_lines, pack
from .tableaux import METHODS, tableau


@dataclass(frozen=True, kw_only=True)
@checked
class Rod:
    """Load of a rod: ``m du/dt = f + F``, u: speed, f: force of the cylinder; or a prescribed speed.

    Arguments:
        mass: mass m on the rod [kg].
        force: external force F on the rod, extension positive [N].
        speed: prescribed speed of the rod [m/s]; None: the rod moves by the equation above.
        pressures: pressures of head and rod side at the start [Pa]; None: in equilibrium with the
            force.

    Raises:
        MechanismError: naming the field, its value and the allowed range.
    """

    mass: Positive = 1000.0
    force: Signal = 0.0
    speed: Signal | None = None
    pressures: Pair | None = None

    who: ClassVar[str] = "rod"

    def __post_init__(self) -> None:
        check_signal("rod", "force", self.force)
        if self.speed is not None:
            check_signal("rod", "speed", self.speed)


class BenchRun:
    """A run of a bench: arrays with one row per record, the first at the start.

    Arguments:
        records: recorded numbers, (n, 6 cylinders + pumps): of each cylinder position, speed, pressures
            of head and rod side, opening, spool position; then the pressures of the pumps' lines.
        every: interval of the records [s].
        branches: number of cylinders.

    Attributes:
        time: time of each record [s], (n,).
        length, speed: position from the head's end and speed of the pistons, (n, cylinders) [m], [m/s].
        pressure: pressures of head and rod side, (n, cylinders, 2) [Pa].
        opening: openings of the compensators, (n, cylinders) [m^2].
        spool: positions of the spools, (n, cylinders) [-].
        line: pressures of the pumps' lines, (n, pumps) [Pa].
        missed: number of implicit steps that did not converge.
        passes: mean number of Newton steps of the oil network in a time step.
        pumped, done, lost, gained: work of the pumps, work on the rods, losses, increase of the oil's
            energy [J]; only for implicit methods.
        oil: increase of the oil in chambers, lines and tank [m^3], a check of its conservation; only for
            implicit methods and a fluid with ``conserve="oil"``.
        void: volume of the voids in head and rod side at the end, (cylinders, 2) [m^3].
    """

    def __init__(self, records: Any, every: float, branches: int) -> None:
        self.time: np.ndarray = every * np.arange(len(records))
        parts = records[:, : EACH * branches].reshape(len(records), branches, EACH)
        self.length: np.ndarray = parts[:, :, 0]
        self.speed: np.ndarray = parts[:, :, 1]
        self.pressure: np.ndarray = parts[:, :, 2:4]
        self.opening: np.ndarray = parts[:, :, 4]
        self.spool: np.ndarray = parts[:, :, 5]
        self.line: np.ndarray = records[:, EACH * branches :]
        self.missed: int = 0
        self.passes: float = 0.0
        self.pumped: float = 0.0
        self.done: float = 0.0
        self.lost: float = 0.0
        self.gained: float = 0.0
        self.oil: float = 0.0
        self.void: np.ndarray = np.zeros((branches, 2))


@checked
class Bench:
    """A circuit with a mass on every rod.

    Arguments:
        circuit: the hydraulic circuit.
        rods: load of each rod, in the order of the circuit's cylinders.
        inputs: numbers or schedules by the input names that levers and forces refer to.

    Raises:
        MechanismError: wrong number or type of rods; a cylinder that is rigid or has dry friction.
    """

    def __init__(
        self, circuit: Circuit, rods: tuple[Rod, ...], inputs: Mapping[str, Signal] | None = None
    ) -> None:
        rods = tuple(rods)
        if len(rods) != len(circuit.branches):
            raise checks.MechanismError(
                f"bench: {len(circuit.branches)} cylinders need as many rods, got {len(rods)}"
            )
        for branch in circuit.branches:
            if branch.cylinder.rigid:
                raise checks.MechanismError(
                    f"bench: cylinder {branch.cylinder.name!r} is rigid; give its rod a speed instead"
                )
            if branch.cylinder.friction > 0.0:
                raise checks.MechanismError(
                    f"bench: cylinder {branch.cylinder.name!r} has seals that rub, "
                    f"{branch.cylinder.friction:g} N; only a mechanism has rows for them"
                )
        self.circuit: Circuit = circuit
        self.rods: tuple[Rod, ...] = rods
        self.inputs: dict[str, Signal] = dict(inputs or {})
        for name, signal in self.inputs.items():
            check_signal("bench", f"input {name!r}", signal)

    def run(
        self,
        duration: float,
        step: float,
        integration: str = "auto",
        *,
        theta: Annotated[float, Range(0.25, 0.5)] = 0.3,
        record_every: int = 1,
    ) -> BenchRun:
        """Integrate from rest.

        Arguments:
            duration: duration of the run [s].
            step: step length [s].
            integration: implicit ``"backward"`` Euler, ``"centred"`` (no numerical damping of oil
                springs) or ``"auto"`` (a blend of the two by step length times natural frequency);
                explicit ``"ode1"`` to ``"ode5"``.
            theta: weight theta in the pressure ``P_0 + theta (P - 2 P_0 + P_-1)`` of the centred force
                [-], 1/4 to 1/2; P, P_0, P_-1: pressures at the step's end, its start, one step earlier.
            record_every: number of steps per record.

        Returns:
            The records, and the balances of energy and oil.

        Raises:
            MechanismError: naming the argument, its value and the allowed range; an explicit method with
                a rod of prescribed speed, or a relief or make-up of slope 0.
            UnknownName: a lever or force refers to an input that ``inputs`` does not have.
            SimulationError: a piston left its cylinder.
        """
        checks.number("bench", "step", step, 0.0, open_low=True)
        checks.number("bench", "duration", duration, step)
        checks.one_of("bench", "integration", integration, (*INTEGRATIONS, *METHODS))
        checks.number("bench", "theta", theta, 0.25, 0.5)
        every = checks.whole("bench", "record_every", record_every, 1)
        explicit = integration in METHODS
        if explicit:
            need_slopes("bench", self.circuit)
            for k, rod in enumerate(self.rods):
                if rod.speed is not None:
                    raise checks.MechanismError(
                        f"bench: rod {k} has a given speed, which explicit methods do not support"
                    )
        steps = round(duration / step)
        memory = pack(
            self.circuit, self.inputs, tableau(integration if explicit else "ode1"), self._add_load
        )
        clock = memory.clock
        clock.step, memory.pumps.theta[:] = step, theta
        memory.pumps.centred[:] = INTEGRATIONS.get(integration, 0.0)
        self._start(memory)
        n = len(self.rods)
        records = np.zeros((steps // every + 1, EACH * n + len(memory.pumps)))
        write_record(memory, records[0])
        before = stored_energy(memory), self._oil(memory)
        done = advance(memory.F, memory.N, explicit, steps, every, records[1:])
        if done < steps:
            self._check_strokes(memory, (done + 1) * step)
        run = BenchRun(records, step * every, n)
        run.missed, run.passes = clock.missed, clock.passes / steps
        account = memory.account
        run.pumped, run.done, run.lost = (float(account[k]) for k in (PUMPED, DONE, LOST))
        run.gained, run.oil = float(account[STORED]) - before[0], self._oil(memory) - before[1]
        run.void = self._voids(memory)
        return run

    def _add_load(self, k: int, record: Any, curves: Any) -> None:
        """Write the load of a rod to its record."""
        rod = self.rods[k]
        record.mass, record.driven = rod.mass, int(rod.speed is not None)
        signal = rod.force if rod.speed is None else rod.speed
        curves.add_signal(f"rod {k}", signal, record.load, self.inputs)

    def _start(self, memory: Any) -> None:
        """Set the initial state: pistons at their given extensions, pressures in equilibrium with
        the loads or as given, lines at standby pressure.
        """
        for k, rod in enumerate(self.rods):
            driven = rod.speed is not None
            force = 0.0 if driven else float(memory.y[memory.branches[k].load.first])
            fill(self.circuit, memory, k, rod.pressures or carrying(self.circuit, k, force))
            memory.solves[k].mobility = 0.0 if driven else 1.0 / rod.mass
        fill_lines(self.circuit, memory)

    @staticmethod
    def _oil(memory: Any) -> float:
        """Oil in chambers, lines and tank [m^3]."""
        return float(math.fsum([*memory.now.oil.ravel(), *memory.lines.oil, memory.account[TANK]]))

    @staticmethod
    def _voids(memory: Any) -> np.ndarray:
        """Volumes of the voids in the chambers [m^3], (cylinders, 2)."""
        found = np.zeros((len(memory.now), 2))
        for k in range(len(found)):
            fluid = memory.fluids[memory.branches[k].pump]
            for c in (0, 1):
                volume, widening = chamber(memory, k, c, memory.now[k].length)
                full, _, phi = oil_in(volume, widening, fluid.cavity, fluid)
                found[k, c] = max(full - memory.now[k].oil[c], 0.0) / phi
        return found

    def _check_strokes(self, memory: Any, time: float) -> None:
        """Raise SimulationError if a piston is outside its cylinder at ``time`` [s]."""
        for branch, now in zip(self.circuit.branches, memory.now, strict=True):
            cylinder = branch.cylinder
            if not 0.0 <= now.length <= cylinder.stroke:
                raise checks.SimulationError(
                    f"cylinder {cylinder.name!r}: at {time:g} s its piston stands at {now.length:g} m, "
                    f"outside its stroke of 0 to {cylinder.stroke:g} m"
                )
