"""Wheels of a compiled mechanism roll on terrain of several shapes, on varying soil and in ruts."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

import bodies as B
from contact import (
    BekkerSoil,
    ConeIndexSinkage,
    ConeIndexSoil,
    OutsideValidity,
    Tyre,
    WheelContact,
    validity,
)
from contact import terrain as T
from tests.refusals import refusals

from .files_to_break import FILES

R, G = 0.381, 9.81
TYRE = Tyre(2 * R, 0.2, 0.14, deflection_ratio=0.2)
SOFT, FIRM = ConeIndexSoil(3e5), ConeIndexSoil(9e5)
AREA = T.SoilMemory(x=(-4.0, 12.0), y=(-0.5, 0.5))


def tandem(ground, count=1, torque=200.0, speed=1.0, wheel=None, hard=(), height=0.0, slide=1.0, **more):
    """Wheels one behind the other under a slide that runs straight ahead, each 250 kg."""
    wheel = wheel or WheelContact(TYRE, SOFT)
    z = height + R - wheel.static_compression(250.0 * G)
    moving = dict(velocity=(speed, 0.0, 0.0))
    bodies = [B.Body("slide", slide, (slide,) * 3, position=(0, 0, z), **moving)]
    elements = [
        B.Prismatic(name="ahead", body_a="ground", body_b="slide", position=(0, 0, z), axis=(1, 0, 0))
    ]
    wheels = []
    for k in range(count):
        at = (-1.5 * k, 0.0, z)
        spin = dict(angular_velocity=(0.0, speed / R, 0.0))
        bodies += [
            B.Body(f"carrier{k}", 249.0, (10.0, 10.0, 10.0), position=at, **moving),
            B.Body(f"wheel{k}", 1.0, (3.0, 6.0, 3.0), position=at, **moving, **spin),
        ]
        elements += [
            B.Prismatic(
                name=f"up{k}", body_a="slide", body_b=f"carrier{k}", position=at, axis=(0, 0, 1)
            ),
            B.Revolute(
                name=f"hub{k}", body_a=f"carrier{k}", body_b=f"wheel{k}", position=at, axis=(0, 1, 0)
            ),
            B.Torque(name=f"drive{k}", joint=f"hub{k}", effort=torque),
        ]
        own = dict(radius=R, damping=4e3) if k in hard else dict(soil=wheel, ground=ground)
        wheels.append(B.Wheel(name=f"tyre{k}", body=f"wheel{k}", centre=at, **own))
    return B.Mechanism(
        "tandem",
        (*bodies, *more.pop("bodies", ())),
        (*elements, *more.pop("elements", ())),
        wheels=tuple(wheels),
        gravity=B.Gravity((0.0, 0.0, -G)),
        **more,
    )


def patches(**more):
    return T.SoilMap(SOFT, [T.Patch(FIRM, x=(3.0, 6.0), **more)], blend=0.4)


WAVES = 0.03 * np.sin(2 * np.pi * np.arange(0.0, 40.0, 0.25) / 4.0)
SHAPES = {
    "slope": T.Plane(grade_x=0.05, soil_map=patches()),
    "step": T.Step(4.0, 0.05, 1.0, soil_map=patches()),
    "sine": T.Sine(0.03, 4.0, soil_map=patches()),
    "field": T.HeightField(np.tile(WAVES, (4, 1)), (0.25, 1.0), (0.0, -1.5), patches()),
    "rough": T.rough_ground("B", 40.0, seed=2, soil_map=patches()),
}


def drive(ground, step, seconds=4.0, **more):
    """(x [m], load, thrust, lateral force, resistance [N]) of each step; work of the torque, energy lost
    to the ground, energy gained [J]; number of missed steps.
    """
    start = float(ground.height(0.0))
    model = B.compile(tandem(ground, torque=300.0, speed=1.5, height=start, **more))
    sim = B.Simulation(model, step, record_work=True)
    energy = sim.energy().total
    record, torque_work = [], 0.0
    for _ in range(round(seconds / step)):
        sim.run(1)
        spin = sim.angular_velocity("wheel0")[1] - sim.angular_velocity("carrier0")[1]
        torque_work += step * 300.0 * spin
        force = sim.work.machine.channels.impulse[:4] / step
        record.append([sim.position("wheel0")[0], *force])
    lost = -sim.work_done()["tyre0"]
    return np.array(record), torque_work, lost, sim.energy().total - energy, sim.missed


@pytest.mark.parametrize("name", SHAPES)
def test_a_drive_over_patches_of_two_soils_balances_its_energy(name):
    record, came, lost, rise, missed = drive(SHAPES[name], 1e-3)
    assert record[-1, 0] > 6.5  # [m] beyond the patch from 3 to 6 m
    assert missed == 0
    assert lost > 0.0
    assert abs(came - lost - rise) < 0.01 * came


@pytest.mark.parametrize("base", [None, BekkerSoil(0.0, 6e6, 0.7)])
@pytest.mark.parametrize("ground", [T.Plane(), SHAPES["sine"]], ids=["plane", "waves"])
def test_no_force_jumps_at_a_border(ground, base):
    """Forces are continuous: half the step halves the largest change of a force in one step."""
    ground = replace(ground, soil_map=patches(base=base))
    largest = []
    for step in (2e-3, 1e-3):
        record, *_ = drive(ground, step, 3.0)
        near = (record[:, 0] > 2.5) & (record[:, 0] < 3.5)
        largest.append(np.abs(np.diff(record[near], axis=0))[:, 1:].max(axis=0))
    assert largest[0][1] / largest[1][1] == pytest.approx(2.0, abs=0.3)  # change of the thrust
    assert largest[0][3] / largest[1][3] == pytest.approx(2.0, abs=0.3)  # change of the resistance
    if base is not None:
        assert largest[0][0] / largest[1][0] == pytest.approx(2.0, abs=0.3)  # change of the load


def test_a_wheel_on_a_patch_is_a_wheel_on_its_soil():
    everywhere = T.Plane(soil_map=T.SoilMap(SOFT, [T.Patch(FIRM)]))
    one, *_ = drive(everywhere, 2e-3, 1.0, wheel=WheelContact(TYRE, FIRM))
    other, *_ = drive(T.Plane(), 2e-3, 1.0, wheel=WheelContact(TYRE, FIRM))
    assert one == pytest.approx(other, rel=1e-12)


def test_later_wheels_run_in_the_rut():
    """Equal wheels in line: the n-th sinks to z_1 n^(1/3) (z_1: the first's) and has less resistance."""
    model = B.compile(tandem(T.Plane(memory=AREA), 3, speed=2.0))
    sim = B.Simulation(model, 1e-3)
    sim.run(2500)
    rut = sim.work.machine.contact.grounds.rut
    height = [float(sim.position(f"wheel{k}")[2]) for k in range(3)]
    q = sim.work.machine.channels.impulse.reshape(3, 4)
    assert sim.missed == 0
    assert rut[0] == 0.0
    first = float(ConeIndexSinkage(cone_index=SOFT.cone_index).sinkage(TYRE, 250.0 * G))
    assert rut[1] == pytest.approx(first, rel=0.02)
    assert rut[2] / rut[1] == pytest.approx(2 ** (1 / 3), rel=0.02)
    tyre = 250.0 * G / TYRE.stiffness
    depth = R - tyre - np.array(height)
    assert depth == pytest.approx(depth[0] * np.arange(1, 4) ** (1 / 3), rel=0.02)
    assert -q[0, 3] > 1.05 * -q[1, 3] > 1.05 * -q[2, 3] > 0.0
    # no ruts outside ``AREA``
    sim.run(6000)
    assert sim.position("wheel2")[0] > 13.0
    assert np.all(sim.work.machine.contact.grounds.rut == 0.0)
    level = [float(sim.position(f"wheel{k}")[2]) for k in range(3)]
    assert level == pytest.approx([height[0]] * 3, abs=1e-4)


def test_a_run_over_a_map_warns_where_a_law_does_not_hold():
    """The law's range of slip is checked on each soil: the wheel exceeds it on the soft patch only."""
    validity.forget()
    ground = T.Plane(soil_map=T.SoilMap(FIRM, [T.Patch(ConeIndexSoil(2e5), x=(2.0, 9.0))]))
    model = B.compile(tandem(ground, torque=700.0))
    with pytest.warns(OutsideValidity, match=r"brixius: slip = 0\.\d+ lies outside") as said:
        B.simulate(model, 4.0, 2e-3)
    assert sum("slip" in str(w.message) for w in said) == 1
    validity.forget()
    firm = B.compile(tandem(T.Plane(soil_map=T.SoilMap(FIRM)), torque=700.0))
    with warnings.catch_warnings():
        warnings.simplefilter("error", OutsideValidity)
        B.simulate(firm, 1.0, 2e-3)


def test_the_number_of_a_soil_is_that_of_the_soil_found():
    soils = T.SoilMap(SOFT, [T.Patch(FIRM, x=(3.0, 6.0)), T.Patch(ConeIndexSoil(2e5), y=(1.0, 2.0))])
    x, y = np.random.default_rng(4).uniform(0.0, 8.0, (2, 400))
    known = [SOFT, FIRM, ConeIndexSoil(2e5)]
    for number, a, b in zip(soils.number_at(x, y), x, y, strict=True):
        found = soils.at(a, b)
        assert (found == known[number]) if number >= 0 else (found not in known)


def test_equilibrium_leaves_no_tracks():
    brake = B.Brake(name="brake", joint="hub0", capacity=1e4, pressure=1.0)
    described = tandem(T.Plane(memory=AREA), 1, torque=0.0, speed=0.0, elements=(brake,))
    model = B.compile(described)
    state = B.equilibrium(model)
    sim = B.Simulation(model, 1e-3, state=state)
    assert not np.any(sim.work.machine.contact.grounds.memory)
    sim.run(100)
    assert np.abs(sim.velocity("wheel0")).max() < 1e-6


def box(speed=2.0, shape=None, y=0.8):
    body = B.Body("box", 50.0, (1, 1, 1), position=(3.0, y, 0.2), velocity=(speed, 0.3, 0.0))
    contact = B.RigidContact(
        name="floor", body="box", shape=shape or B.Box(0.5, 0.4, 0.4), surface=B.Plane()
    )
    return dict(bodies=(body,), contacts=(contact,))


def test_hard_and_soft_ground_in_one_mechanism():
    """A wheel on soil, a wheel on hard ground and a sliding box move together as each would alone."""
    both = B.simulate(B.compile(tandem(T.Plane(), 2, 100.0, hard=(1,), **box())), 1.0, 1e-3)
    assert both.missed == 0
    assert both.residuals[-1] < 1e-9
    load = both.channel_force("tyre1")[-1]
    assert load[0] == pytest.approx(250.0 * G, rel=1e-3)  # the wheel still oscillates after its drop
    assert load[3] == 0.0  # no resistance on hard ground
    assert -both.channel_force("tyre0")[-1, 3] > 50.0
    assert both.wheel("tyre1").load[-1] == load[0]
    # the box slides by v^2 / (2 mu g) until it rests
    way = np.hypot(*(both.position("box")[-1] - both.position("box")[0])[:2])
    assert way == pytest.approx((2.0**2 + 0.3**2) / (2 * 0.5 * G), rel=5e-3)
    # the soft wheel's forces are on its law's curve
    wheel = WheelContact(TYRE, SOFT)
    v, w = both.velocity("wheel0")[-1, 0], both.angular_velocity("wheel0")[-1, 1]
    slip = 1.0 - v / (R * w)
    force = both.channel_force("tyre0")[-1]
    assert force[1] / force[0] == pytest.approx(float(wheel.thrust_ratio(slip, force[0])), abs=1e-7)


def test_a_box_that_rides_on_a_wheel_on_soil():
    """A box on the carrier of a wheel on soil rides along with friction 0.5 and slips with 0.02."""
    wheel = WheelContact(TYRE, FIRM)
    top = R - wheel.static_compression(250.0 * G) + 0.5
    rides = {}
    for mu in (0.5, 0.02):
        load = B.Body("box", 20.0, (1, 1, 1), position=(0, 0, top + 0.1), velocity=(1.0, 0, 0))
        contact = B.RigidContact(
            name="bed",
            body="box",
            body_b="carrier0",
            shape=B.Box(0.4, 0.4, 0.2),
            friction=mu,
            surface=B.Plane(point=(0, 0, top)),
        )
        described = tandem(T.Plane(), 1, 350.0, wheel=wheel, bodies=(load,), contacts=(contact,))
        run = B.simulate(B.compile(described), 2.0, 1e-3)
        assert run.missed == 0
        rides[mu] = run.velocity("box")[-1, 0] - run.velocity("carrier0")[-1, 0]
        force = sum(run.channel_force(f"bed.{k}")[-1] for k in range(4))
        assert force[0] == pytest.approx(20.0 * G, rel=2e-3)
    assert abs(rides[0.5]) < 1e-6
    assert rides[0.02] < -0.1


# compiling the step with another solver takes as long as all other tests of this file
SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in ("pgs", "newton")]


