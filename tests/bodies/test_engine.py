"""Forces implicit in speed: engines, dampers and drag stay on their curves at any step length."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bodies as B
from bodies.driveline.kernels.engine import admittance
from bodies.driveline.outside_table import line
from bodies.summary import facts

from .mechanisms import shafts

# full-load curve as (speed [rad/s], torque [N m])
GOVERNED = ((-10.0, 30.0), (80.0, 40.0), (150.0, 80.0), (250.0, 60.0), (270.0, -40.0))
NO_LOAD = 262.0  # [rad/s] speed at which the table's last segment has no torque


def rotor(inertia=1.1, speed=0.0, **engine):
    """A crankshaft on the ground with an engine and nothing else."""
    bodies, hinges = shafts(speed={"crank": speed}, crank=inertia)
    motor = B.Engine(name="engine", joint="crank", **{"full_load": GOVERNED, **engine})
    return B.compile(B.Mechanism("rotor", bodies, (*hinges, motor), gravity=B.Gravity((0, 0, 0))))


def speeds(model, step, steps):
    sim = B.Simulation(model, step)
    found = [sim.angular_velocity("crank shaft")[0]]
    for _ in range(steps):
        sim.run(1)
        found.append(sim.angular_velocity("crank shaft")[0])
    return np.array(found)


def torque(table, speed):
    """Torque of the table; a governor reduces a positive last torque to 0 within 5 % above its speed."""
    x, y = np.array(table).T
    if y[-1] > 0.0:
        slope = min((y[-1] - y[-2]) / (x[-1] - x[-2]), -y[-1] / (0.05 * x[-1]))
        x, y = np.append(x, x[-1] - y[-1] / slope), np.append(y, 0.0)
    if not x[0] <= speed <= x[-1]:
        return y[0] if speed < x[0] else y[-1]
    k = int(np.clip(np.searchsorted(x, speed) - 1, 0, len(x) - 2))
    return y[k] + (y[k + 1] - y[k]) / (x[k + 1] - x[k]) * (speed - x[k])


@pytest.mark.parametrize("step", [1e-3, 1e-2, 1 / 60, 0.1, 1.0])
def test_a_governor_is_never_run_past(step):
    """The speed rises to the no-load speed and stays there, at h c / I up to 4500.

    h: step, c: slope of the governor's torque over speed, I: inertia of the crankshaft.
    """
    w = speeds(rotor(inertia=1.1e-3 if step == 1.0 else 1.1), step, 200 if step > 0.05 else 12000)
    assert np.all(np.diff(w) >= -1e-9)
    assert np.all(w <= NO_LOAD + 1e-9)
    if step * len(w) > 10.0:
        assert w[-1] == pytest.approx(NO_LOAD, abs=1e-6)


@pytest.mark.parametrize("load", [20.0, 200.0])
def test_a_run_reports_a_stalled_engine(load):
    """The torque is at most 80 N m: a brake of 200 N m stops the crankshaft, one of 20 N m does not."""
    bodies, hinges = shafts(speed={"crank": 150.0}, crank=1.1)
    motor = B.Engine(name="engine", joint="crank", full_load=GOVERNED)
    brake = B.Brake(name="brake", joint="crank", capacity=load, pressure=1.0)
    model = B.compile(B.Mechanism("braked", bodies, (*hinges, motor, brake)))
    text = dict(facts(B.simulate(model, 3.0, 1e-3, record_every=100)))["'engine'"]
    assert "rpm at the end" in text
    assert ("stalled" in text) == (load > 80.0)


slopes = st.lists(st.floats(0.01, 50.0), min_size=1, max_size=5)


@settings(max_examples=40, deadline=None)
@given(slopes, st.floats(-2.0, 3.0), st.floats(-3.0, 2.0), st.floats(-50.0, 400.0))
def test_one_step_is_backward_euler_on_the_table(falls, inertia, step, start):
    """``I (w+ - w) = h T(w+)`` for a step from speed w to w+, also across points of the torque table.

    T falls ever more steeply with speed; I: inertia, h: step.
    """
    step = min(10.0**step, 1.0)
    table, w, height = [], 0.0, 200.0
    for fall in (0.0, *sorted(falls)):
        height -= fall * 60.0
        table.append((w, height))
        w += 60.0
    inertia = 10.0**inertia
    before, after = speeds(rotor(inertia, start, full_load=tuple(table)), step, 1)
    want = step * torque(table, after)
    gained, small = inertia * (after - before), 1e-5 * (abs(want) + inertia + step)
    if after >= before:
        assert gained == pytest.approx(want, abs=small)
    else:  # in slowing down, w+ may remain above the solution but not pass it
        assert want - small <= gained


def test_it_converges_to_the_tables_solution():
    """The error against SciPy's solution of ``I dw/dt = T(w)`` is halved with the step (first order)."""
    from scipy.integrate import solve_ivp

    seconds = 3.0
    exact = solve_ivp(
        lambda t, w: [torque(GOVERNED, w[0]) / 1.1],
        (0, seconds),
        [0.0],
        rtol=1e-10,
        atol=1e-10,
        max_step=1e-3,
    ).y[0, -1]
    errors = [abs(speeds(rotor(), h, round(seconds / h))[-1] - exact) for h in (4e-3, 2e-3, 1e-3)]
    assert errors[2] < 0.2
    assert errors[0] / errors[1] == pytest.approx(2.0, abs=0.2)
    assert errors[1] / errors[2] == pytest.approx(2.0, abs=0.2)


