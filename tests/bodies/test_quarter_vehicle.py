"""The quarter vehicle: steady states, rest, stopping, order of convergence, determinism."""

import itertools

import numpy as np
import pytest

from bodies import Schedule
from bodies.quarter import QuarterModel, QuarterState, QuarterVehicle, kernels, simulate
from bodies.quarter.trajectory import Trajectory
from contact import REGULARISATIONS, ConeIndexSoil, Tyre, WheelContact
from contact.kernels import layout as at
from tests import naive

SCHEMES = sorted(REGULARISATIONS)
PROMISED = sorted(set(REGULARISATIONS) - {"local-current"})


def quarter(scheme="implicit", ratio=0.0, **changes):
    """Table 1 of the paper with a quarter of the vehicle on the wheel."""
    tyre = Tyre(0.762, 0.2, 0.14, deflection_ratio=ratio)
    described = dict(
        mass=250.0, wheel_inertia=6.0, torque=Schedule.ramp(600.0, 10.0), pull=50.0,
        wheel=WheelContact(tyre, ConeIndexSoil(4e5), regularisation=scheme),
    )  # fmt: skip
    return QuarterVehicle(**{**described, **changes})


@pytest.mark.parametrize("solver", ["direct", "pgs"])
@pytest.mark.parametrize("scheme", PROMISED)
@pytest.mark.parametrize(
    ("ratio", "slip", "resistance"), [(0.0, 0.322534, 380.517), (0.2, 0.174294, 226.805)]
)
def test_steady_state_is_the_closed_form(scheme, solver, ratio, slip, resistance):
    run, _ = simulate(quarter(scheme, ratio), 20.0, 1e-3, solver)
    assert run.at_end("slip") == pytest.approx(slip, abs=1e-6)
    assert run.at_end("resistance") == pytest.approx(resistance, abs=5e-4)
    b_m = naive.mobility_number(4e5, 0.762, 0.2, 2452.5, ratio)
    thrust = naive.thrust_ratio(b_m, run.at_end("slip")) * 2452.5
    assert thrust == pytest.approx(600.0 / 0.381, rel=1e-6)
    assert run.at_end("traction") == pytest.approx(600.0 / 0.381, rel=1e-6)
    assert run.at_end("load") == pytest.approx(2452.5, rel=1e-9)
    assert run.missed == 0
    assert run.max_residual < 1e-8


def test_steady_state_with_osqp():
    run, _ = simulate(quarter("implicit"), 20.0, 1e-3, "osqp")
    assert run.at_end("slip") == pytest.approx(0.322534, abs=1e-6)
    assert run.missed == 0


def test_motion_is_that_of_the_differential_equation():
    """Against SciPy integrating the naive law, where no set-valued event happens."""
    vehicle = quarter("implicit", torque=Schedule.constant(450.0))
    run, _ = simulate(vehicle, 4.0, 1e-4, speed=1.0, every=1000)
    b_m = naive.mobility_number(4e5, 0.762, 0.2, 2452.5, 0.0)
    # the load settles within the first step: the run starts in static equilibrium
    v_x, rim = naive.drive(250.0, 6.0, 0.381, 2452.5, b_m, 450.0, 50.0, 1.0, run["time"])
    assert np.abs(run["v_x"] - v_x)[5:].max() < 5e-4
    assert np.abs(0.381 * run["omega"] - rim)[5:].max() < 5e-4


def chatter(run):
    force = run["traction"]
    return np.abs(np.diff(force)).sum() / np.abs(force).max()


def test_chatter_belongs_to_the_unregularised_law():
    assert chatter(simulate(quarter("set-valued"), 20.0)[0]) > 20.0
    for scheme in ("global", "local", "implicit"):
        assert chatter(simulate(quarter(scheme), 20.0)[0]) < 3.0


def test_implicit_needs_no_small_step():
    coarse, _ = simulate(quarter(), 20.0, 0.1)
    fine, _ = simulate(quarter(), 20.0, 1e-4, every=1000)
    assert chatter(coarse) < 1.1
    assert np.abs(coarse["v_x"] - fine["v_x"]).max() < 0.05
    assert 0.381 * np.abs(coarse["omega"] - fine["omega"]).max() < 0.05
    assert coarse.missed == 0


@pytest.mark.slow
def test_implicit_at_a_tenth_of_a_second_follows_a_hundred_thousandth():
    """The promise in full: two million steps of 1e-5 s as the reference."""
    coarse, _ = simulate(quarter(), 20.0, 0.1)
    fine, _ = simulate(quarter(), 20.0, 1e-5, every=10_000)
    assert np.abs(coarse["v_x"] - fine["v_x"]).max() < 0.05
    assert 0.381 * np.abs(coarse["omega"] - fine["omega"]).max() < 0.05


@pytest.mark.parametrize("ratio", [0.0, 0.2])
@pytest.mark.parametrize("scheme", PROMISED)
def test_whole_vehicle_on_one_wheel_cannot_move(scheme, ratio):
    run, _ = simulate(quarter(scheme, ratio, mass=1000.0), 20.0)
    assert np.abs(run["v_x"]).max() < 1e-12
    assert np.abs(run["x"]).max() < 1e-9


