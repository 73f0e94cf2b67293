"""A mechanism exported to MuJoCo equals the original: masses, freedoms, motion; notes on differences."""

import dataclasses
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from contact import ConeIndexSoil, Tyre, WheelContact
from contact.terrain import HeightField

from .mechanisms import JOINTS, truck, two_bodies
from .published import andrews, four_bar
from .test_driveline import shafts as numbered

NO_GRAVITY = B.Gravity((0, 0, 0))
# Difference of positions [m] and quaternions [-]: both programs are of first order, and MuJoCo's
# constraints are soft.
TOLERANCE = 1e-4


@pytest.fixture(scope="module")
def mujoco():
    return pytest.importorskip("mujoco", reason="needs MuJoCo: pip install 'wheelground[mujoco]'")


def loop(kind, cut):
    """Two bodies with a joint, both connected to a third; with ``cut`` this joint closes the loop."""
    m = two_bodies(kind)
    third = B.Body("third", 1.0, (0.1, 0.1, 0.1), position=(0.5, 1.0, 0.0))
    one = {"name": "one", "body_a": "first", "body_b": "third", "position": (0.1, 0.8, 0)}
    two = {
        "name": "two",
        "body_a": "second",
        "body_b": "third",
        "position": (0.9, 0.9, 0.1),
        "axis": (1, 0, 0),
    }
    if cut:  # joints whose coordinate is used stay in MuJoCo's tree
        more = (
            B.Cylindrical(**one),
            B.Cylindrical(**two),
            B.JointSpring(name="s1", joint="one.angle", damping=0.1),
            B.JointSpring(name="s2", joint="two.angle", damping=0.1),
        )
    else:
        more = (B.Revolute(**one), B.Universal(**two, axis_b=(0, 1, 0)))
    return dataclasses.replace(
        m, name=f"loop {kind} {cut}", bodies=(*m.bodies, third), elements=(m.elements[0], *more)
    )


def shafts(name, *elements, inertias=(0.5, 1.8, 3.0), **inputs):
    """Shafts along x on the ground; hinge k turns shaft k, a torque of 7 N m drives the first one."""
    bodies, hinges = numbered(*inertias)
    push = B.Torque(name="push", joint="hinge 0", effort=7.0)
    return B.Mechanism(name, bodies, (*hinges, push, *elements), gravity=NO_GRAVITY, inputs=inputs)


PAIR = {"joint_1": "hinge 0", "joint_2": "hinge 1"}
BODY = B.Body("body", 2.0, (0.1, 0.2, 0.25), position=(0.3, 0, -1.0), velocity=(0, 0.5, 0))
DRIVELINE = [
    shafts("gear", B.Gear(name="e", ratio=3.0, **PAIR)),
    shafts(
        "differential",
        B.Differential(name="e", input="hinge 0", left="hinge 1", right="hinge 2", ratio=4.0),
    ),
    shafts("half-shaft", B.HalfShaft(name="e", stiffness=200.0, damping=1.0, **PAIR)),
    shafts("clutch", B.Clutch(name="e", capacity=3.0, **PAIR)),
    shafts(
        "brake",
        B.Brake(name="e", joint="hinge 0", capacity=10.0, pressure=B.Schedule(((0, 0.0), (0.1, 1.0)))),
    ),
    shafts(
        "gearbox",
        B.Gearbox(
            name="e",
            input="hinge 0",
            output="hinge 1",
            ratios=(4.0, 2.0),
            gear=B.Schedule(((0, 1), (0.03, 0), (0.06, 2)), hold=True),
        ),
    ),
    shafts(
        "engine",
        B.Engine(
            name="e",
            joint="hinge 1",
            full_load=((0, 100), (50, 50), (100, 0)),
            motoring=((0, 1), (10, 2)),
            throttle="pedal",
        ),
        pedal=0.7,
    ),
    shafts(
        "motors",
        B.Motor(name="e", joint="hinge 1", target=B.Schedule(((0, 0), (0.1, 5.0)))),
        B.Motor(name="m", joint="hinge 2", target=9.0, max_effort=20.0),
    ),
    shafts("limit", B.Limit(name="e", joint="hinge 0", lower=-1.0, upper=0.03)),
    B.Mechanism(
        "rack",
        (
            B.Body("rack", 2.0, (0.1, 0.1, 0.1)),
            B.Body("pinion", 1.0, (0.2, 0.2, 0.2), position=(0, 0.5, 0)),
        ),
        (
            B.Prismatic(name="s", body_a="rack", body_b="ground", axis=(1, 0, 0)),
            B.Revolute(name="h", body_a="ground", body_b="pinion", position=(0, 0.5, 0)),
            B.RackAndPinion(name="rp", rack="s", pinion="h", radius=0.1),
            B.Torque(name="t", joint="h", effort=5.0),
        ),
    ),
    B.Mechanism(
        "drag",
        (dataclasses.replace(BODY, velocity=(5, 0, 0)),),
        (B.Drag(name="d", body="body", area=2.0, coefficient=1.0),),
    ),
    B.Mechanism(
        "springs",
        (BODY,),
        (
            B.SpringDamper(
                name="s",
                body_a="ground",
                body_b="body",
                position=(0, 0, 0),
                position_b=(0.3, 0.1, -0.8),
                stiffness=100,
                damping=1,
                damper_table=((-1, -5), (0, 0), (1, 9)),
                spring_table=((-0.5, -80), (-0.1, -10), (0, 1), (0.02, 4), (0.2, 40), (0.4, 50)),
            ),
        ),
    ),
    B.Mechanism(
        "joint spring",
        (BODY,),
        (
            B.Revolute(name="h", body_a="body", body_b="ground", axis=(0, 1, 0)),
            B.JointSpring(
                name="s",
                joint="h",
                stiffness=8,
                damping=0.3,
                rest=0.3,
                spring_table=((-1, -9), (-0.05, -1), (0, 0), (0.3, 2), (1, 4)),
            ),
            B.Limit(name="spring's reach", joint="h", lower=-0.4, upper=0.2),
        ),
    ),
]


