"""Work of all elements is the change of kinetic energy; a mass hangs in equilibrium on its spring."""

import numpy as np
import pytest

import bodies as B


def test_work_by_element_is_the_change_of_kinetic_energy():
    """A swinging, sprung double pendulum: joints do no work, the damper takes energy."""
    bodies = tuple(B.Body(f"link {k}", 1.0, (0.1, 0.1, 0.1), position=(0.5 + k, 0, 0)) for k in range(2))
    elements = (
        B.Revolute(name="a", body_a="ground", body_b="link 0", axis=(0, 1, 0)),
        B.Revolute(name="b", body_a="link 0", body_b="link 1", position=(1, 0, 0), axis=(0, 1, 0)),
        B.JointSpring(name="spring", joint="b", stiffness=20.0),
        B.JointSpring(name="damper", joint="a", damping=0.5),
    )
    model = B.compile(B.Mechanism("m", bodies, elements))
    left = []
    for step in (1e-3, 5e-4):
        sim = B.Simulation(model, step, record_work=True)
        sim.run(round(1.0 / step))
        work, kinetic = sim.work_done(), sim.energy().kinetic
        left.append(abs(sum(work.values()) - kinetic))
        assert abs(work["a"]) + abs(work["b"]) < 20 * step
        assert work["damper"] < -0.1
        assert work["gravity and applied"] == pytest.approx(-sim.energy().gravity, rel=5 * step)
    assert left[0] < 1e-8


@pytest.mark.parametrize("step", [1e-3, 1e-2])
def test_books_close_to_rounding_where_uneven_bodies_tumble(step):
    """The energy balance closes to rounding; 'turning' is the error of discretised gyroscopic terms."""
    bodies = tuple(
        B.Body(
            f"link {k}",
            1.0,
            (0.05, 0.3, 0.32),
            position=(0.5 + k, 0, 0),
            angular_velocity=(3.0, 1.0, -2.0),
        )
        for k in range(2)
    )
    elements = tuple(
        B.Spherical(name=f"ball {k}", body_a=a, body_b=f"link {k}", position=(k, 0, 0))
        for k, a in enumerate(("ground", "link 0"))
    )
    sim = B.Simulation(B.compile(B.Mechanism("m", bodies, elements)), step, record_work=True)
    start = sim.energy().kinetic
    sim.run(100)
    work = sim.work_done()
    assert sum(work.values()) == pytest.approx(sim.energy().kinetic - start, abs=1e-12 * start)
    assert abs(work["turning"]) > 1e-9 * start


def test_friction_takes_the_energy_of_a_sliding_box():
    box = B.Body("box", 2.0, (0.1, 0.1, 0.1), position=(0, 0, 0.1), velocity=(3, 0, 0))
    contact = B.RigidContact(
        name="c", body="box", shape=B.Box(0.4, 0.4, 0.2), surface=B.Plane(), friction=0.5
    )
    sim = B.Simulation(B.compile(B.Mechanism("m", (box,), contacts=(contact,))), 1e-3, record_work=True)
    sim.run(1000)
    done = sum(v for k, v in sim.work_done().items() if k.startswith("c."))
    assert done == pytest.approx(-0.5 * 2.0 * 9.0, rel=1e-6)


def test_mass_on_a_spring_hangs_at_its_static_deflection():
    block = B.Body("block", 2.0, (1, 1, 1))
    rail = B.Prismatic(name="rail", body_a="ground", body_b="block", axis=(0, 0, 1))
    spring = B.JointSpring(name="spring", joint="rail", stiffness=500.0)
    model = B.compile(B.Mechanism("m", (block,), (rail, spring)))
    sim = B.Simulation(model, 1e-3, state=B.equilibrium(model))
    assert sim.coordinate("rail") == pytest.approx(-2 * 9.80665 / 500.0, rel=1e-8)
    assert sim.time == 0.0
    sim.run(1000)
    assert abs(sim.velocity("block")[2]) < 1e-8


@pytest.mark.parametrize("arm", [0.1, 0.5])
def test_a_body_on_a_rod_hangs_below_its_support(arm):
    """The long steps of the search swung it around without end: it was refused as not at rest."""
    body = B.Body("load", 1.0, (0.01, 0.01, 0.01), position=(0.3, 0.0, -1.0))
    top = (0.3, 0.0, -1.0 + arm)
    rod = B.Distance(name="rod", body_a="ground", body_b="load", position=(0, 0, 0), position_b=top)
    model = B.compile(B.Mechanism("load", (body,), (rod,)))
    at_rest = B.Simulation(model, 1e-3, state=B.equilibrium(model))
    lowest = np.hypot(0.3, 1.0 - arm) + arm
    np.testing.assert_allclose(at_rest.position("load"), (0.0, 0.0, -lowest), atol=1e-6)


def test_mechanisms_without_equilibrium_are_refused():
    block = B.Body("block", 2.0, (1, 1, 1))
    with pytest.raises(B.SimulationError, match="'block' still accelerates"):
        B.equilibrium(B.compile(B.Mechanism("m", (block,))), rounds=50)


def test_power_of_every_element_over_a_run():
    """A motor accelerates a flywheel against a damper: the energy balance closes at every record."""
    wheel = B.Body("wheel", 2.0, (0.3, 0.3, 0.5))
    elements = (
        B.Revolute(name="hinge", body_a="ground", body_b="wheel", axis=(0, 0, 1)),
        B.Torque(name="motor", joint="hinge", effort=3.0),
        B.JointSpring(name="damper", joint="hinge", damping=0.2),
    )
    model = B.compile(B.Mechanism("m", (wheel,), elements))
    run = B.simulate(model, 0.5, 1e-3, record_work=True, reactions=("hinge",))
    assert np.allclose(sum(run.work().values()), run.energy().kinetic, rtol=1e-9, atol=1e-9)
    speed = run.angular_velocity("wheel")[:, 2]
    middle = 0.5 * (speed[1:] + speed[:-1])
    assert np.allclose(run.power()["motor"][1:], 3.0 * middle, rtol=1e-9)
    assert np.allclose(run.power()["damper"][1:], -0.2 * speed[1:] * middle, rtol=1e-9)
    force, torque = run.reaction("hinge")
    assert np.allclose(force[1:, 2], 2.0 * 9.80665, rtol=1e-9)
    assert np.allclose(torque[1:], 0.0, atol=1e-9)
    assert "motor work [J]" in run.columns()


def test_energy_of_a_trajectory_is_that_of_its_states():
    table = ((-0.1, -50.0), (0.0, 0.0), (0.05, 40.0), (0.2, 100.0))
    block = B.Body("block", 2.0, (1, 2, 2.5), position=(0, 0, -1), angular_velocity=(1, 2, 3))
    spring = B.SpringDamper(
        name="spring",
        body_a="ground",
        body_b="block",
        spring_table=table,
        free_length=0.9,
        position=(0, 0, 0),
        position_b=(0, 0, -1),
    )
    model = B.compile(B.Mechanism("m", (block,), (spring,)))
    sim = B.Simulation(model, 1e-3)
    run = B.simulate(model, 0.5, 1e-3, record_every=500)
    sim.run(500)
    for name in ("kinetic", "gravity"):
        assert getattr(run.energy(), name)[-1] == getattr(sim.energy(), name)
    assert run.energy().springs["spring"][-1] == sim.energy().springs["spring"] > 0.0