def held_on_slope(scheme, slip="ratio"):
    vehicle = quarter(scheme, torque=Schedule.constant(0.0), pull=0.0, slope=0.4, brake=1e5)
    wheel = WheelContact(vehicle.wheel.tyre, vehicle.wheel.soil, regularisation=scheme, slip=slip)
    vehicle = QuarterVehicle(250.0, 6.0, wheel, slope=0.4, brake=1e5)
    run, _ = simulate(vehicle, 65.0, 1e-3, every=100)
    return run, abs(run["x"][-1] - run["x"][49])


def test_locked_wheel_holds_a_slope_that_resistance_cannot():
    wheel = quarter().wheel
    assert float(wheel.resistance_ratio(1.0, 2452.5)) == pytest.approx(0.246, abs=5e-4)
    assert float(wheel.resistance_ratio(1.0, 2452.5)) < 0.4  # the premise: traction must hold it
    for scheme in ("set-valued", "implicit"):
        run, creep = held_on_slope(scheme)
        assert creep < 1e-3
        assert np.abs(run["v_x"]).max() < 1e-9
        assert run.at_end("traction") > 0.0


def test_other_schemes_creep_down_the_slope_at_a_rate_set_by_v_0():
    for scheme in ("global", "local"):
        _, creep = held_on_slope(scheme)
        assert 1e-3 < creep < 1e-2
    _, smooth = held_on_slope("implicit", slip="smooth")
    assert smooth > 0.1  # eq 7 has no traction at standstill: the vehicle rolls away


@pytest.mark.parametrize("scheme", PROMISED)
@pytest.mark.parametrize("brake", [0.0, 300.0, 1e4])
def test_stopping_is_the_same_forwards_and_backwards(scheme, brake):
    vehicle = quarter(scheme, torque=Schedule.constant(0.0), pull=0.0, brake=brake)
    ahead, _ = simulate(vehicle, 10.0, speed=3.0)
    astern, _ = simulate(vehicle, 10.0, speed=-3.0)
    assert ahead["v_x"] == pytest.approx(-astern["v_x"], abs=1e-9)
    moving = np.abs(ahead["v_x"]) > 1e-6  # at rest brake, traction and resistance share at will
    assert ahead["traction"][moving] == pytest.approx(-astern["traction"][moving], abs=1e-5)
    assert abs(ahead.at_end("v_x")) < 1e-3
    assert ahead["v_x"].min() > -1e-3  # never thrown backwards
    assert np.all(ahead["traction"] * ahead["sliding_velocity"] <= 1e-9)  # never pushed through


@pytest.mark.parametrize("scheme", PROMISED)
def test_driving_backwards_mirrors_driving_forwards(scheme):
    ahead, _ = simulate(quarter(scheme, torque=Schedule.ramp(600.0, 3.0)), 6.0)
    astern, _ = simulate(quarter(scheme, torque=Schedule.ramp(-600.0, 3.0)), 6.0)
    assert ahead["x"] == pytest.approx(-astern["x"], abs=1e-9)
    assert ahead["slip"][-1] == pytest.approx(-astern["slip"][-1], abs=1e-9)


@pytest.mark.parametrize("scheme", ["global", "local", "implicit"])
def test_first_order_in_the_step(scheme):
    fine, _ = simulate(quarter(scheme), 20.0, 2e-5, every=100)
    errors = []
    for step, every in ((2e-3, 1), (1e-3, 2), (5e-4, 4)):
        run, _ = simulate(quarter(scheme), 20.0, step, every=every)
        errors.append(np.abs(run["v_x"] - fine["v_x"]).max())
    for coarse, halved in itertools.pairwise(errors):
        assert 1.8 <= coarse / halved <= 2.3


def test_lift_off_and_landing():
    """Dropped from 5 cm with the wheel spinning: no force in the air, settles on its springs."""
    vehicle = quarter(torque=Schedule.constant(0.0), pull=0.0)
    model = QuarterModel(vehicle)
    start = model.at_rest(1e-3)
    lifted = QuarterState(
        0.0, np.array([0.0, 0.381 + 0.05, 0.0]), np.array([1.0, 0.0, 5.0]),
        start.impulses * 0.0, start.active,
    )  # fmt: skip
    run, _ = simulate(vehicle, 8.0, 1e-3, state=lifted)
    falling = run["time"] < 0.09
    assert np.all(run["load"][falling] == 0.0)
    assert np.all(run["traction"][falling] == 0.0)
    assert run["v_z"][falling][-1] == pytest.approx(-9.81 * run["time"][falling][-1], rel=1e-12)
    assert run["load"].max() > 2 * 2452.5
    assert run.at_end("load") == pytest.approx(2452.5, rel=1e-3)
    assert run.missed == 0