def corner():
    """A double-wishbone corner on a fixed frame; its spring pushes the wheel down, without ground."""
    whole = truck()
    driveline = ("rear_left output", "rear_left inner shaft", "rear_left outer shaft")
    bodies = [b for b in whole.bodies if b.name.startswith(("frame", "rear_left"))]
    names = {b.name for b in bodies} - set(driveline)
    elements = [
        e for e in whole.elements if {getattr(e, "body_a", ""), getattr(e, "body_b", "")} <= names
    ]
    hold = B.Fixed(name="hold", body_a="ground", body_b="frame", position=(0.0, 0.0, 0.9))
    return B.Mechanism("corner", [b for b in bodies if b.name in names], (hold, *elements))


def double_pendulum():
    rods = [B.Body(f"rod {k}", 1.0, (0.1, 0.1, 0.01), position=(0.5 + k, 0, 0)) for k in range(2)]
    hinges = [
        B.Revolute(
            name=f"hinge {k}",
            body_a=f"rod {k - 1}" if k else "ground",
            body_b=f"rod {k}",
            position=(k, 0, 0),
            axis=(0, 1, 0),
        )
        for k in range(2)
    ]
    return B.Mechanism("double pendulum", rods, hinges)


def in_line():
    """Two shafts in line, with a constant-velocity joint."""
    bent = two_bodies("constant velocity")
    return dataclasses.replace(
        bent, name="shafts in line", elements=(dataclasses.replace(bent.elements[0], axis_b=None),)
    )


ALL = [
    in_line(),
    corner(),
    double_pendulum(),
    *(two_bodies(k) for k in JOINTS),
    *(loop(k, False) for k in JOINTS),
    *(loop(k, True) for k in JOINTS),
    *DRIVELINE,
    four_bar.build,
    andrews.build,
]


def name_of(m):
    return m.name if isinstance(m, B.Mechanism) else m.__module__.split(".")[-1]


