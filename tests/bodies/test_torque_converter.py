"""A torque converter follows its curves from stall to the coupling point and dissipates energy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

import bodies as B
from tests.refusals import refusals

from .mechanisms import shafts

CAPACITY = ((0.0, 4.2e-3), (0.5, 4.0e-3), (0.8, 3.0e-3), (0.9, 2.0e-3), (1.0, 0.0))
# over the speed ratio [-]: capacity [N m s^2] (above) and torque ratio [-]
RATIO = ((0.0, 2.2), (0.5, 1.5), (0.85, 1.0), (1.0, 1.0))
PUMP, TURBINE = 0.8, 1.5  # moments of inertia [kg m^2]


def rig(*more, coasting=1.0, **curves):
    """Free pump and turbine on the ground, with additional elements."""
    bodies, hinges = shafts(pump=PUMP, turbine=TURBINE)
    converter = B.TorqueConverter(
        name="converter",
        pump="pump",
        turbine="turbine",
        coasting=coasting,
        **{"capacity": CAPACITY, "torque_ratio": RATIO} | curves,
    )
    return B.Mechanism("rig", bodies, (*hinges, converter, *more), gravity=B.Gravity((0, 0, 0)))


def driven(pump, turbine, **more):
    """Torques [N m] on pump and turbine, which are held at the speeds ``pump``, ``turbine`` [rad/s]."""
    motors = [
        B.Motor(name=f"{joint} drive", joint=joint, target=float(speed))
        for joint, speed in (("pump", pump), ("turbine", turbine))
    ]
    run = B.simulate(B.compile(rig(*motors, **more)), 0.05, 1e-3)
    held = [
        run.impulses[-1, run.model.rows[f"{joint} drive"][0]] / 1e-3 for joint in ("pump", "turbine")
    ]
    return -held[0], -held[1]


def test_at_stall_the_turbine_gets_the_stall_torque_ratio():
    pump, turbine = driven(150.0, 0.0)
    assert pump == pytest.approx(-4.2e-3 * 150.0**2, rel=1e-6)
    assert turbine == pytest.approx(2.2 * 4.2e-3 * 150.0**2, rel=1e-6)


@pytest.mark.parametrize("ratio", [0.25, 0.5, 0.7, 0.95])
def test_between_stall_and_coupling_point_it_follows_both_curves(ratio):
    pump, turbine = driven(200.0, 200.0 * ratio)
    expected = np.interp(ratio, *np.transpose(CAPACITY)) * 200.0**2
    assert pump == pytest.approx(-expected, rel=1e-6)
    assert turbine == pytest.approx(expected * np.interp(ratio, *np.transpose(RATIO)), rel=1e-6)


def test_from_the_coupling_point_on_both_torques_are_the_same_and_vanish_at_equal_speeds():
    for ratio in (0.85, 0.93, 0.999):
        pump, turbine = driven(200.0, 200.0 * ratio)
        assert turbine == pytest.approx(-pump, rel=1e-9)
    assert driven(200.0, 200.0) == pytest.approx((0.0, 0.0), abs=1e-9)


def test_pushed_it_brakes_with_the_capacity_of_the_inverse_ratio():
    pump, turbine = driven(150.0, 200.0, coasting=0.6)
    expected = 0.6 * np.interp(0.75, *np.transpose(CAPACITY)) * 200.0**2
    assert (pump, turbine) == pytest.approx((expected, -expected), rel=1e-6)


def test_a_free_turbines_run_up_is_the_differential_equations():
    """A constant torque drives the pump: the speeds of pump and turbine agree with SciPy's."""
    engine = B.Torque(name="engine", joint="pump", effort=120.0)
    model = B.compile(rig(engine))
    sim = B.Simulation(model, 1e-4)
    sim.run(15000)

    def rates(_, w):
        pump, turbine = w
        ratio = min(turbine / max(pump, 1e-9), 1.0)
        torque = np.interp(ratio, *np.transpose(CAPACITY)) * pump * pump
        return (120.0 - torque) / PUMP, torque * np.interp(ratio, *np.transpose(RATIO)) / TURBINE

    found = solve_ivp(rates, (0.0, 1.5), (0.0, 0.0), rtol=1e-9, atol=1e-9)
    speeds = [sim.angular_velocity(f"{name} shaft")[0] for name in ("pump", "turbine")]
    assert speeds == pytest.approx(found.y[:, -1], rel=1e-3)


@settings(max_examples=40, deadline=None)
@given(st.floats(-300, 300), st.floats(-300, 300), st.sampled_from([1e-4, 1e-3, 1e-2, 0.1]))
def test_a_converter_dissipates_at_all_speeds(pump, turbine, step):
    model = B.compile(rig())
    sim = B.Simulation(model, step)
    v = sim.work.machine.velocity
    v[3], v[9] = pump, turbine
    before = 0.5 * PUMP * pump**2 + 0.5 * TURBINE * turbine**2
    for _ in range(20):
        sim.run(1)
        now = 0.5 * PUMP * v[3] ** 2 + 0.5 * TURBINE * v[9] ** 2
        assert now <= before * (1.0 + 1e-12) + 1e-12
        before = now


test_impossible_converter_curves_are_refused = refusals(
    ({"torque_ratio": ((0.0, 2.0), (0.8, 1.4), (1.0, 1.0))}, "no converter makes power"),
    ({"capacity": ((0.0, 1e-3), (1.0, 1e-4))}, "must end with 0"),
    ({"capacity": ((0.2, 1e-3), (1.0, 0.0))}, "from speed ratio 0"),
    ({"capacity": ((0.0, -1e-3), (1.0, 0.0))}, "at speed ratio 0 = -0.001 must be at least 0"),
    of=lambda curves: rig(**curves),
    error=B.MechanismError,
)