@pytest.mark.parametrize("solver", [*SLOW, "osqp"])
def test_every_solver_finds_the_same_mixed_step(solver):
    described = tandem(T.Plane(), 2, 100.0, hard=(1,), **box(shape=B.Sphere(0.2)))
    model = B.compile(described)
    ends = []
    for name in ("direct", solver):
        run = B.simulate(model, 0.1, 1e-3, solver=name)
        ends.append(np.r_[run.velocity("box")[-1], run.velocity("wheel0")[-1]])
    assert ends[1] == pytest.approx(ends[0], abs=1e-5)


def test_a_wheel_hops_over_a_step_and_lands():
    ground = T.Step(1.0, 0.25, 0.3)
    run = B.simulate(B.compile(tandem(ground, 1, 0.0, speed=4.0)), 1.5, 5e-4)
    load = run.channel_force("tyre0")[:, 0]
    aloft = (load == 0.0) & (run.position("wheel0")[:, 0] > 1.0)
    assert aloft.any()
    down = int(np.argmax(aloft)) + int(np.argmax(load[np.argmax(aloft) :] > 0.0))
    assert load[down:].max() > 1000.0
    assert run.missed == 0


def test_rough_ground_in_a_file():
    read = B.files.mechanism_from_toml(FILES["rough"])
    assert read.wheels[0].ground == T.rough_ground("C", 20.0, seed=3)
    with pytest.raises(B.MechanismError, match="did you mean 'iso_class'"):
        B.files.mechanism_from_toml(FILES["rough"].replace("iso_class", "iso_clas"))