@pytest.mark.parametrize("solver", ["direct", "pgs", "osqp"])
def test_same_run_same_bytes_and_restore_is_the_same_future(solver, tmp_path):
    vehicle = quarter("implicit")
    whole, _ = simulate(vehicle, 3.0, 1e-3, solver)
    again, _ = simulate(vehicle, 3.0, 1e-3, solver)
    assert whole.data.tobytes() == again.data.tobytes()
    if solver == "osqp":
        return  # OSQP keeps its own warm start: its state cannot be handed over
    first, state = simulate(vehicle, 1.7, 1e-3, solver)
    state.save(tmp_path / "state.npz")
    rest, _ = simulate(vehicle, 1.3, 1e-3, solver, state=QuarterState.load(tmp_path / "state.npz"))
    joined = np.concatenate([first.data, rest.data])
    assert joined.tobytes() == whole.data.tobytes()


def test_compiled_run_is_the_stages_from_python():
    vehicle = quarter("local")
    compiled, _ = simulate(vehicle, 0.5, 1e-3, "direct", speed=1.0)
    staged = QuarterModel(vehicle, "direct")
    staged.restore(staged.at_rest(1e-3, 1.0))
    out = np.zeros((500, len(kernels.COLUMNS)))
    contact, motion = staged.contact, staged.motion
    for k in range(500):
        memory = contact.data.F, contact.data.N
        kernels.before_contacts(1e-3, staged.arrays, motion, *memory)
        contact.solve(1e-3, motion.gap, motion.B, motion.u, motion.u_free)
        kernels.after_contacts(1e-3, staged.arrays, motion, *memory, out[k])
    assert out.tobytes() == compiled.data.tobytes()


def test_stage_kernels_are_their_own_python():
    results = []
    for python in (False, True):
        model = QuarterModel(quarter(slope=0.2, brake=100.0))
        model.restore(model.at_rest(1e-3, 2.0))
        data, motion = model.contact.data, model.motion
        stages = kernels.before_contacts, kernels.after_contacts
        before, after = (stage.py_func if python else stage for stage in stages)
        before(1e-3, model.arrays, motion, data.F, data.N)
        data.rows.q[:] = [2.0, 0.5, 0.0, -0.3, 0.01]
        out = np.zeros(len(kernels.COLUMNS))
        after(1e-3, model.arrays, motion, data.F, data.N, out)
        results.append(np.concatenate([out, motion.B.ravel(), motion.u_free, motion.position]))
    assert np.array_equal(*results)


def test_energy_is_only_lost_to_the_ground():
    """Work of the drive = kinetic energy + losses in slip and resistance, to first order in h."""
    vehicle = quarter("implicit", torque=Schedule.constant(300.0), pull=0.0)
    balance = []
    for step in (1e-3, 5e-4):
        run, _ = simulate(vehicle, 5.0, step, speed=1.0)
        drive = np.sum(run["drive_torque"] * run["omega"]) * step
        slip_loss = -np.sum(run["traction"] * run["sliding_velocity"]) * step
        resistance = np.sum(run["resistance"] * run["v_x"]) * step
        kinetic = 0.5 * (
            250.0 * (run["v_x"][-1] ** 2 - 1.0) + 6.0 * (run["omega"][-1] ** 2 - 1 / 0.381**2)
        )
        assert slip_loss > 0.0
        balance.append(abs(drive - slip_loss - resistance - kinetic) / drive)
    assert balance[0] < 1e-3
    assert balance[0] / balance[1] == pytest.approx(2.0, abs=0.2)


def test_columns_of_a_run_are_named_and_survive_a_file(tmp_path):
    run, _ = simulate(quarter(), 0.1)
    assert run.units["traction"] == "N"
    again = Trajectory.load(run.save(tmp_path / "run"))
    assert again.data.tobytes() == run.data.tobytes()
    assert again.units == run.units
    assert again.notes == run.notes
    lines = run.to_csv(tmp_path / "run").read_text().splitlines()
    assert lines[0].startswith("time [s],x [m]")
    assert len(lines) == 101
    with pytest.raises(ValueError, match="did you mean 'traction'"):
        run["tracton"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: quarter(mass=-1.0), "mass = -1.0 kg must be above 0"),
        (lambda: quarter(wheel_inertia=0.0), "wheel_inertia = 0.0"),
        (lambda: quarter(slope=np.nan), "slope = nan must be a finite number"),
        (lambda: simulate(quarter(), 1.0, 0.0), "step = 0.0 s must be above 0"),
        (lambda: simulate(quarter(), 1e-4, 1e-3), "shorter than one step"),
        (lambda: simulate(quarter(), 1.0, solver="pgz"), "did you mean 'pgs'"),
        (lambda: Schedule(((0.0, 1.0), (0.0, 2.0))), "must increase"),
        (lambda: Schedule(((0.0,),)), "pairs of finite numbers"),
    ],
)
def test_bad_input_is_a_sentence(call, words):
    with pytest.raises(ValueError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_channel_count_matches_the_contact_layout():
    assert kernels.CHANNELS == at.CHANNELS + 1
