"""A user's program under pyright strict: own law, scheme, mechanism, vehicle, solver. Never executed."""

import numpy as np
from numpy.typing import NDArray

import bodies
import mlcp
from bodies import Body, Distance, Gravity, Mechanism, Schedule, vehicle
from bodies.vehicle import QuarterVehicle
from contact import (
    ConeIndexSoil,
    GroundContact,
    Line,
    Regularisation,
    Sliding,
    Tyre,
    UserLaw,
    WheelContact,
)

Floats = NDArray[np.float64]


def gravel(slip: Floats, load: Floats) -> tuple[Floats, Floats]:
    """Thrust and resistance, each divided by the load."""
    return 0.7 * np.tanh(6.0 * slip), 0.05 + 0.0 * load


def half_secant(at: Sliding) -> Line:
    """Half the secant damper (eq 26 of Peiret et al.), bounded by the law's peak force."""
    return Line(damping=0.5 * at.secant, bound=at.peak)


tyre = Tyre(diameter=0.762, width=0.2, section_height=0.14, deflection_ratio=0.2)
own = Regularisation.own(half_secant, repeats=True)
wheel = WheelContact(tyre, ConeIndexSoil(4e5), law=UserLaw(gravel), regularisation=own)
quarter = QuarterVehicle(
    mass=250.0, wheel_inertia=6.0, wheel=wheel, torque=Schedule.ramp(600.0, 10.0), pull=50.0
)
run = bodies.simulate(bodies.compile(quarter.mechanism(speed=0.0)), duration=20.0, step=1e-3)
top: float = float(run.wheel("wheel").v_x[-1])
speeds: Floats = run.velocity("wheel")[:, 0]
run.to_csv("run.csv")

ground = GroundContact([wheel])
q: Floats = ground.solve(1e-3, gap=[0.0], B=np.eye(4), u=np.zeros(4), u_free=np.zeros(4))

bob = Body("bob", 1.0, (1e-3, 1e-3, 1e-3), position=(-1.0, 0.0, 0.0))
rod = Distance(name="rod", body_a="ground", body_b="bob", position_b=(-1.0, 0.0, 0.0))
pendulum = bodies.compile(Mechanism("pendulum", (bob,), (rod,), gravity=Gravity((0.0, 0.0, -9.81))))
swing = bodies.simulate(pendulum, duration=1.0, step=1e-4, record_every=100)
height: float = float(swing.position("bob")[-1, 2])
upright: float = float(swing.quaternion("bob")[-1, 0])

controls = {"throttle": Schedule.ramp(1.0, 0.5), "gear": Schedule(((0.0, 3.0), (5.0, 4.0)), hold=True)}
model = bodies.compile(vehicle.load("hmmwv", controls=controls))
start = bodies.equilibrium(model, inputs={"brake": 1})
drive = bodies.simulate(model, duration=1.0, state=start)
loads: Floats = drive.wheel("rear_left").load
for name, reading in vehicle.wheel_readings(bodies.Simulation(model, 1e-3)).items():
    print(name, reading.load, reading.slip)

problem = mlcp.MLCP(A=[[2.0, 1.0], [1.0, 2.0]], b=[-5.0, -6.0], lower=0.0, upper=[1.0, 9.0])
answer = mlcp.solve(problem, "newton")
if answer.status is mlcp.Status.SOLVED:
    print(answer.z.sum(), answer.residual, answer.natural_residual())
for kind in mlcp.SOLVERS.values():
    print(kind.needs)