speeds_of = st.lists(
    st.integers(-3000, 3000).map(lambda x: 0.1 * x), min_size=2, max_size=6, unique=True
).map(sorted)
torques_of = st.lists(st.floats(0.0, 1e3), min_size=6, max_size=6)


@settings(max_examples=200, deadline=None)
@given(speeds_of, torques_of, st.booleans(), torques_of, st.floats(0.0, 1.0), st.floats(-1e5, 1e5))
def test_outside_its_table_an_engine_dissipates(speeds, full, drags, drag, throttle, speed):
    """Torque T, speed w: ``T w <= 0`` backward and above the governor, at any throttle, by any table."""
    table = tuple(zip(speeds, full, strict=False))
    motoring = ((0.0, drag[0]), (100.0, drag[0] + drag[1]), (250.0, drag[0] + drag[1] + drag[2]))
    engine = B.Engine(name="e", joint="j", full_load=table, motoring=motoring if drags else ())
    found, brakes = engine.tables()
    assert np.all(np.diff([x for x, _ in found]) > 0.0)
    behind = 1.06 * max(speeds[-1], 20.0) + 1.0
    given = throttle * line(found, speed) - (1.0 - throttle) * (line(brakes, speed) if drags else 0.0)
    if speed < min(0.0, speeds[0]) or speed > behind:
        assert given * speed <= 1e-9 * abs(speed)
    if max(0.0, speeds[0]) <= speed <= speeds[-1]:
        assert line(found, speed) == pytest.approx(np.interp(speed, speeds, full[: len(speeds)]))


