"""A run continued from a saved state, also from a file, ends with the bytes of a run without a stop."""

import numpy as np
import pytest

import bodies as B
from contact import Crolla, WheelContact
from contact import terrain as T

from .oil_cases import crane
from .test_ground import AREA, SOFT, TYRE, patches, tandem
from .test_ground_laws import quarter as quarter_on
from .test_laws_by_place import MUD, ROAD
from .test_laws_by_place import WHEEL as ON_MUD
from .test_limited_slip import rig as with_limited_slip
from .test_powershift import rig as with_powershift
from .test_soil_wheels import quarter_mechanism
from .test_tyre_options import free_wheel


def tumbling_box():
    box = B.Body(
        "box",
        1.0,
        (0.01, 0.02, 0.015),
        position=(0, 0, 0.3),
        velocity=(1, 0.2, 0),
        angular_velocity=(3, 1, -2),
    )
    contact = B.RigidContact(
        name="c", body="box", shape=B.Box(0.3, 0.2, 0.1), surface=B.Plane(), restitution=0.3
    )
    return B.Mechanism("box", (box,), contacts=(contact,))


def of_contact(part):
    """Function that returns a part of a simulation's contact state."""
    return lambda sim: part(sim.work.contact())


def on_bristles():
    return quarter_on("dry", "lugre", torque=B.Schedule.ramp(300.0, 1.0)).mechanism()


def in_ruts():
    return tandem(T.Sine(0.02, 3.0, soil_map=patches(), memory=AREA), 3)


def on_a_border():
    """Two wheels in line cross a grid of cone indices and a patch of road, one in the other's rut."""
    survey = T.ConeIndexField(2e5 + 1e5 * np.arange(12.0).reshape(2, 6) % 5e5, (1.0, 4.0), (0.0, -2.0))
    patch = T.Patch(outline=((2.0, -1.0), (3.0, 1.0), (2.0, 1.0)), **ROAD)
    soils = T.SoilMap(MUD, [patch], strength=survey)
    ground = T.Plane(soil_map=soils, memory=T.SoilMemory((-2, 9), (-1, 1)))
    return tandem(ground, 2, wheel=ON_MUD, torque=150.0, speed=2.0)


def on_a_relaxed_tyre():
    wheel = WheelContact(TYRE, SOFT, lateral=Crolla(), relaxation_length=0.4, law="dry", sinkage="none")
    return free_wheel(wheel, (1.0, 0.3), 3.0, 0.5)


# mechanism, step [s], steps before and after saving, a part of the state that must not be zero
CONTINUED = {
    "a box that bounces": (tumbling_box, 1e-3, 300, 300, None),
    "a wheel on soil": (lambda: quarter_mechanism("implicit", 300.0), 1e-3, 500, 500, None),
    "ruts": (in_ruts, 2e-3, 750, 750, of_contact(lambda c: c.grounds.memory)),
    "bristles": (on_bristles, 1e-3, 900, 1100, of_contact(lambda c: c.wheels.bristle[0].x)),
    "a border": (on_a_border, 1e-3, 1050, 800, of_contact(lambda c: c.grounds.memory)),
    "a tyre's deflection": (
        on_a_relaxed_tyre,
        1e-3,
        150,
        250,
        of_contact(lambda c: c.wheels.bristle[0].y),
    ),
    "limited slip": (lambda: with_limited_slip(150.0, 50.0), 1e-3, 50, 20, None),
    "a powershift gearbox": (
        lambda: with_powershift(B.Schedule(((0.0, 0.0), (1.0, 80.0))), 0.2),
        1e-3,
        700,
        600,
        lambda sim: sim.work.machine.input[sim.model.input("gear")] - 1.0,
    ),
    "oil": (crane, 1e-3, 800, 200, None),
}


@pytest.mark.parametrize("name", CONTINUED)
def test_a_run_continued_from_a_saved_state_ends_with_the_same_bytes(name, tmp_path):
    make, step, before, after, part = CONTINUED[name]
    model = B.compile(make())
    sim = B.Simulation(model, step, record_work=True)
    sim.run(before)
    assert part is None or np.any(part(sim))
    sim.state().save(tmp_path / "state")
    other = B.Simulation(model, step, state=B.State.load(tmp_path / "state"), record_work=True)
    for one in (sim, other):
        one.run(after)
    assert other.state().floats.tobytes() == sim.state().floats.tobytes()
    assert other.state().ints.tobytes() == sim.state().ints.tobytes()
    assert other.work_done() == sim.work_done()


def test_stages_one_by_one_are_the_step():
    model = B.compile(tumbling_box())
    one, two = B.Workspace(model), B.Workspace(model)
    for _ in range(100):
        one.run(1)
        for stage in ("detect", "assemble", "factor", "solve", "integrate", "project"):
            two.stage(stage)
    assert one.state().floats.tobytes() == two.state().floats.tobytes()
