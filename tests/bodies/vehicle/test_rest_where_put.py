"""Static equilibrium at the given position, with the loads of statics, or an error with the reason."""

import dataclasses
import warnings

import numpy as np
import pytest

import bodies as B
from bodies import Schedule, vehicle
from contact import terrain as T

from .drives import on_grade, standing
from .test_trailing_arm import cart

pytestmark = pytest.mark.filterwarnings("ignore::contact.OutsideValidity")
BRAKED = ("hmmwv", "hmmwv_4x4", "hmmwv_pitman", "tractor", "truck")


def way(sim):
    """Horizontal distance of the wheels' mean position from its initial one [m]."""
    was = {body.name: body.position for body in sim.model.mechanism.bodies}
    wheels = [wheel.body for wheel in sim.model.mechanism.wheels]
    return np.hypot(*np.mean([sim.position(w)[:2] - np.array(was[w])[:2] for w in wheels], axis=0))


@pytest.mark.parametrize("brake", [0.0, 1.0])
def test_across_a_gentle_wave_it_stays_where_it_was_put(brake):
    """The vehicle stands across a slope of 5 %, 15 m from the trough of the wave."""
    car = dataclasses.replace(vehicle.read("hmmwv"), heading=0.5 * np.pi, origin=(0.0, 10.0, 0.4243))
    sim = standing(car.mechanism(ground=T.Sine(0.5, 60.0)), brake=brake)
    assert way(sim) < 0.05
    sim.run(300)
    assert way(sim) < 0.05


@pytest.mark.parametrize(
    ("name", "brake"),
    [
        pytest.param(name, brake, marks=[pytest.mark.slow] * (brake == 0.5 and name != "truck"))
        for name in (*BRAKED, "truck_6x6_air")
        for brake in (0.0, 0.5, 1.0)
    ],
)
def test_on_flat_ground_wheels_at_rest_feel_no_force_in_the_plane(name, brake):
    """At three step lengths lateral forces are below 0.3 %, longitudinal below 1 % of the mean load."""
    sim = standing(vehicle.load(name), brake=brake)
    model = sim.model
    for step in (5e-4, 1e-3, 2e-3):
        run = B.simulate(model, 20 * step, step, state=sim.state(), progress=False)
        load, thrust, side, resistance = np.transpose(
            [run.channel_force(w.name)[-1, :4] for w in model.mechanism.wheels]
        )
        assert np.abs(side).max() < 3e-3 * load.mean()
        # limit: round-off over the step squared; with opposed braked wheels the ratio would be 7 to 12 %
        assert np.abs([thrust, resistance]).max() < 1e-2 * load.mean()
        assert run.missed == 0


@pytest.mark.parametrize(
    ("name", "ground", "brake"),
    [
        ("hmmwv", T.Plane(grade_y=0.05), 0.0),
        ("hmmwv_4x4", T.Plane(grade_x=0.05), 1.0),
        ("tractor", T.Plane(grade_x=0.2, grade_y=-0.15), 1.0),
        ("tractor", T.Sine(0.3, 25.0), 1.0),
        ("truck", T.Plane(grade_y=0.2), 1.0),
    ],
)
def test_on_a_grade_each_wheel_holds_in_proportion_to_its_load(name, ground, brake):
    """Forces of wheels in the plane are nearly those of least norm: no two wheels oppose each other."""
    sim = standing(vehicle.load(name, ground=ground), brake=brake)
    model = sim.model
    run = B.simulate(model, 2e-3, 1e-3, state=sim.state(), progress=False)
    load, thrust, side, resistance = np.transpose(
        [run.channel_force(w.name)[-1, :4] for w in model.mechanism.wheels]
    )
    for force in (side, thrust + resistance):
        share = force.sum() / load.sum()
        assert force / load == pytest.approx(np.full(load.size, share), abs=0.02)


def test_a_search_ends_at_its_time_limit_with_its_last_state():
    model = B.compile(vehicle.load("skid_steer"))
    with pytest.raises(
        B.SimulationError, match=r"no rest within 1e-06 s of computing \(time_limit\)"
    ) as e:
        B.equilibrium(model, time_limit=1e-6)
    B.Simulation(model, 1e-3, state=e.value.state).run(1)
    with pytest.raises(B.MechanismError, match="time_limit"):
        B.equilibrium(model, time_limit=0.0)


