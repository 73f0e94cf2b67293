"""The quarter vehicle: steady states, rest, stopping, order of convergence, determinism."""

from dataclasses import replace

import numpy as np
import pytest

import bodies as B
from bodies import Schedule
from bodies.vehicle import QuarterVehicle
from contact import BekkerSoil, ConeIndexSoil, Tyre, WheelContact
from contact.terrain import Patch, Plane, SoilMap
from tests import naive
from tests.refusals import refusals

from . import naive_quarter
from .mechanisms import drive


def quarter(scheme="implicit", ratio=0.0, **changes):
    """Quarter vehicle by Table 1 of Peiret et al.: 250 kg on one wheel."""
    tyre = Tyre(0.762, 0.2, 0.14, deflection_ratio=ratio)
    described = dict(
        mass=250.0,
        wheel_inertia=6.0,
        torque=Schedule.ramp(600.0, 10.0),
        pull=50.0,
        wheel=WheelContact(tyre, ConeIndexSoil(4e5), regularisation=scheme),
    )
    return QuarterVehicle(**{**described, **changes})


@pytest.mark.parametrize("law", ["brixius", "wong-reece"])
@pytest.mark.parametrize("scheme", ["implicit", "local"])
@pytest.mark.parametrize("speed", [0.0, 2.0])
@pytest.mark.parametrize(
    "changes", [{}, {"torque": 0.0, "pull": 0.0, "slope": 0.2, "brake": 300.0}], ids=["pull", "brake"]
)
def test_every_step_is_that_of_three_velocities_by_hand(law, scheme, speed, changes):
    """Runs from rest or rolling, against a pull or braked on a slope, equal those of ``naive_quarter``.

    The local scheme divides by the slip at the start of the step. When a wheel has just stopped or
    moves off, that slip is round-off, and in the next eight steps four digits fewer agree.
    """
    soil = BekkerSoil.sandy_loam() if law == "wong-reece" else ConeIndexSoil(4e5)
    wheel = WheelContact(quarter(ratio=0.2).wheel.tyre, soil, law=law, regularisation=scheme)
    vehicle = quarter(**{"wheel": wheel, "torque": Schedule.ramp(600.0, 2.0), **changes})
    hand = naive_quarter.drive(vehicle, 1.0, 1e-3, speed=speed)
    run, record = drive(vehicle, 1.0, speed=speed)
    stands = (np.abs(hand.slip) < 1e-13) & (scheme == "local")
    turns = stands != np.concatenate([stands[:1], stands[:-1]])
    vague = 1.0 + 9999.0 * (np.convolve(turns, np.ones(9))[: len(turns)] > 0.0)
    assert turns.sum() <= 4

    def close(found, wanted, within):
        assert (np.abs(found - wanted) <= vague * within).all()

    close(run.velocity("wheel")[1:, 0], hand.v_x, 1e-11)
    close(record.rim_speed[1:], 0.381 * hand.omega, 1e-11)
    close(record.slip[1:], hand.slip, 1e-9)
    assert run.velocity("wheel")[1:, 2] == pytest.approx(hand.v_z, abs=1e-11)
    assert run.position("wheel")[1:, 0] == pytest.approx(hand.x, abs=1e-11)
    assert record.load[1:] == pytest.approx(hand.load, abs=1e-9)
    contact = record.traction[1:] - record.rolling_moment[1:] / 0.381  # force at the contact point
    # only the sum of thrust and resistance of a braked wheel at rest is determined by equilibrium; the
    # compliance of the resistance row determines both, with round-off magnified
    close(contact, hand.traction, 1e-3 if "brake" in changes else 1e-6)


def test_motion_is_that_of_the_differential_equation():
    """Speeds agree with SciPy's integration of the law; the wheel neither stops nor reverses."""
    vehicle = quarter("implicit", torque=Schedule.constant(450.0))
    run, wheel = drive(vehicle, 4.0, 1e-4, speed=1.0, record_every=1000)
    b_m = naive.mobility_number(4e5, 0.762, 0.2, 2452.5, 0.0)
    # the load settles within the first step: the run starts in static equilibrium
    v_x, rim = naive.drive(250.0, 6.0, 0.381, 2452.5, b_m, 450.0, 50.0, 1.0, run.time[1:])
    assert np.abs(wheel.v_x[1:] - v_x)[5:].max() < 5e-4
    assert np.abs(wheel.rim_speed[1:] - rim)[5:].max() < 5e-4