@pytest.mark.parametrize("start", [-400.0, -50.0])
@pytest.mark.parametrize("throttle", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("motoring", [(), ((0.0, 5.0), (100.0, 8.0))])
def test_a_rotor_that_turns_backward_is_stopped(start, throttle, motoring):
    engine = {"full_load": ((0, 100), (50, 120), (100, 0)), "motoring": motoring, "throttle": throttle}
    w = speeds(rotor(1.1, start, **engine), 1e-2, 1000)
    slowing = w[: np.argmax(w >= 0.0)] if np.any(w >= 0.0) else w
    assert np.all(np.diff(slowing) >= -1e-9)
    assert np.all(w <= 105.0)
    if throttle:
        assert w[-1] > 40.0
    elif motoring:
        assert abs(w[-1]) < 0.1 or start == -400.0


def test_a_motor_that_is_driven_backward_resists():
    """Driven backward, a motor keeps its standstill torque; its table, extrapolated, would drive it."""
    motor = B.ElectricMotor(name="m", joint="j", full_load=((0, 10), (5, 40), (10, 0)), command=1.0)
    full, _ = motor.tables()
    assert line(full, -100.0) == 10.0
    assert line(full, 100.0) == pytest.approx(-720.0)


def test_its_work_is_the_rotors_gain_of_energy():
    sim = B.Simulation(rotor(throttle=0.7, motoring=((0, 0), (100, 9))), 0.02, record_work=True)
    sim.run(300)
    kinetic = 0.5 * 1.1 * sim.angular_velocity("crank shaft")[0] ** 2
    assert sim.work_done()["engine"] == pytest.approx(kinetic, rel=1e-10)


def test_an_engine_is_no_constraint():
    assert B.mobility(rotor()).freedoms == 1


def test_the_whole_vehicle_at_a_tenth_of_a_second():
    """Full throttle in first gear: the crankshaft reaches the speed of a run with small steps."""
    from wheelground.reports.schemes.vehicle_case import model_of, standing

    def rpm(step):
        sim = B.Simulation(model_of("brixius", "implicit"), step, state=standing("brixius"))
        sim.set_input("throttle", 1.0)
        found = []
        for _ in range(20):
            sim.run(round(0.1 / step))
            found.append(sim.angular_velocity("crankshaft")[0] * 30.0 / np.pi)
        return np.array(found)

    long, short = rpm(0.1), rpm(5e-3)
    assert np.all(np.diff(long) > -1.0)
    assert np.all(long < 2616.0)
    np.testing.assert_allclose(long[8:], short[8:], rtol=0.02)
    assert long[-1] == pytest.approx(short[-1], rel=1e-4)


@pytest.mark.parametrize("slope", [-300.0, -3.0])
def test_a_spring_that_drives_is_taken_at_the_start_of_the_step(slope):
    """Spring of negative stiffness k beside a damper c: ``I (w+ - w) = -h (k x + c w+)``.

    x, w: angle and speed at the start of the step h; w+: speed at its end; I: inertia.
    """
    inertia, damping, h = 2.0, 0.5, 0.01
    bodies, hinges = shafts(speed={"crank": 1.0}, crank=inertia)
    table = ((-10.0, -10.0 * slope), (10.0, 10.0 * slope))
    spring = B.JointSpring(name="s", joint="crank", damping=damping, spring_table=table)
    model = B.compile(B.Mechanism("m", bodies, (*hinges, spring), gravity=B.Gravity((0, 0, 0))))
    x, w = 0.0, [1.0]
    for _ in range(8):
        w.append((inertia * w[-1] - h * slope * x) / (inertia + h * damping))
        x += h * w[-1]
    np.testing.assert_allclose(speeds(model, h, 8), w, rtol=1e-9)


START = np.array([30.0, 0.0, 40.0])  # [m/s] initial velocity relative to the air


@pytest.mark.parametrize("step", [1e-3, 0.1, 1.0])
def test_drag_alone_is_exact_at_any_step(step):
    """Steps of any length give drag's exact ``v = v_0 / (1 + k v_0 t / m)``: ``m dv/dt = -k v^2``."""
    k, wind = 0.5 * 1.225 * 1.2 * 3.0, np.array([5.0, -2.0, 0.0])
    leaf = B.Body("leaf", 0.5, (0.1,) * 3, velocity=tuple(wind + START))
    drag = B.Drag(name="drag", body="leaf", area=3.0, coefficient=1.2, wind=tuple(wind))
    model = B.compile(B.Mechanism("m", (leaf,), (drag,), gravity=B.Gravity((0, 0, 0))))
    sim = B.Simulation(model, step, record_work=True)
    sim.run(round(2.0 / step))
    want = wind + START / (1.0 + k * 50.0 * 2.0 / 0.5)
    np.testing.assert_allclose(sim.velocity("leaf"), want, rtol=1e-9)
    before = 0.25 * np.sum((wind + START) ** 2)
    assert sim.work_done()["drag"] == pytest.approx(0.25 * np.sum(want**2) - before, rel=1e-9)


def test_the_admittance_of_a_body():
    rng = np.random.default_rng(1)
    for _ in range(20):
        Q = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        M = np.zeros((6, 6))
        M[:3, :3] = np.eye(3) * rng.uniform(0.1, 10.0)
        M[3:, 3:] = Q @ np.diag(rng.uniform(0.1, 10.0, 3)) @ Q.T
        J = rng.normal(size=8)
        found = admittance(J, 2, np.r_[np.zeros(4), M.ravel()], 4)
        assert found == pytest.approx(J[2:] @ np.linalg.solve(M, J[2:]), rel=1e-12)
        assert admittance.py_func(J, 2, np.r_[np.zeros(4), M.ravel()], 4) == pytest.approx(found)