def test_motors_that_drive_it_are_named():
    model = B.compile(vehicle.load("skid_steer", controls={"left": 1.0}))
    with pytest.raises(B.SimulationError, match=r"its motors drive it: inputs = {'left': 0.0}"):
        B.equilibrium(model, time_limit=2.0)


def test_a_brake_that_a_schedule_runs_is_no_input():
    schedule = Schedule(((0.0, 1.0), (1.0, 0.0)))
    model = B.compile(vehicle.load("hmmwv", controls={"brake": schedule}))
    with pytest.raises(B.UnknownName, match="'brake' is unknown.*a schedule runs is no input"):
        B.equilibrium(model, inputs={"brake": 1.0})


def test_a_vehicle_is_compiled_with_its_own_controls():
    read = vehicle.read("skid_steer")
    assert B.compile(read).mechanism.name == B.compile(read.mechanism()).mechanism.name
    with pytest.raises(B.MechanismError, match=r"must be a bodies.Mechanism or a vehicle"):
        B.compile(3)


def weak(stop):
    """A cart whose springs bear a quarter of their load at most; ``stop``: stop angle of arms [rad]."""
    car = cart()
    table = ((-0.2, -480.0), (0.2, 480.0))
    arms = (dataclasses.replace(a, spring_table=table, stop_angle=stop) for a in car.parts[1:])
    return B.compile(dataclasses.replace(car, parts=(car.parts[0], *arms)).mechanism({"brake": 0.0}))


def test_arms_that_turn_over_are_refused_by_name_and_stops_hold_them():
    with pytest.raises(B.SimulationError, match=r"suspension has turned over: '\w+ arm' stands"):
        B.equilibrium(weak(0.0))
    model = weak(0.3)
    sim = B.Simulation(model, 1e-3, state=B.equilibrium(model))
    assert abs(sim.coordinate("front_left pivot")) == pytest.approx(0.3, abs=1e-3)


def test_rest_on_a_grade_is_the_same_however_forces_combine():
    """Both options ``combined`` give a vehicle, braked on a grade of 40 %, the same equilibrium.

    The search for it has no side forces that could combine with thrust.
    """
    places = []
    for combined in ("demand", "sliding"):
        car = vehicle.load("hmmwv", controls={"gear": 0, "clutch": 0.0, "brake": 1.0}, combined=combined)
        places.append(standing(on_grade(car, 0.4)).position("frame"))
    assert places[0] == pytest.approx(places[1], abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(15))
def test_random_starts_on_random_ground_rest_or_are_refused_in_a_sentence(seed):
    """A braked vehicle rests near its start, or elsewhere with a warning, or is refused."""
    rng = np.random.default_rng((31, seed))
    name = BRAKED[seed % len(BRAKED)]
    ground = (
        T.Sine(rng.uniform(0.1, 0.6), rng.uniform(30.0, 80.0))
        if seed % 2
        else T.Plane(grade_x=rng.uniform(-0.35, 0.35), grade_y=rng.uniform(-0.25, 0.25))
    )
    car = vehicle.read(name)
    x, y = rng.uniform(-3.0, 3.0, 2)
    car = dataclasses.replace(
        car.on(cone_index=10.0 ** rng.uniform(5.3, 6.3)),
        heading=rng.uniform(-np.pi, np.pi),
        origin=(x, y, car.origin[2] + 1.5),
    )
    model = B.compile(car.mechanism(ground=ground))
    width = min(w.width for w in model.mechanism.wheels)
    refused = None
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            state = B.equilibrium(model, inputs={"brake": 1.0}, time_limit=60.0)
        except B.SimulationError as error:
            refused, state = str(error), error.state
    sim = B.Simulation(model, 1e-3, state=state)
    words = refused or " ".join(str(w.message) for w in told)
    assert refused or way(sim) <= width or "from where it was put" in words
