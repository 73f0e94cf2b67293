"""Oil of a circuit as the fast model of a ``MultiRate``, and masses on its rods as a slow model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bodies.checks import SimulationError
from bodies.hydraulics import Circuit, Rod
from bodies.hydraulics.bench import EACH
from bodies.hydraulics.circuits import Circuits, need_slopes
from bodies.hydraulics.kernels.run import advance
from bodies.hydraulics.packing import carrying, fill, fill_lines, pack
from bodies.hydraulics.tableaux import tableau
from bodies.signals import Signal

from ..errors import RigError
from .exchange import Slow, Stepped

Array = NDArray[np.float64]


class Oil(Stepped):
    """Fast model: oil, valves and pumps of circuits in explicit steps, driven by their rods' motion.

    Motion: (lengths [m], speeds [m/s]); between exchanges pistons move with constant or extrapolated
    speed. State: for each branch length [m], speed [m/s], oil of head and rod side [m^3], opening of the
    compensator [m^2], spool position [-]; then oil of the lines [m^3], time [s], forces at the end [N].

    Arguments:
        circuit: circuit or circuits; relief and make-up valves need a finite slope.
        inputs: numbers or schedules of the levers, by the names of their inputs.

    Raises:
        MechanismError: a set-valued relief or make-up valve.
    """

    def __init__(self, circuit: Circuit | Circuits, inputs: Mapping[str, Signal] | None = None) -> None:
        need_slopes("the fast model", circuit)
        self.circuit: Circuit | Circuits = circuit
        self._inputs = dict(inputs or {})
        self._packed: dict[str, Any] = {}
        n = len(circuit.branches)
        self._areas = np.array([b.cylinder.areas for b in circuit.branches]) * (1.0, -1.0)
        self._damping = np.array([b.cylinder.damping for b in circuit.branches])
        self._rows = np.arange(n) * EACH

    def _memory(self, method: str) -> Any:
        """Memory of the kernels for the circuit and an explicit method; made once for each method."""
        if method not in self._packed:

            def driven(k: int, record: Any, curves: Any) -> None:
                record.driven = 1
                curves.add_signal(f"rod {k}", 0.0, record.load, {})

            self._packed[method] = pack(self.circuit, self._inputs, tableau(method), driven)
        return self._packed[method]

    def start(self, forces: Any = None, pressures: Any = None) -> Array:
        """State at rest at the cylinders' extensions in the description.

        Arguments:
            forces: loads of the rods, balanced by the pressures, shape (n,) [N].
            pressures: pressures of head and rod side instead, shape (n, 2) [Pa].
        """
        memory = self._memory("ode1")
        if pressures is None:
            loads = np.atleast_1d(np.asarray(forces, float))
            pressures = [carrying(self.circuit, k, float(force)) for k, force in enumerate(loads)]
        for k, pair in enumerate(pressures):
            fill(self.circuit, memory, k, pair)
        fill_lines(self.circuit, memory)
        now = memory.now
        parts = [[r.length, 0.0, *r.oil, r.x[2], r.spool] for r in now]
        carried = [r.x[:2] @ areas for r, areas in zip(now, self._areas, strict=True)]
        return np.array([*np.ravel(parts), *memory.lines.oil, 0.0, *carried])

    def go(
        self, y: Array, motion: Array, slope: Array, count: int, t: float, method: str
    ) -> tuple[Array, Array, Array]:
        """Take explicit steps of the oil; SimulationError for a piston outside its stroke."""
        memory, n = self._memory(method), len(self._rows)
        self._put(memory, y, motion, slope, t)
        records = np.empty((count, EACH * n + len(memory.lines)))
        if advance(memory.F, memory.N, True, count, 1, records) < count:
            raise SimulationError(f"at {memory.clock.time:g} s a piston is outside its stroke")
        speed, head, rod = (records[:, self._rows + i] for i in (1, 2, 3))
        forces = head * self._areas[:, 0] + rod * self._areas[:, 1] - self._damping * speed
        mean = (forces.sum(axis=0) + 0.5 * (y[-n:] - forces[-1])) / count
        now = memory.now
        parts = np.column_stack((now.length, now.speed, now.oil, now.x[:, 2], now.spool))
        end = np.concatenate((parts.ravel(), memory.lines.oil, [memory.clock.time], forces[-1]))
        return end, forces[-1], mean

    def _put(self, memory: Any, y: Array, motion: Array, slope: Array, t: float) -> None:
        """Write a state and the prescribed motion of the rods into the kernels' memory."""
        n = len(self._rows)
        parts, now = y[: EACH * n].reshape(n, EACH), memory.now
        now.length[:], now.speed[:] = motion[:n], motion[n:]
        now.oil[:], now.x[:, 2], now.spool[:] = parts[:, 2:4], parts[:, 4], parts[:, 5]
        memory.lines.oil[:] = y[EACH * n : -n - 1]
        memory.clock.time, memory.clock.step = y[-n - 1], t
        for branch, rate in zip(memory.branches, slope[n:], strict=True):
            first, size = branch.load.first, branch.load.count
            memory.y[first : first + size] = rate


class Rods(Slow):
    """Slow model: masses m on the rods, ``m du/dt = f + F``, by semi-implicit Euler steps.

    u: speed of a rod [m/s], f: its constant force, F: force of the oil on it [N].

    Arguments:
        rods: rods with constant forces f [N].

    Raises:
        RigError: a rod with a varying force or a prescribed speed.
    """

    def __init__(self, rods: tuple[Rod, ...]) -> None:
        for k, rod in enumerate(rods):
            if rod.speed is not None or not isinstance(rod.force, int | float):
                raise RigError(f"rod {k} needs a force that is a number, and no given speed")
        self.mass: Array = np.array([rod.mass for rod in rods])
        self.load: Array = np.array([float(rod.force) for rod in rods])  # type: ignore[arg-type]

    def step(self, x: Array, force: Array, h: float) -> Array:
        """State after a step: new speeds, then lengths by the new speeds."""
        n = len(self.mass)
        speed = x[n:] + h * (force + self.load) / self.mass
        return np.concatenate((x[:n] + h * speed, speed))

    def motion(self, x: Array) -> Array:
        """Lengths and speeds of the rods [m, m/s], which are the state itself."""
        return x