@pytest.mark.parametrize("mechanism", ALL, ids=name_of)
def test_same_masses_freedoms_and_motion(mechanism, mujoco):
    """Mass and inertia of bodies, degrees of freedom (by rank) and motion are equal in MuJoCo."""
    model = B.compile(mechanism) if isinstance(mechanism, B.Mechanism) else mechanism()
    stiff = name_of(mechanism) == "andrews"  # 0.033 N m drive bodies of 4 to 70 g
    step, duration = (1e-5, 0.005) if stiff else (1e-4, 0.1)
    export = B.to_mjcf(model, step=step)
    m, d = export.load()
    for body in model.mechanism.bodies:
        parts = [
            k
            for k in range(m.nbody)
            if m.body(k).name == body.name or m.body(k).name.startswith(f"{body.name} half at")
        ]
        assert sum(m.body_mass[parts]) == pytest.approx(body.mass, rel=1e-12)
        moments = np.sort(m.body_inertia[parts].sum(axis=0))
        np.testing.assert_allclose(moments, np.linalg.eigvalsh(body.inertia_array), rtol=1e-9)
        np.testing.assert_allclose(
            d.body(body.name).xpos, B.Simulation(model, step).position(body.name), atol=1e-12
        )
    equalities = d.efc_J.reshape(-1, m.nv)[: d.ne]
    speed_drives = sum(
        isinstance(e, B.Motor) and e.mode == "speed" and not e.bounded for e in model.mechanism.elements
    )  # MuJoCo has actuators where our Jacobian has rows
    rank = np.linalg.matrix_rank(equalities, 1e-8) if d.ne else 0
    assert m.nv - rank - speed_drives == B.mobility(model).freedoms
    soft = name_of(mechanism) == "two bodies, bushing"  # a bushing has large deflections
    tolerance = 10 * TOLERANCE if soft else TOLERANCE
    sim, drive, steps = B.Simulation(model, step), export.driver(m), round(duration / step)
    sim.run(steps)
    for _ in range(steps):
        drive(d)
        mujoco.mj_step(m, d)
    mujoco.mj_kinematics(m, d)
    for name in model.body_index:
        np.testing.assert_allclose(d.body(name).xpos, sim.position(name), atol=tolerance)
        turned = abs(d.body(name).xquat @ sim.quaternion(name))
        assert 2.0 * (1.0 - turned) < tolerance**2


def test_a_wheel_stands_as_deep_in_its_tyre(mujoco):
    """MuJoCo's contact, whose stiffness is per unit of mass, deflects by m g / k at rest."""
    wheel = B.Wheel(
        name="tyre", body="wheel", centre=(0, 0, 0.465), radius=0.47, stiffness=1e5, damping=1e3
    )
    body = B.Body("wheel", 50.0, (2, 4, 2), position=(0, 0, 0.465))
    m, d = B.to_mjcf(B.compile(B.Mechanism("wheel", (body,), wheels=(wheel,)))).load()
    for _ in range(2000):
        mujoco.mj_step(m, d)
    assert 0.47 - d.body("wheel").xpos[2] == pytest.approx(50 * 9.80665 / 1e5, rel=1e-6)


def test_both_kinds_of_height_fields_are_the_same_ground():
    """Of two classes of height fields, one has heights [x][y], one [y][x]; the exports agree."""
    heights = np.arange(12.0).reshape(4, 3) ** 1.5 / 40.0  # [m] heights[x][y]
    texts = []
    for ground in (
        B.HeightField((-1.0, -2.0), (1.0, 2.0), heights.tolist()),
        HeightField(heights.T, (1.0, 2.0), (-1.0, -2.0)),
    ):
        wheel = B.Wheel(
            name="tyre", body="wheel", centre=(0, 0, 1.5), radius=0.47, stiffness=1e5, ground=ground
        )
        body = B.Body("wheel", 50.0, (2, 4, 2), position=(0, 0, 1.5))
        export = B.to_mjcf(B.compile(B.Mechanism("wheel", (body,), wheels=(wheel,))))
        texts.append(export.xml)
    assert "hfield" in texts[0]
    assert texts[0] == texts[1]


def test_shapes_slide_to_the_same_place(mujoco):
    """A box and a ball slide over a plane with friction as far as in MuJoCo."""
    shapes = {"ball": (B.Sphere(0.2), 0.2), "box": (B.Box(0.4, 0.3, 0.2), 0.1)}
    bodies = [
        B.Body(k, 2.0, (0.1, 0.1, 0.1), position=(0, n, z), velocity=(1, 0, 0))
        for n, (k, (_, z)) in enumerate(shapes.items())
    ]
    contacts = [
        B.RigidContact(name=f"{k} on ground", body=k, shape=s, surface=B.Plane(), friction=0.3)
        for k, (s, _) in shapes.items()
    ]
    model = B.compile(B.Mechanism("sliders", bodies, contacts=contacts))
    m, d = B.to_mjcf(model).load()
    sim = B.Simulation(model, 1e-3)
    sim.run(300)
    for _ in range(300):
        mujoco.mj_step(m, d)
    for k in shapes:
        np.testing.assert_allclose(d.body(k).xpos, sim.position(k), atol=2e-3)


