"""Mechanism without its oil as the slow model of a ``MultiRate``, under forces of the cylinders."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bodies import Brake, Mechanism, PointForce, Simulation, compile, equilibrium
from bodies.hydraulics import Circuit
from bodies.hydraulics.circuits import Circuits, joined

from ..errors import RigError
from .exchange import Slow
from .oil import Oil

Array = NDArray[np.float64]


class Linkage(Slow):
    """Slow model: bodies and joints of a mechanism, each step under constant cylinder forces.

    The exchanged state is lengths [m] and speeds [m/s] of the pistons, circuit after circuit. The poses
    of the bodies are in ``simulation``, so that an instance serves one run. Rigid cylinders and the
    seals' dry friction belong to this model; without end stops, a piston outside its stroke ends the
    run.

    Arguments:
        mechanism: mechanism with hydraulic circuits whose cylinders act along joints with an axis.
        step: time step T of the slow model [s].

    Attributes:
        circuit: circuit of the removed oil, or all circuits.
        simulation: simulation of the mechanism without oil.

    Raises:
        RigError: a mechanism without oil, a cylinder along a joint without an axis; in a run, a step
            other than T.
    """

    def __init__(self, mechanism: Mechanism, step: float) -> None:
        circuits = [e for e in mechanism.elements if isinstance(e, Circuit)]
        found = joined(circuits)
        if found is None:
            raise RigError(f"mechanism {mechanism.name!r} has no hydraulic circuit to take apart")
        self.circuit: Circuit | Circuits = found
        self._oiled = mechanism
        joints = {e.name: e for e in mechanism.elements}
        pieces: list[Any] = [dry for c in circuits if (dry := c.without_oil) is not None]
        self._inputs = [f"oil of {b.cylinder.name}" for b in self.circuit.branches]
        for branch, effort in zip(self.circuit.branches, self._inputs, strict=True):
            joint: Any = joints.get(str(branch.cylinder.joint))
            if getattr(joint, "axis", None) is None or getattr(joint, "position", None) is None:
                raise RigError(f"cylinder {branch.cylinder.name!r} acts along no joint that has an axis")
            for body, sign in ((joint.body_a, -1.0), (joint.body_b, 1.0)):
                if body != "ground":
                    axis = tuple(sign * x for x in joint.axis)
                    name = f"{effort} on {body}"
                    force = PointForce(
                        name=name, body=body, position=joint.position, direction=axis, effort=effort
                    )
                    pieces.append(force)
            cylinder = branch.cylinder
            if cylinder.friction > 0.0:
                seals = {"capacity": cylinder.friction, "pressure": 1.0}
                pieces.append(Brake(name=cylinder.parts[-1], joint=joint.name, **seals))
        kept = tuple(e for e in mechanism.elements if not isinstance(e, Circuit))
        inputs = {**mechanism.inputs, **dict.fromkeys(self._inputs, 0.0)}
        dry = dataclasses.replace(mechanism, elements=(*kept, *pieces), inputs=inputs)
        self.simulation: Simulation = Simulation(compile(dry), step)
        model = self.simulation.model
        self._places = [model.coordinate(str(b.cylinder.joint)) for b in self.circuit.branches]
        first = np.array([b.cylinder.extension for b in self.circuit.branches])
        self._offset = first - self.simulation.work.machine.coordinate[self._places]

    @property
    def start(self) -> Array:
        """State at rest with the pistons at their extensions in the description."""
        lengths = self.simulation.work.machine.coordinate[self._places] + self._offset
        return np.concatenate((lengths, np.zeros_like(lengths)))

    def oil(self) -> tuple[Oil, Array]:
        """Fast model (the oil), and its state with the pressures of the static equilibrium."""
        model = compile(self._oiled)
        whole = Simulation(model, self.simulation.step, state=equilibrium(model))
        names = [b.cylinder.name for b in self.circuit.branches]
        oil = Oil(self.circuit, self._oiled.inputs)
        return oil, oil.start(pressures=[whole.hydraulics.pressure(name) for name in names])

    def step(self, x: Array, force: Array, h: float) -> Array:
        """Advance the simulation by one step h [s]; RigError if h is not the simulation's step."""
        sim, n = self.simulation, len(self._places)
        if not math.isclose(h, sim.step, rel_tol=1e-9):
            raise RigError(f"T = {h:g} s is not the step of the linkage, {sim.step:g} s")
        for name, value in zip(self._inputs, force, strict=True):
            sim.set_input(name, float(value))
        sim.run(1)
        lengths = sim.work.machine.coordinate[self._places] + self._offset
        return np.concatenate((lengths, (lengths - x[:n]) / h))

    def motion(self, x: Array) -> Array:
        """Lengths and speeds of the pistons [m, m/s], which are the state itself."""
        return x
