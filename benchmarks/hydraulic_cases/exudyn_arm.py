"""An arm lifted by a cylinder: Exudyn's hydraulic actuator and ours, with the same equations,

    dp/dt = E/V (Q - A v),   Q = A_v Q_n sqrt(dp),   constant volumes V

with the pressure p of a chamber, modulus E, piston area A and speed v, valve opening A_v, nominal flow
Q_n and pressure drop dp.

Source: arm, actuator and their numbers are those of Exudyn's test of ``HydraulicActuatorSimple``.
Differs from the source: the valve follows a schedule, not the arm.
"""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

from bodies import (
    Body,
    Gravity,
    Length,
    Mechanism,
    Revolute,
    Schedule,
    Simulation,
    compile,
    simulate,
)
from bodies.hydraulics import Branch, Circuit, ConstantPressure, Fluid, HydraulicCylinder, SpoolValve

DURATION = 0.4  # duration of a run [s]
# spool position [-] over time [s], as (time, position)
LEVER = ((0.0, 0.0), (0.05, 0.04), (0.2, 0.04), (0.25, -0.03), (0.4, -0.03))
MASS, LONG, GRAVITY = 120.0, 1.0, 9.81
REST = math.sqrt(2.0) * 0.25  # length of the cylinder at rest [m]
VOLUME, MODULUS, AREA, DAMPING = 1.0, 1e11, 0.01, 2e5
SUPPLY, FLOW, START = 2e7, 2e-5, 2e6
LARGER = 3.0  # factor on V and E: equal E/V, but the piston sweeps a smaller part of V


def ours(step: float, record_every: int = 1) -> tuple[Any, float]:
    """Our run: time [s], length [m], pressures (n, 4) [Pa], CPU time of a step [us]."""
    body = Body(name="arm", mass=MASS, inertia=(1.0, 10.0, MASS / 12.0 * LONG**2), position=(0.5, 0, 0))
    fluid = Fluid(modulus=LARGER * MODULUS, transition=1.0, conserve="volume", tank=0.0, cavitation=0.0)
    edge = (0.0, 0.0), (1.0, FLOW / (fluid.discharge * math.sqrt(2.0 / fluid.density)))
    stroke = 0.5 * REST
    cylinder = HydraulicCylinder(
        name="lift", joint="way", bore=2.0 * math.sqrt(AREA / math.pi), rod=0.0, stroke=stroke,
        extension=0.5 * stroke, dead_volume=LARGER * VOLUME - 0.5 * AREA * stroke, damping=DAMPING,
        pressures=(START, START), stops=False,
    )  # fmt: skip
    valve = SpoolValve(command=Schedule(LEVER), inlet=edge, outlet=edge, load_check=False)
    circuit = Circuit(
        name="oil",
        fluid=fluid,
        pump=ConstantPressure(pressure=SUPPLY),
        branches=(Branch(valve=valve, cylinder=cylinder),),
    )
    elements = (
        Revolute(name="pin", body_a="ground", body_b="arm", position=(0, 0, 0), axis=(0, 0, 1)),
        Length(
            name="way", body_a="ground", body_b="arm", position=(0, -0.25, 0), position_b=(0.25, 0, 0)
        ),
        circuit,
    )
    model = compile(Mechanism("arm", (body,), elements, gravity=Gravity((0, -GRAVITY, 0))))
    run = simulate(model, DURATION, step, record_every=record_every, progress=False)
    steps = round(DURATION / step)
    sim = Simulation(model, step)
    began = time.process_time()
    sim.run(steps)
    cost = 1e6 * (time.process_time() - began) / steps
    oil = run.hydraulics
    pressure = oil.pressure("lift")
    return np.column_stack([run.time, run.coordinate("way"), pressure]), cost


def exudyns(step: float, record_every: int = 1) -> tuple[Any, float]:
    """Exudyn's run by the generalised-alpha method, spectral radius 0.5; results as of ``ours``.

    Raises:
        ImportError: Exudyn is not installed.
    """
    import exudyn as exu
    from exudyn import itemInterface as item

    system = exu.SystemContainer().AddSystem()
    ground = system.AddObject(item.ObjectGround())
    node = system.AddNode(item.NodeRigidBody2D(referenceCoordinates=[0.5 * LONG, 0, 0]))
    arm = system.AddObject(
        item.ObjectRigidBody2D(mass=MASS, inertia=MASS / 12.0 * LONG**2, nodeNumber=node)
    )

    def point(body: int, place: list[float]) -> int:
        return system.AddMarker(item.MarkerBodyPosition(bodyNumber=body, localPosition=place))

    system.AddObject(
        item.ObjectJointRevolute2D(
            markerNumbers=[point(ground, [0, 0, 0]), point(arm, [-0.5 * LONG, 0, 0])]
        )
    )
    load = [0, -MASS * GRAVITY, 0]
    system.AddLoad(item.LoadForceVector(markerNumber=point(arm, [0, 0, 0]), loadVector=load))
    oil = system.AddNode(
        item.NodeGenericODE1(
            referenceCoordinates=[0, 0], initialCoordinates=[START, START], numberOfODE1Coordinates=2
        )
    )
    actuator = system.AddObject(
        item.ObjectConnectorHydraulicActuatorSimple(
            markerNumbers=[point(ground, [0, -0.25 * LONG, 0]), point(arm, [-0.25 * LONG, 0, 0])],
            nodeNumbers=[oil], offsetLength=REST, strokeLength=0.5 * REST, chamberCrossSection0=AREA,
            chamberCrossSection1=AREA, hoseVolume0=VOLUME, hoseVolume1=VOLUME, valveOpening0=0,
            valveOpening1=0, oilBulkModulus=MODULUS, actuatorDamping=DAMPING, nominalFlow=FLOW,
            systemPressure=SUPPLY, tankPressure=0.0, useChamberVolumeChange=False,
        )
    )  # fmt: skip
    times, levers = np.transpose(LEVER)

    def turn_lever(system: Any, t: float) -> bool:
        lever = float(np.interp(t, times, levers))
        system.SetObjectParameter(actuator, "valveOpening0", lever)
        system.SetObjectParameter(actuator, "valveOpening1", -lever)
        return True

    system.SetPreStepUserFunction(turn_lever)
    kind = exu.OutputVariableType
    every = {"storeInternal": True, "writeToFile": False}
    length = system.AddSensor(
        item.SensorObject(objectNumber=actuator, outputVariableType=kind.Distance, **every)
    )
    pressure = system.AddSensor(
        item.SensorNode(nodeNumber=oil, outputVariableType=kind.Coordinates, **every)
    )
    system.Assemble()
    settings = exu.SimulationSettings()
    march = settings.timeIntegration
    march.numberOfSteps, march.endTime = round(DURATION / step), DURATION
    march.newton.relativeTolerance, march.newton.absoluteTolerance = 1e-6, 1e-10
    march.newton.useModifiedNewton = True
    march.newton.numericalDifferentiation.minimumCoordinateSize = 1
    march.generalizedAlpha.spectralRadius = 0.5
    march.verboseMode = 0
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = step * record_every
    began = time.process_time()
    system.SolveDynamic(settings)
    cost = 1e6 * (time.process_time() - began) / march.numberOfSteps
    lengths, pressures = (np.array(system.GetSensorStoredData(s)) for s in (length, pressure))
    return np.column_stack([lengths[:, :2], pressures[:, 1:3]]), cost
