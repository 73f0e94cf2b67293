"""Conversion of circuits (Python objects) to the records and arrays of their kernels."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from mlcp.compiled.records import Records

from ..checks import MechanismError, UnknownName
from ..kernels import oil_data as data
from ..signals import Schedule, Signal
from .circuit import Branch
from .circuits import Circuit, Circuits, Supply, fluid_of, supplies
from .fluid import Fluid
from .kernels.volume import chamber, oil_in
from .pump import LoadSensingPump

Points = tuple[tuple[float, float], ...]


class Curves:
    """Points (x, y) of all curves of a network in one list."""

    def __init__(self) -> None:
        self.points: list[tuple[float, float]] = []

    def add(self, points: Points, place: Any, stepped: bool = False) -> None:
        """Append the points of a curve; write their range to the record ``place``."""
        if len(points) == 1:
            points = (points[0], (points[0][0] + 1.0, points[0][1]))
        place.first, place.count, place.stepped = len(self.points), len(points), int(stepped)
        self.points.extend(points)

    def add_signal(self, who: str, signal: Signal, place: Any, inputs: Mapping[str, Any]) -> None:
        """Append the points of a lever's or load's schedule; a name is looked up in ``inputs``."""
        if isinstance(signal, str):
            if signal not in inputs:
                raise UnknownName(f"{who}: input", signal, inputs)
            signal = inputs[signal]
        if isinstance(signal, Schedule):
            self.add(signal.points, place, signal.hold)
        else:
            self.add(((0.0, float(signal)),), place)


def fluid_record(oil: Fluid) -> Any:
    """Record of a fluid's properties for the kernels."""
    return data.FluidRecord(
        modulus=oil.modulus,
        hose=1.0 / oil.hose_modulus if oil.hose_modulus else 0.0,
        wall=1.0 / oil.wall_modulus if oil.wall_modulus else 0.0,
        discharge=oil.discharge * math.sqrt(2.0 / oil.density),
        transition=oil.transition,
        linear=int(oil.laminar == "linear"),
        by_volume=int(oil.conserve == "volume"),
        tank=oil.tank,
        cavity=oil.cavitation,
    )


def branch_record(branch: Branch, pump: int, curves: Curves, who: str, inputs: Mapping[str, Any]) -> Any:
    """Record of a cylinder with its valves."""
    cylinder, valve = branch.cylinder, branch.valve
    head, rod = cylinder.areas
    dead = cylinder.dead_volume
    relief, feed = branch.relief, branch.make_up
    made = data.BranchRecord(
        pump=pump,
        area=(head, -rod),
        volume=(dead, dead + rod * cylinder.stroke),
        hose=cylinder.hose_volume,
        viscous=cylinder.damping,
        stroke=cylinder.stroke,
        cushion=cylinder.cushion.length if cylinder.cushion else 0.0,
        throttle=cylinder.cushion.orifice if cylinder.cushion else 0.0,
        check=int(valve.load_check),
        lag=valve.lag,
        fastest=valve.fastest or math.inf,
        piston_leak=cylinder.leakage,
        spool_leak=valve.leakage,
        sense=-1.0 if valve.reverse else 1.0,
        relief=relief.pressure if relief else math.inf,
        relief_slope=relief.slope if relief else 0.0,
        makeup=feed.pressure if feed else 0.0,
        makeup_slope=feed.slope if feed else 0.0,
    )
    if branch.compensator:
        made.compensated, made.gain = 1, branch.compensator.gain
        made.drop, made.widest = branch.compensator.drop, branch.compensator.largest
    curves.add(valve.inlet, made.inlet)
    curves.add(valve.outlet, made.outlet)
    curves.add_signal(f"{who}: {cylinder.name!r}", valve.command, made.command, inputs)
    return made


def pump_record(supply: Supply) -> Any:
    """Record of a pump or constant supply, with the integration method of its circuit (theta and centred
    fraction)."""
    circuit, pump = supply.circuit, supply.circuit.pump
    made = data.PumpRecord(
        first=supply.first, last=supply.last, theta=circuit.theta, centred=circuit.centred
    )
    if not isinstance(pump, LoadSensingPump):
        made.relief = pump.pressure
        return made
    made.sensing, made.flow, made.margin, made.band = 1, pump.flow, pump.margin, pump.band
    made.leak, made.volume = pump.leakage, pump.line
    made.relief, made.relief_slope = pump.relief.pressure, pump.relief.slope
    return made


def standby(circuit: Circuit) -> float:
    """Pressure of a circuit's line without flow into the branches [Pa]."""
    pump = circuit.pump
    if not isinstance(pump, LoadSensingPump):
        return pump.pressure
    above = pump.flow * pump.margin / (pump.flow + pump.leakage * pump.band)
    return circuit.fluid.tank + above


