"""Mechanisms as TOML texts that together contain most kinds of table; tests insert mistakes."""

import bodies as B
from bodies import hydraulics as H
from bodies.files import mechanism_to_toml
from contact import BekkerSoil, Brixius, ConeIndexSoil, Crolla, LuGre, Tyre, WheelContact
from contact import terrain as T

from .mechanisms import shafts, truck


def driveline():
    """Engine, clutch, gearbox, half-shaft and brake on one axis."""
    bodies, hinges = shafts(crank=0.1, input=0.1, output=0.1, wheel=0.1)
    elements = (
        B.Engine(
            name="engine", joint="crank", full_load=((0, 100), (50, 120), (100, 0)),
            motoring=((0, 0), (10, 2), (100, 5)), throttle="pedal",
        ),
        B.Clutch(name="clutch", joint_1="crank", joint_2="input", capacity=200.0),
        B.Gearbox(
            name="gearbox", input="input", output="output", ratios=(3.0, 1.0), reverse=-3.0,
            gear=B.Schedule(((0, 1), (1, 2)), hold=True),
        ),
        B.HalfShaft(name="shaft", joint_1="output", joint_2="wheel", stiffness=1e3, damping=1.0),
        B.Brake(name="brake", joint="wheel", capacity=50.0, pressure="brake"),
    )  # fmt: skip
    return B.Mechanism("driveline", bodies, (*hinges, *elements), inputs={"pedal": 0.5, "brake": 0.0})


def automatic():
    """Engine, torque converter, powershift gearbox, torque-sensing differential and brake."""
    bodies, hinges = shafts(pump=0.1, turbine=0.1, output=0.1, left=0.1, right=0.1)
    elements = (
        B.Engine(
            name="engine", joint="pump", full_load=((0, 100), (50, 120), (100, 0)), throttle="pedal"
        ),
        B.TorqueConverter(
            name="converter",
            pump="pump",
            turbine="turbine",
            coasting=0.5,
            capacity=((0.0, 0.02), (0.8, 0.015), (1.0, 0.0)),
            torque_ratio=((0.0, 2.0), (0.8, 1.0), (1, 1)),
        ),
        B.PowershiftGearbox(
            name="box",
            input="turbine",
            output="output",
            ratios=(3.0, 1.5),
            reverse=-2.5,
            capacity=300.0,
            upshift=((0.0, 40.0), (1.0, 80.0)),
            downshift=((0.0, 20.0), (1.0, 50.0)),
            gear="gear",
            throttle="pedal",
        ),
        B.Differential(name="axle", input="output", left="left", right="right", ratio=4.0),
        B.LimitedSlip(
            name="bias",
            differential="axle",
            joint_1="left",
            joint_2="right",
            bias_ratio=2.5,
            preload=5.0,
        ),
        B.Brake(name="brake", joint="left", capacity=50.0, pressure=1.0),
    )
    return B.Mechanism("automatic", bodies, (*hinges, *elements), inputs={"pedal": 0.8, "gear": 1})


def machine():
    """Joints, a motor, a limit, springs, forces of several kinds, a drawn plate and rigid contacts."""
    bodies = (
        B.Body("arm", 2.0, (0.1, 0.2, 0.2), position=(0.5, 0, 0)),
        B.Body("slider", 1.0, (0.1, 0.1, 0.1), position=(1.0, 0, 0)),
        B.Body("box", 5.0, (0.5, 0.6, 0.7), position=(3, 0, 0.5)),
        B.Body("ball", 1.0, (0.1, 0.1, 0.1), position=(5, 0, 0.3)),
    )
    elements = (
        B.Revolute(name="pivot", body_a="ground", body_b="arm", axis=(0, 1, 0)),
        B.Prismatic(
            name="slide", body_a="arm", body_b="slider", position=(1, 0, 0), axis=(1, 0.2, 0.1)
        ),
        B.Motor(name="drive", joint="pivot", target="speed", max_effort=100.0),
        B.Limit(name="stops", joint="slide", lower=-0.2, upper=0.2),
        B.JointSpring(
            name="return", joint="slide", stiffness=100.0, damping=5.0, integration="centred"
        ),
        B.SpringDamper(
            name="strut", body_a="ground", body_b="box", position=(3, 0, 2), position_b=(3, 0, 0.6),
            spring_table=((-1, -100), (1, 100)), damper_table=((-1, -10), (0, 0), (1, 20)),
        ),
        B.Look(name="plate", body="box", outline=((3, 0), (4, 0), (4, 1)), span=(0, 0.2), opacity=0.5),
        B.Length(
            name="way", body_a="ground", body_b="ball", position=(5, 0, 2), position_b=(5, 0, 0.3)
        ),
        B.Bushing(
            name="mount", body_a="ground", body_b="box", position=(3, 0, 0), stiffness=(1e4, 1e4, 1e4),
            damping=(10, 10, 10),
        ),
        B.Drag(name="air", body="ball", area=0.1, coefficient=0.5),
        B.Draft(name="tool", body="box", position=(3, 0, 0), draft=(10.0, 1.0, 0.0)),
        B.Torque(name="push", joint="slide", effort=B.Schedule.ramp(1.0, 1.0)),
    )  # fmt: skip
    contacts = (
        B.RigidContact(
            name="box on the floor",
            body="box",
            shape=B.Box(1, 1, 1),
            surface=B.HeightField((0, -5), (5, 10), ((0, 0), (0, 0.1), (0, 0))),
        ),
        B.RigidContact(name="ball down", body="ball", shape=B.Sphere(0.3), surface=B.Plane()),
    )
    return B.Mechanism("machine", bodies, elements, contacts, inputs={"speed": 1.0})