def test_an_exported_vehicle_drives_with_a_note_for_every_difference(mujoco):
    """The exported vehicle of 45 bodies drives 1 s in MuJoCo as here; notes list both doubled hinges."""
    model = B.compile(truck(redundant=2, throttle=1.0))
    export = B.to_mjcf(model)
    m, d = export.load()
    assert m.nbody == 1 + 45 + sum(" half at " in m.body(k).name for k in range(m.nbody))
    assert sum("left out" in note for note in export.notes) == 2  # the doubled hinges
    sim, drive = B.Simulation(model, 1e-3), export.driver(m)
    sim.run(1000)
    for _ in range(1000):
        drive(d)
        mujoco.mj_step(m, d)
    assert np.abs(d.efc_pos[: d.ne]).max() < 1e-4
    assert d.body("frame").xpos[0] == pytest.approx(sim.position("frame")[0], rel=0.01)
    assert d.qvel[0] == pytest.approx(sim.velocity("frame")[0], rel=0.05)  # wide, since wheels spin


def test_a_stop_throws_back_as_in_its_note(mujoco):
    """The rebound is a quarter of the fraction of a step's travel that the first step leads too far."""
    slide = B.Prismatic(name="slide", body_a="ground", body_b="block", axis=(1, 0, 0))
    block = B.Body("block", 2.0, (0.1, 0.1, 0.1), velocity=(1.0, 0.0, 0.0))
    for far in (0.2, 0.5, 0.8):
        stop = B.Limit(name="stop", joint="slide", lower=-1.0, upper=0.005 - 1e-3 * far)
        block_and_stop = B.Mechanism("block", (block,), (slide, stop), gravity=NO_GRAVITY)
        export = B.to_mjcf(B.compile(block_and_stop), step=1e-3)
        m, d = export.load()
        for _ in range(8):
            mujoco.mj_step(m, d)
        assert d.qvel[0] == pytest.approx(-0.25 * far, abs=1e-3)
    assert any("stop throws back with up to a quarter of the speed" in note for note in export.notes)


def test_a_vehicle_with_shafts_in_line_stands(mujoco):
    """The mass matrix of MuJoCo's tree was singular, and the wheels' stiffness had no bound."""
    model = B.compile(vehicle.load("tractor", hard=True))
    m, d = B.to_mjcf(model).load()
    sim = B.Simulation(model, 1e-3)
    sim.run(200)
    for _ in range(200):
        mujoco.mj_step(m, d)
    np.testing.assert_allclose(d.body("frame").xpos, sim.position("frame"), atol=5e-3)


def test_unexportable_mechanisms_are_refused():
    tyre = Tyre(diameter=0.9, width=0.3, section_height=0.2, pressure=2e5)
    wheel = B.Wheel(
        name="tyre", body="body", centre=(0, 0, 0.45), soil=WheelContact(tyre, ConeIndexSoil(4e5))
    )
    with pytest.raises(B.MechanismError, match="wheel 'tyre': to_mjcf cannot export soil"):
        B.to_mjcf(B.compile(B.Mechanism("m", (BODY,), wheels=(wheel,))))
    motor = shafts("motor", B.ElectricMotor(name="e", joint="hinge 1", full_load=((0, 1), (9, 0))))
    with pytest.raises(B.MechanismError, match="no counterpart of ElectricMotor in MuJoCo; leave it"):
        B.to_mjcf(B.compile(motor))
    with pytest.raises(B.MechanismError, match="step"):
        B.to_mjcf(B.compile(B.Mechanism("m", (BODY,))), step=0.0)


def test_writing_needs_no_mujoco(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    export = B.to_mjcf(B.compile(B.Mechanism("m & n", (B.Body("<b>", 1.0, (1, 1, 1)),))))
    file = tmp_path / "m.xml"
    export.save(file)
    with pytest.raises(ImportError, match=r"pip install 'wheelground\[mujoco\]'"):
        export.load()
    assert ET.parse(file).getroot().get("model") == "m & n"
