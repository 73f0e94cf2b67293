"""Powershift gearbox: shifts at two lines (input speed over throttle), gears engaged by clutches."""

import numpy as np
import pytest

import bodies as B
from tests.refusals import refusals

from .mechanisms import shafts

RATIOS = (4.0, 2.4, 1.5, 1.0)
UP, DOWN = ((0.0, 120.0), (0.3, 130.0), (1.0, 240.0)), ((0.1, 70.0), (1.0, 160.0))
INERTIA, CAPACITY = 0.5, 300.0  # inertia of the input shaft [kg m^2], capacity of a clutch [N m]


def box(**more):
    given = {"ratios": RATIOS, "reverse": -3.0, "capacity": CAPACITY, "upshift": UP, "downshift": DOWN}
    return B.PowershiftGearbox(
        name="box", input="in", output="out", **given | {"gear": "gear", "throttle": "pedal"} | more
    )


def rig(output, throttle=0.5, gear=1, **more):
    """A gearbox with a free input shaft; ``output``: speed of its driven output shaft [rad/s]."""
    start = output.points[0][1] if isinstance(output, B.Schedule) else output
    bodies, hinges = shafts(speed={"out": start}, **{"in": INERTIA, "out": INERTIA})
    drive = B.Motor(name="drive", joint="out", target=output)
    inputs = {"pedal": throttle}
    if isinstance(gear, B.Schedule):
        more["gear"] = gear
    else:
        inputs["gear"] = gear
    return B.Mechanism("rig", bodies, (*hinges, drive, box(**more)), inputs=inputs)


def gears(sim, steps):
    """Gear and speed of the output [rad/s] after each step."""
    place, told = sim.model.input("gear"), []
    for _ in range(steps):
        sim.run(1)
        told.append((sim.work.machine.input[place], sim.angular_velocity("out shaft")[0]))
    return np.array(told)


def level(points, u):
    return np.interp(u, *np.transpose(points))


@pytest.mark.parametrize("throttle", [0.0, 0.2, 0.65, 1.0])
def test_it_shifts_up_and_down_where_the_lines_say(throttle):
    """The output speed at each shift is the line's input speed over the ratio of the lower gear."""
    there = B.Schedule(((0.0, 0.0), (4.0, 300.0), (8.0, 0.0)))
    told = gears(B.Simulation(B.compile(rig(there, throttle)), 1e-3), 8000)
    at = np.nonzero(np.diff(told[:, 0]))[0]
    ups = [level(UP, throttle) / ratio for ratio in RATIOS[:-1]]
    downs = [level(DOWN, throttle) / ratio for ratio in RATIOS[:-1]][::-1]
    np.testing.assert_allclose(np.diff(told[:, 0])[at], [1, 1, 1, -1, -1, -1])
    # a shift is within two steps, in each of which the output speed changes by 300 / 4000 rad/s
    np.testing.assert_allclose(told[at, 1], [*ups, *downs], atol=2.1 * 300.0 / 4000.0)


def test_between_the_lines_it_keeps_its_gear():
    """Output speed oscillates by 10 %, less than the distance of the two lines: at most one shift."""
    for first in (2, 3):
        time = np.linspace(0.0, 5.0, 501)
        wave = 60.0 * (1.0 + 0.1 * np.sin(12.0 * time))
        there = B.Schedule(tuple(zip(time, wave, strict=True)))
        told = gears(B.Simulation(B.compile(rig(there, 0.4, gear=first)), 1e-3), 5000)
        assert len(np.nonzero(np.diff(told[:, 0]))[0]) <= 1


def test_full_throttle_takes_a_gear_back():
    sim = B.Simulation(B.compile(rig(70.0, 0.1, gear=4)), 1e-3)
    assert (
        gears(sim, 500)[-1, 0] == 4
    )  # input speed 70 x 1.5 = 105 rad/s in third gear: above the downshift line at small throttle
    sim.set_input("pedal", 1.0)
    assert gears(sim, 500)[-1, 0] == 3  # 105 rad/s is below the line now, 168 in second gear above


def test_a_gear_comes_in_by_friction_in_the_time_that_its_capacity_takes():
    """Time ``I dw / T`` (inertia, rise of input speed, clutch capacity) to engage; then no slip."""
    sim = B.Simulation(B.compile(rig(30.0, 0.0, gear=B.Schedule(((0.0, 2), (0.5, 1)), hold=True))), 1e-4)
    sim.run(5000)
    assert sim.angular_velocity("in shaft")[0] == pytest.approx(2.4 * 30.0, rel=1e-9)
    speeds = []
    while len(speeds) < 4000:
        sim.run(1)
        speeds.append(sim.angular_velocity("in shaft")[0])
    taken = 1e-4 * np.argmax(np.array(speeds) > 4.0 * 30.0 - 1e-6)
    assert taken == pytest.approx(INERTIA * 1.6 * 30.0 / CAPACITY, abs=3e-4)
    assert speeds[-1] == pytest.approx(120.0, rel=1e-9)


@pytest.mark.parametrize(("gear", "speed"), [(0, 0.0), (-1, -3.0 * 20.0)])
def test_neutral_and_reverse_stay_as_they_are_set(gear, speed):
    sim = B.Simulation(B.compile(rig(20.0, 1.0, gear=gear)), 1e-3)
    assert set(gears(sim, 500)[:, 0]) == {gear}
    assert sim.angular_velocity("in shaft")[0] == pytest.approx(speed, abs=1e-9)


test_impossible_input_is_refused = refusals(
    (
        {"downshift": ((0.0, 130.0), (1.0, 140.0))},
        "or it would hunt; at throttle 0 they are 130 and",
    ),
    ({"ratios": (1.0, 2.0)}, "fall from gear to gear"),
    ({"gear": 2}, "gear must be the name of an input"),
    ({"capacity": 0.0}, "capacity = 0.0 must be above 0"),
    ({"upshift": ((0.0, 120.0), (1.5, 240.0))}, "throttle = 1.5 must"),
    of=lambda field: box(**field),
    error=B.MechanismError,
)