def wheels():
    """Two wheels: one on a sine of two soils with ruts, one on a slope with LuGre friction."""
    body = (
        B.Body("left", 100.0, (4.0, 6.0, 4.0), position=(0, 1, 0.4)),
        B.Body("right", 100.0, (4.0, 6.0, 4.0), position=(0, -1, 0.4)),
    )
    tyre = Tyre(0.8, 0.3, 0.2)
    one = WheelContact(tyre, ConeIndexSoil(3e5), law=Brixius("radial"), lateral=Crolla())
    other = WheelContact(tyre, BekkerSoil.sandy_loam(), law="wong-reece", lugre=LuGre())
    ground = T.Sine(
        0.02,
        3.0,
        0.1,
        soil_map=T.SoilMap(ConeIndexSoil(3e5), [T.Patch(ConeIndexSoil(2e5), x=(1.0, 2.0))]),
        memory=T.SoilMemory((-5, 5), (-3, 3)),
    )
    placed = (
        B.Wheel(name="l", body="left", centre=(0, 1, 0.4), soil=one, ground=ground),
        B.Wheel(name="r", body="right", centre=(0, -1, 0.4), soil=other, ground=T.Plane(0.0, 0.01, 0.0)),
    )
    return B.Mechanism("wheels", body, wheels=placed)


def oil():
    """Two hydraulic circuits with every kind of part; their cylinders move three masses on slides."""
    names = ("first", "second", "third")
    bodies = [B.Body(f"{name} mass", 900.0, (1.0, 1.0, 1.0)) for name in names]
    slides = [
        B.Prismatic(name=name, body_a="ground", body_b=f"{name} mass", axis=(1.0, 0.0, 0.0))
        for name in names
    ]
    edge = ((0.05, 0.0), (1.0, 6e-5))

    def branch(number, **more):
        given = {"bore": 0.09, "rod": 0.055, "stroke": 0.8, "extension": 0.3, "joint": names[number]}
        ram = H.HydraulicCylinder(name=f"ram {number}", **given | more.pop("ram"))
        return H.Branch(cylinder=ram, **more)

    slow = H.SpoolValve(
        command="lever", inlet=edge, outlet=edge, bandwidth=30.0, fastest=20.0, leakage=1e-13,
        reverse=True,
    )  # fmt: skip
    quick = H.SpoolValve(command=0.4, inlet=edge, outlet=edge, load_check=False)
    given = {
        "cushion": H.Cushion(),
        "buffer": H.EndBuffer(),
        "friction": 300.0,
        "leakage": 1e-13,
        "hose_volume": (1e-5, 2e-5),
        "pressures": (3e6, 4e6),
        "damping": 5e3,
    }
    kept = {"relief": H.Relief(pressure=28e6, slope=2e8), "make_up": H.MakeUp(pressure=9e4)}
    circuits = (
        H.Circuit(
            name="sensing",
            pump=H.LoadSensingPump(),
            fluid=H.Fluid(hose_modulus=2e8, wall_modulus=3e10),
            branches=(
                branch(0, ram=given, valve=slow, compensator=H.Compensator(), **kept),
                branch(1, ram={"rigid": True}, valve=quick),
            ),
        ),
        H.Circuit(
            name="constant",
            pump=H.ConstantPressure(pressure=9e6),
            integration="backward",
            branches=(branch(2, ram={}, valve=quick),),
            fluid=H.Fluid(laminar="linear", conserve="volume"),
        ),
    )
    return B.Mechanism("oil", bodies, (*slides, *circuits), inputs={"lever": 0.5})


FILES = {
    make.__name__: mechanism_to_toml(make())
    for make in (driveline, automatic, machine, wheels, oil, truck)
} | {
    "rough": """
name = "rough"
[inputs]
push = 0.0
[[body]]
name = "wheel"
mass_kg = 100.0
inertia_kg_m2 = [4.0, 6.0, 4.0]
position_m = [1.0, 0.0, 0.4]
[[wheel]]
name = "w"
body = "wheel"
centre_m = [1.0, 0.0, 0.4]
radius_m = 0.4
[wheel.ground]
type = "rough_ground"
iso_class = "C"
length_m = 20.0
seed = 3
"""
}