test_bad_input_is_a_sentence = refusals(
    (lambda: T.SoilMemory(x=(0.0, 0.0), y=(0.0, 1.0)), "SoilMemory.x"),
    (lambda: T.SoilMemory(x=(0.0, 1e4), y=(0.0, 1e4)), "at most 20 million"),
    (lambda: T.SoilMemory((0.0, 1.0), (0.0, 1.0), multipass=1.0), "multipass = 1.0"),
    (
        lambda: B.Wheel(name="w", body="b", centre=(0, 0, 0), radius=1.0, ground=SHAPES["sine"]),
        "has no soil",
    ),
    (lambda: B.Wheel(name="w", body="b", centre=(0, 0, 0), radius=1.0, ground=3), "must be a Plane"),
    (
        lambda: B.Wheel(name="w", body="b", centre=(0, 0, 0), radius=0.5, soil=WheelContact(TYRE, SOFT)),
        "is not its tyre's 0.381 m",
    ),
)


@pytest.mark.parametrize("solver", ["osqp"])
def test_solvers_from_outside_see_soils_and_ruts_too(solver):
    model = B.compile(tandem(T.Sine(0.02, 3.0, soil_map=patches(), memory=AREA), 3, speed=4.0))
    ends = []
    for name in ("direct", solver):
        sim = B.Simulation(model, 2e-3, solver=name)
        sim.run(300)
        ends.append(
            (sim.position("wheel0"), sim.position("wheel2"), sim.work.machine.contact.grounds.rut.copy())
        )
    for one, other in zip(*ends, strict=True):
        assert other == pytest.approx(one, abs=1e-8)
    assert ends[0][2].max() > 1e-3