def test_lift_off_and_landing():
    """Dropped from 5 cm with the wheel spinning: no force in the air, at the end the static load."""
    mechanism = quarter(torque=0.0, pull=0.0).mechanism()
    lifted = replace(
        mechanism.bodies[0],
        position=(0.0, 0.0, 0.381 + 0.05),
        velocity=(1.0, 0.0, 0.0),
        angular_velocity=(0.0, 5.0, 0.0),
    )
    wheel = replace(mechanism.wheels[0], centre=lifted.position)
    plane = replace(mechanism.elements[0], position=lifted.position)
    elements = (plane, *mechanism.elements[1:])
    model = B.compile(replace(mechanism, bodies=(lifted,), wheels=(wheel,), elements=elements))
    run = B.simulate(model, 8.0, 1e-3)
    record, falling = run.wheel("wheel"), run.time < 0.09
    assert np.all(record.load[falling] == 0.0)
    assert np.all(record.traction[falling] == 0.0)
    v_z = run.velocity("wheel")[falling, 2]
    assert v_z[-1] == pytest.approx(-9.81 * run.time[falling][-1], rel=1e-12)
    assert record.load.max() > 2 * 2452.5
    assert record.load[-1] == pytest.approx(2452.5, rel=1e-3)
    assert run.missed == 0


@pytest.mark.parametrize("solver", ["direct", "pgs", "osqp"])
def test_same_run_same_bytes_and_restore_is_the_same_future(solver, tmp_path):
    vehicle = quarter("implicit")
    whole, _ = drive(vehicle, 3.0, solver=solver)
    again, _ = drive(vehicle, 3.0, solver=solver)
    for name, column in whole.columns().items():
        assert column.tobytes() == again.columns()[name].tobytes(), name
    if solver == "osqp":
        return  # OSQP has its own warm start, which cannot be saved
    first, _ = drive(vehicle, 1.7, solver=solver)
    first.final.save(tmp_path / "state.npz")
    state = B.State.load(tmp_path / "state.npz")
    rest, _ = drive(vehicle, 1.3, solver=solver, state=state)
    for name, column in whole.columns().items():
        joined = np.concatenate([first.columns()[name], rest.columns()[name][1:]])
        assert joined.tobytes() == column.tobytes(), name


def test_the_torque_may_be_a_number_a_schedule_or_an_input():
    runs = [drive(quarter(torque=t), 1.0)[1] for t in (300.0, Schedule.constant(300.0))]
    sim = B.Simulation(B.compile(quarter(torque="throttle").mechanism()), 1e-3)
    assert sim.model.mechanism.inputs == {"throttle": 0.0}
    sim.set_input("throttle", 300.0)
    sim.run(1000)
    assert runs[0].v_x.tobytes() == runs[1].v_x.tobytes()
    assert sim.velocity("wheel")[0] == runs[0].v_x[-1] > 0.1


def test_it_rolls_on_other_grounds_too():
    """A quarter vehicle has an equilibrium on hard ground, and accelerates more on a firm patch."""
    hard = B.equilibrium(B.compile(quarter(torque=0.0).mechanism(hard=True)))
    assert isinstance(hard, B.State)
    firm = SoilMap(ConeIndexSoil(1.2e5), [Patch(ConeIndexSoil(8e5), x=(-1.0, 1.0))])
    ends = [
        B.simulate(B.compile(quarter(torque=300.0).mechanism(1.0, ground=ground)), 0.5).wheel("wheel")
        for ground in (Plane(soil_map=firm), None)
    ]
    assert ends[0].v_x[-1] > ends[1].v_x[-1] + 0.05


def test_limits_of_the_contact_problem_may_be_set():
    """Steps that miss their tolerance are reported once, at the end of a run."""
    with pytest.warns(B.SimulationWarning, match="of 100 steps missed the tolerance") as told:
        run, _ = drive(quarter(torque=300.0), 0.1, contact={"max_passes": 1})
    assert run.missed > 0
    assert len([w for w in told if w.category is B.SimulationWarning]) == 1
    with pytest.warns(B.SimulationWarning, match="of 10 steps missed"):
        drive(quarter(torque=300.0), 0.01, contact={"max_passes": 1}, solver="osqp")


test_bad_input_is_a_sentence = refusals(
    (lambda: quarter(mass=-1.0), "mass = -1.0 kg must be above 0"),
    (lambda: quarter(wheel_inertia=0.0), "wheel_inertia = 0.0"),
    (lambda: quarter(slope=np.nan), "slope = nan must be a finite number"),
    (lambda: quarter(wheel=3.0), "wheel = 3.0 must be a WheelContact"),
    (lambda: quarter(torque=None), "torque = None must be a number or a text or a Schedule"),
    (lambda: quarter(torque=np.inf), "torque .* finite"),
    (lambda: quarter().mechanism(np.nan), "speed = nan must be a finite number"),
    (lambda: quarter(mass=1e6).mechanism(), "1e\\+06|9.81e\\+06"),
    (lambda: drive(quarter(), 1.0, 0.0), "step .* above 0"),
    (lambda: drive(quarter(), 1e-4), "shorter than half a step"),
    (lambda: drive(quarter(), 1.0, solver="pgz"), "did you mean 'pgs'"),
    (lambda: drive(quarter(), 1.0, contact={"passes": 3}), "did you mean 'max_passes'"),
    (lambda: drive(quarter(), 1.0, contact={"max_passes": 0}), "max_passes"),
    (lambda: drive(quarter(), 1.0, contact=3), "dict of names"),
    (lambda: Schedule(((0.0, 1.0), (0.0, 2.0))), "must increase"),
    (lambda: Schedule(((0.0,),)), "must be 2 finite numbers"),
)