def pack(
    circuit: Circuit | Circuits, inputs: Mapping[str, Any], tableau: Any, complete: Any, others: Any = ()
) -> Any:
    """Memory of one or several circuits for the kernels.

    Arguments:
        circuit: the network.
        inputs: schedules or numbers by the names that levers and loads refer to.
        tableau: nodes, weights, coefficients of an explicit method.
        complete: function (number, record, curves) that adds the load of a branch's rod to the record.
        others: numbers of the mechanism's channels along which no cylinder acts.
    """
    n, curves, pumps = len(circuit.branches), Curves(), supplies(circuit)
    rows = []
    for j, supply in enumerate(pumps):
        who = f"circuit {supply.circuit.name!r}"
        for k in range(supply.first, supply.last):
            made = branch_record(circuit.branches[k], j, curves, who, inputs)
            complete(k, made, curves)
            rows.append(made)
    nodes, weights, couplings = tableau
    size = 6 * n + len(pumps)
    points, channels = np.array(curves.points), n + len(others)
    return data.CircuitData.pack(
        clock=data.OilClock(),
        fluids=Records.of(data.FluidRecord, [fluid_record(s.circuit.fluid) for s in pumps]),
        branches=Records.of(data.BranchRecord, rows),
        pumps=Records.of(data.PumpRecord, [pump_record(s) for s in pumps]),
        x=points[:, 0],
        y=points[:, 1],
        now=Records.of(data.BranchNow, n),
        lines=Records.of(data.PumpNow, len(pumps)),
        account=np.zeros(5),
        flows=Records.of(data.Flow, n),
        solves=Records.of(data.Solve, n),
        pumping=Records.of(data.LineRecord, len(pumps)),
        impedance=np.zeros((n, n)),
        coupled=np.zeros((n, n)),
        others=others,
        slopes=np.zeros((n, n)),
        locked_impulses=np.zeros(n),
        inertia=np.zeros((channels, channels)),
        of_pistons=np.zeros((n, n)),
        to_pistons=np.zeros((n, len(others))),
        reactions=np.zeros((n, len(others))),
        speeds=np.zeros(channels),
        bristles=np.zeros(3 * channels),
        right=np.zeros(max(size, len(others))),
        nodes=nodes,
        weights=weights,
        couplings=couplings,
        stages=np.zeros((len(nodes), size)),
        state=np.zeros(size),
        trial=np.zeros(size),
    )


def carrying(circuit: Circuit | Circuits, k: int, force: float) -> tuple[float, float]:
    """Pressures [Pa] of head and rod side of cylinder k at rest under an external force on its rod [N].

    ``force``: extension positive.
    """
    cylinder, tank = circuit.branches[k].cylinder, fluid_of(circuit, k).tank
    head, rod = cylinder.areas
    start_pressure = (rod * cylinder.pressure - force) / head
    if start_pressure < tank:
        return tank, (head * tank + force) / rod
    return start_pressure, cylinder.pressure


def fill(
    circuit: Circuit | Circuits, memory: Any, k: int, pressures: Any, length: float | None = None
) -> None:
    """Set the pressures [Pa] and the oil of cylinder k at the extension ``length`` [m]; None: the
    cylinder's ``extension``.
    """
    who = circuit.branches[k].cylinder.who
    record, now = memory.branches[k], memory.now[k]
    now.length = circuit.branches[k].cylinder.extension if length is None else length
    now.x[:2], now.before[:] = pressures, pressures
    now.spool = record.sense * min(max(memory.y[record.command.first], -1.0), 1.0)
    for c in (0, 1):
        volume, widening = chamber(memory, k, c, now.length)
        now.oil[c] = _filled(who, volume, widening, pressures[c], memory.fluids[record.pump])


def fill_lines(circuit: Circuit | Circuits, memory: Any) -> None:
    """Set all lines to their standby pressure."""
    for j, supply in enumerate(supplies(circuit)):
        line, volume = memory.lines[j], memory.pumps[j].volume
        line.pressure = standby(supply.circuit)
        line.oil = _filled(supply.circuit.who, volume, 0.0, line.pressure, memory.fluids[j])


def _filled(who: str, volume: float, widening: float, pressure: float, fluid: Any) -> float:
    """Oil of a chamber or line [m^3] at a pressure [Pa], which must be below the bulk modulus."""
    if not abs(pressure) < fluid.modulus:
        raise MechanismError(
            f"{who}: a pressure of {pressure:g} Pa at the start is beyond the oil's bulk modulus, "
            f"{fluid.modulus:g} Pa"
        )
    return oil_in(volume, widening, pressure, fluid)[0]
