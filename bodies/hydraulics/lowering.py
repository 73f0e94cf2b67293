"""A circuit in a mechanism: channels of its cylinders, memory of the oil, initial state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .. import checks
from ..driveline import Brake
from ..forces import JointSpring
from ..joints import Coupling, Limit
from ..kernels.records import RUNNING
from .circuit import Circuit
from .circuits import joined
from .cylinder import HydraulicCylinder
from .packing import carrying, fill, fill_lines, pack
from .rigid import rigid_piston
from .tableaux import tableau


@dataclass(frozen=True, kw_only=True)
class Piston(Coupling):
    """Contact coordinate (channel) along which a cylinder with oil acts.

    The kernels of the oil set the channel's impulse; both bounds of the channel are 0, which excludes it
    from the contact problem.
    """

    joint: str

    row: ClassVar[str] = "driveline.friction"
    bounded: ClassVar[bool] = True

    @property
    def who(self) -> str:
        return f"cylinder {self.name!r}"

    def numbers(self) -> tuple[float, ...]:
        return (0.0,)

    def signals(self) -> dict[str, Any]:
        return {"lever": 0.0}


def add_circuit(builder: Any, circuit: Circuit) -> None:
    """Add channels of cylinders, stops and seals, rows of rigid cylinders, and inputs of the levers."""
    builder.circuits.append(circuit)
    for branch in circuit.branches:
        cylinder = branch.cylinder
        who, joint = f"cylinder {cylinder.name!r}", cylinder.joint
        if joint is None:
            raise checks.MechanismError(f"{who}: in a mechanism it needs a joint, along which it moves")
        start = builder.start_value(builder.coordinate(who, joint))
        if cylinder.rigid:
            builder.add_coupling(rigid_piston(circuit, branch, start))
            continue
        for piece in cylinder_rows(cylinder, joint, start - cylinder.extension):
            builder.add_coupling(piece)
        lever = builder.signal(who, f"{cylinder.name}.lever", branch.valve.command)
        builder.levers.append(lever)


def cylinder_rows(cylinder: HydraulicCylinder, joint: str, low: float) -> Iterator[Coupling]:
    """Rows of a cylinder with oil: piston, stops, seal friction, buffer.

    ``low``: coordinate [m] with the piston at the head's end.
    """
    name, high = cylinder.name, low + cylinder.stroke
    yield Piston(name=name, joint=joint)
    if cylinder.stops:
        yield Limit(name=f"{name} stops", joint=joint, lower=low, upper=high)
    if cylinder.friction > 0.0:
        yield Brake(name=f"{name} seals", joint=joint, capacity=cylinder.friction, pressure=1.0)
    if cylinder.buffer is not None:
        d, f = cylinder.buffer.length, cylinder.buffer.length * cylinder.buffer.stiffness
        table = {(low, -f), (low + d, 0.0), (high - d, 0.0), (high, f)}
        yield JointSpring(name=f"{name} buffer", joint=joint, spring_table=tuple(sorted(table)))


def oil_of(builder: Any, structure: Any) -> Any:
    """Memory of a mechanism's circuits; None without oil."""
    circuit = joined(builder.circuits)
    if circuit is None:
        return None
    first = {n: int(structure.channel_offset[k]) for k, (n, _, _) in enumerate(builder.channels)}
    cylinders = {name: first[name] for name in circuit.cylinders}

    def place(k: int, record: Any, curves: Any) -> None:
        """Write coordinate, channel and lever input of branch k in the mechanism to its record."""
        cylinder = circuit.branches[k].cylinder
        record.coordinate = builder.coordinate(cylinder.name, cylinder.joint)
        record.channel, record.lever = cylinders[cylinder.name], builder.levers[k]
        record.start = cylinder.extension - builder.start_value(record.coordinate)
        curves.add(((0.0, builder.input_values[record.lever]),), record.command)
        record.driven = 1  # the mechanism prescribes the rod's speed
        curves.add(((0.0, 0.0),), record.load)

    taken = set(cylinders.values())
    others = np.array([c for c in range(structure.channel_rows) if c not in taken], np.int64)
    known: Mapping[str, Any] = builder.mechanism.inputs
    memory = pack(circuit, known, tableau("ode3"), place, others)
    for k in range(len(circuit.branches)):
        described = circuit.branches[k].cylinder.pressures
        fill(circuit, memory, k, described or carrying(circuit, k, 0.0))
    fill_lines(circuit, memory)
    return memory


def fill_oil(work: Any, forces: Mapping[str, float] | None = None) -> None:
    """Set the oil of all cylinders for pistons at rest in their present positions.

    ``forces``: forces of the oil on the rods by cylinder, extension positive [N], from which the
    pressures follow; None: the pressures are unchanged.
    """
    circuit = work.model.circuit
    if circuit is None:
        return
    memory, values, inputs = work.oil(), work.machine.coordinate, work.machine.input
    for k, branch in enumerate(circuit.branches):
        record, now = memory.branches[k], memory.now[k]
        pressures = now.x[:2].copy()
        if forces is not None:
            pressures = carrying(circuit, k, -forces[branch.cylinder.name])
        memory.y[record.command.first] = now.lever = inputs[record.lever]
        now.speed, now.lost[:] = 0.0, 0.0
        fill(circuit, memory, k, pressures, float(values[record.coordinate] + record.start))
    fill_lines(circuit, memory)


def piston_left(work: Any) -> str:
    """Message about the piston that has left its cylinder."""
    memory = work.oil()
    for k, branch in enumerate(work.model.circuit.branches):
        length, stroke = float(memory.solves[k].length), branch.cylinder.stroke
        if not 0.0 <= length <= stroke:
            return (
                f"the piston of cylinder {branch.cylinder.name!r} is at {length:.4g} m, outside its "
                f"stroke of 0 to {stroke:g} m,"
            )
    return "a piston is outside its stroke,"


def check_cylinders(work: Any) -> None:
    """Raise MechanismError for a cylinder between bodies whose distance cannot change."""
    model = work.model
    if model.circuit is None:
        return
    work.stage("detect", "factor")
    work.machine.count.status = RUNNING
    own = np.diagonal(work.machine.channels.B)
    for branch in model.circuit.branches:
        cylinder = branch.cylinder
        # [-] least inverse effective mass of a movable piston, times the mass of the heaviest body
        if not own[model.channels[cylinder.name][0]] * np.max(work.machine.mass) > 1e-6:
            raise checks.MechanismError(
                f"cylinder {cylinder.name!r}: nothing can move along {cylinder.joint!r}: it acts "
                "between bodies whose distance cannot change."
            )


def lock_pistons(work: Any) -> None:
    """Lock the pistons for a search for equilibrium, until :func:`unlock_pistons`."""
    if work.model.circuit is not None:
        memory = work.oil()
        memory.clock.locked = 1
        memory.solves.rest[:] = memory.now.length


def unlock_pistons(work: Any) -> None:
    """Unlock the pistons after a search for equilibrium: their oil gets the pressures of the forces that
    locked them; energy balance and oil in the tank are set to zero."""
    circuit = work.model.circuit
    if circuit is None:
        return
    memory, h = work.oil(), work.machine.clock.step
    memory.clock.locked = 0
    first = {name: work.model.channels[name][0] for name in circuit.cylinders}
    fill_oil(work, {name: float(work.machine.channels.impulse[k]) / h for name, k in first.items()})
    memory.account[:] = 0.0
