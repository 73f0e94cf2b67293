"""The force balance against the whole vehicle, driven in batches by ``bodies``."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import bodies
from bodies import vehicle
from mobility import Driver, WholeVehicle, going, lumped, ride
from mobility.kernels import answers as L
from mobility.kernels.balance import GRAVITY
from mobility.kernels.tables import GO, KEEP_MOVING, NO_GO
from mobility.performance.limits import balance

FREE = Driver(maximum=100.0, sight=1e4)


@pytest.fixture(scope="module")
def rear_driven():
    return WholeVehicle("hmmwv")


def in_gear(car, strength, along, gear):
    """Slip and speed of the force balance with one gear only, arrays (n,)."""
    gears = [dataclasses.replace(car, gears=(g,)) for g in car.gears]
    found = [
        going(gears[k - 1], c, a, driver=FREE) for c, a, k in zip(strength, along, gear, strict=True)
    ]
    return np.array([float(f.slip) for f in found]), np.array([float(f.speed) for f in found])


def cases(car, n, steepest, seed):
    """Random (strength, slope, gear) with a steady motion."""
    random, kept = np.random.default_rng(seed), []
    while len(kept) < n:
        strength = np.exp(random.uniform(np.log(1.5e5), np.log(2e6)))
        along, gear = random.uniform(-0.05, steepest), int(random.integers(1, 4))
        if in_gear(car, [strength], [along], [gear])[1][0] > 0.0:
            kept.append((strength, along, gear))
    strength, along, gear = (np.array(x) for x in zip(*kept, strict=True))
    return strength, along, gear


def test_slip_and_speed_of_the_balance_are_those_of_the_whole_vehicle(rear_driven):
    car = lumped("hmmwv")
    strength, along, gear = cases(car, 8, 0.25, 1)
    slip, speed = in_gear(car, strength, along, gear)
    found = rear_driven.keep_moving(strength, along, gear, 15.0)
    assert found.succeeds.all()
    assert found.missed.sum() == 0
    assert found.slip == pytest.approx(slip, abs=2e-3)
    assert found.speed == pytest.approx(speed, rel=0.01)


def test_a_vehicle_that_moves_goes_where_it_would_not_start_and_stops_where_nothing_holds(rear_driven):
    """At 260 kPa the vehicle starts on a slope of 3 %, only keeps moving on 9 %, stops on 16 %."""
    kind = rear_driven.going(np.full(3, 260e3), [0.03, 0.09, 0.16])
    assert kind.tolist() == [GO, KEEP_MOVING, NO_GO]
    assert going(lumped("hmmwv"), 260e3, [0.03, 0.09, 0.16]).kind.tolist() == kind.tolist()


def test_brakes_stop_it_and_hold_it_across_a_slope(rear_driven):
    slow = rear_driven.brake([400e3, 400e3], [0.0, -0.2], 2)
    hard = balance(lumped("hmmwv"), 400e3, [0.0, -0.2])[:, L.BRAKING]
    assert (slow < hard).all()  # brakes and tyres act with a delay
    assert (slow > 0.75 * hard).all()
    assert rear_driven.stand(1e6, 0.0, [0.2, 1.3]).succeeds.tolist() == [True, False]


def test_what_cannot_be_driven_is_a_sentence(rear_driven):
    with pytest.raises(ValueError, match="'trailer' cannot be driven here"):
        WholeVehicle("trailer")
    with pytest.raises(ValueError, match="above 0"):
        rear_driven.start(-1.0, 0.0)


@pytest.mark.slow
def test_twice_as_rough_shakes_twice_as_much(rear_driven):
    """Each class of ISO 8608 doubles the heights, and at equal speeds the accelerations."""
    smooth, rough = ride(rear_driven, "D"), ride(rear_driven, "E")
    assert smooth.speeds == pytest.approx(rough.speeds, rel=0.02)
    assert (np.diff(smooth.shaking) > 0.0).all()
    assert rough.shaking / smooth.shaking == pytest.approx(2.0, rel=0.1)
    assert smooth.limit == np.inf
    assert rough.speeds[0] < rough.limit < rough.speeds[-1]
    with pytest.raises(ValueError, match="ISO 8608 class"):
        ride(rear_driven, "Z")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seed"),
    [("hmmwv", 5), ("hmmwv_pitman", 6), ("hmmwv_4x4", 7), ("truck", 8), ("tractor", 9)],
)
def test_two_hundred_random_cases(name, seed):
    """In 40 cases the force balance has the slip of the whole vehicle to 2e-3, its speed to 1 %."""
    car = lumped(name)
    strength, along, gear = cases(car, 40, 0.5, seed)
    slip, speed = in_gear(car, strength, along, gear)
    found = WholeVehicle(name).keep_moving(strength, along, gear)
    assert found.succeeds.all()
    assert found.missed.sum() == 0
    starts = going(car, strength, along, driver=FREE).kind == GO
    assert starts.mean() > 0.8
    assert np.abs(found.slip - slip).max() < 2e-3
    assert np.abs(found.speed / speed - 1.0).max() < 0.01


@pytest.mark.slow
def test_with_an_automatic_transmission_it_settles_at_the_speed_of_the_balance():
    """With an open lock-up clutch the gearbox shifts by itself, and the speed converges to within 0.1 %
    of the force balance's."""
    read = vehicle.read(Path(__file__).parents[2] / "examples" / "utility_vehicle.toml")
    parts = [
        dataclasses.replace(part, lockup_capacity=0.0)
        if isinstance(part, vehicle.AutomaticTransmission)
        else part
        for part in read.parts
    ]
    read = dataclasses.replace(read, parts=tuple(parts))
    strength, along = np.array([6e5, 6e5, 3e6, 3e6]), np.array([0.0, 0.25, 0.2, 0.4])
    model = bodies.compile(read.mechanism())
    rest = bodies.equilibrium(model, inputs={"brake": 1.0})
    batch = bodies.Batch(model, 4, 5e-3, state=rest)
    run = np.sqrt(1.0 + along**2)
    gravity = np.stack([-GRAVITY * along / run, 0.0 * along, -GRAVITY / run], axis=-1)
    batch.vary({"soil.cone_index": strength, "gravity.acceleration": gravity})
    for name, value in (("gear", 1.0), ("throttle", 1.0), ("brake", 0.0)):
        batch.set_input(name, value)
    batch.run(8000, 1)
    assert batch.missed.sum() == 0
    found = going(lumped(read), strength, along, driver=FREE)
    assert batch.velocity("frame")[:, 0] == pytest.approx(found.speed, rel=1e-3)


@pytest.mark.slow
def test_limits_are_ordered_start_moving_best(rear_driven):
    """The steepest slope of a start is at most that of a moving vehicle, which lies between 0.85 times
    the slope of the force balance and 0.01 above it."""
    car = lumped("hmmwv")
    slopes = np.linspace(0.0, 0.3, 31)
    for strength in (260e3, 400e3):
        best = slopes[going(car, strength, slopes).kind != NO_GO].max()
        c = np.full(slopes.size, strength)
        starts = slopes[rear_driven.start(c, slopes).succeeds].max()
        moving = slopes[rear_driven.keep_moving(c, slopes).succeeds].max()
        assert starts <= moving <= best + 0.01
        assert moving >= 0.85 * best
