"""The bicycle model against closed forms and SciPy's linear systems."""

import dataclasses
import math

import numpy as np
import pytest
from scipy import signal

import rig
from rig.chassis import Bicycle, Kinematic, Towing

SPEEDS = (1.0, 3.0, 4.5, 7.5, 10.0)


def circle(chassis, u, delta, time=30.0, tick=0.01, **start):
    """A run at a constant steer angle."""
    r = rig.Rig(tick, chassis=chassis, speed=u, start={"steer_angle": delta, **start})
    return r, r.run(time)


def test_understeer_gradient_and_characteristic_speed():
    b = Bicycle()
    assert b.understeer_gradient == pytest.approx(6.336020e-3, abs=5e-10)
    assert b.characteristic_speed == pytest.approx(21.3939, abs=5e-5)
    told = [b.yaw_gain(u) for u in (1.0, 4.5, 10.0)]
    assert told == pytest.approx([0.344076, 1.485980, 2.829973], abs=5e-7)


@pytest.mark.parametrize("sigma", [0.0, 0.5])
@pytest.mark.parametrize("u", SPEEDS)
def test_the_steady_yaw_gain_is_the_closed_one(u, sigma):
    """Yaw rate over steer angle: u/(L + K u^2), L: wheelbase, K: understeer gradient."""
    b = Bicycle(sigma_f=sigma, sigma_r=sigma)
    _, run = circle(b, u, 0.02)
    closed = u / (2.9 + b.understeer_gradient * u * u)
    assert run["yaw_rate"][-1] / 0.02 == pytest.approx(closed, rel=1e-9)
    assert b.response(u, 0.0).real == pytest.approx(closed, rel=1e-9)


def test_eigenvalues():
    b = Bicycle()
    told = np.array([-4.81524 + 7.11455j, -4.18476 + 11.58644j])
    found = b.eigenvalues(4.5)
    for value in (*told, *told.conj()):
        assert np.abs(found - value).min() < 1e-5
    none = Bicycle(sigma_f=0.0, sigma_r=0.0).eigenvalues(4.5)
    assert sorted(none.real) == pytest.approx([-16.77558, -8.24260], abs=1e-5)


@pytest.mark.parametrize("u", [0.5, *SPEEDS, 20.0, 27.3])
def test_eigenvalues_are_roots_of_the_characteristic_polynomial(u):
    """Every eigenvalue s makes the matrix of the equations of motion singular; the sum of all is
    -u (1/sigma_f + 1/sigma_r), u: speed, sigma: relaxation lengths of front and rear tyres.
    """
    b = Bicycle(sigma_f=0.4, sigma_r=0.7)
    p, q = 1.0 / b.sigma_f, 1.0 / b.sigma_r
    f, r = b.stiffness_f, b.stiffness_r
    m, i, a, c = b.mass, b.inertia, b.a, b.b
    for s in b.eigenvalues(u):
        # with slip angles alpha_f = p (v + a g)/(s + u p), alpha_r = q (v - b g)/(s + u q), where
        # v: lateral speed, g: yaw rate, a, b: distances of front, rear axle from the mass centre; F, R:
        # forces over the axles' lateral speeds v + a g, v - b g; f, r: cornering stiffnesses [N/rad]
        F, R = f * p / (s + u * p), r * q / (s + u * q)
        rows = np.array(
            [
                [s + (F + R) / m, u + (a * F - c * R) / m],
                [(a * F - c * R) / i, s + (a * a * F + c * c * R) / i],
            ]
        )
        size = np.abs(rows).max() ** 2
        assert abs(np.linalg.det(rows)) < 1e-9 * size
    assert b.eigenvalues(u).sum().real == pytest.approx(-u * (p + q), rel=1e-12)


@pytest.mark.parametrize("kind", ["step", "chirp"])
def test_response_is_that_of_scipys_linear_system(kind):
    b, u, h = Bicycle(), 6.2, 0.01
    time = h * np.arange(1001)
    # a step is a ramp over one tick: the wheels turn evenly from tick to tick
    delta = np.full(1001, 0.03) if kind == "step" else 0.03 * signal.chirp(time, 0.1, 10.0, 4.0)
    delta[0] = 0.0
    A, push = b.matrices(u)
    system = signal.StateSpace(A, push[:, None], np.eye(4), np.zeros((4, 1)))
    _, told, _ = signal.lsim(system, delta, time, interp=True)
    b.start(rig.Site(tick=h), {"velocity": (u, 0.0, 0.0)})
    b.input("speed_command")[0] = u
    found = [b.x[:4].copy()]
    for k in range(1000):
        b.input("steer_angle")[0] = delta[k + 1]
        b.advance(k * h, h)
        found.append(b.x[:4].copy())
    assert np.abs(np.array(found) - told).max() < 1e-6 * np.abs(told).max()


@pytest.mark.filterwarnings("ignore:Badly conditioned")  # SciPy converts to polynomials
@pytest.mark.parametrize("u", [2.0, 9.1])
def test_size_and_phase_are_those_of_scipys_frequency_response(u):
    b = Bicycle()
    A, push = b.matrices(u)
    w = np.array([0.3, 2.0, 11.0])
    _, told = signal.StateSpace(A, push[:, None], np.eye(4)[1:2], np.zeros((1, 1))).freqresp(w)
    for frequency, value in zip(w, told, strict=True):
        assert abs(b.response(u, frequency) - value) < 1e-9 * abs(value)
        assert b.phase(u, frequency) == pytest.approx(np.angle(value), abs=1e-9)


def test_short_relaxation_tends_to_none_at_first_order():
    b0 = Bicycle(sigma_f=0.0, sigma_r=0.0)
    none = b0.response(4.5, 3.0)
    off = [abs(Bicycle(sigma_f=s, sigma_r=s).response(4.5, 3.0) - none) for s in (4e-3, 2e-3, 1e-3)]
    assert off[0] / off[1] == pytest.approx(2.0, rel=0.02)
    assert off[1] / off[2] == pytest.approx(2.0, rel=0.01)


@pytest.mark.parametrize("sigma", [0.0, 0.5])
def test_at_rest_nothing_moves_and_slow_is_finite(sigma):
    _, run = circle(Bicycle(sigma_f=sigma, sigma_r=sigma), 0.0, 0.3)
    assert (run["position"] == 0.0).all()
    assert (run["yaw_rate"] == 0.0).all()
    for u in (1e-12, 1e-3):
        _, run = circle(Bicycle(sigma_f=sigma, sigma_r=sigma), u, 0.3)
        assert np.abs(run["velocity"]).max() < 1.0


@pytest.mark.parametrize("tick", [0.1, 0.05])
def test_on_a_circle_the_track_closes(tick):
    """A steady turn: all points of the track have equal distances from one centre."""
    b, u, delta = Bicycle(), 4.5, 0.1
    _, run = circle(b, u, delta, 20.0, tick)
    p = run["position"][int(10.0 / tick) :, :2]
    rate = b.yaw_gain(u) * delta
    v = run["velocity"][-1, 1]
    radius = math.hypot(u, v) / rate
    psi, last = run["attitude"][-1, 2], p[-1]
    centre = (
        last
        + np.array([-v * math.cos(psi) - u * math.sin(psi), u * math.cos(psi) - v * math.sin(psi)])
        / rate
    )
    assert np.abs(np.hypot(*(p - centre).T) - radius).max() < 1e-5 * radius


def test_saturating_tyres_are_the_linear_ones_for_small_angles_and_hold_no_more_than_their_grip():
    u = 4.5
    _, linear = circle(Bicycle(), u, 1e-3, 3.0)
    _, small = circle(Bicycle(friction=0.8), u, 1e-3, 3.0)
    # tanh x = x - x^3/3, x = C alpha/(mu N) < 2e-3; C: cornering stiffness, alpha: slip angle, N: load
    assert np.abs(small["yaw_rate"] - linear["yaw_rate"]).max() < 1e-5 * np.abs(linear["yaw_rate"]).max()
    _, hard = circle(Bicycle(friction=0.3), 10.0, 0.5, 20.0)
    rate = hard["yaw_rate"]
    side = np.diff(hard["velocity"][:, 1] + 1.2 * rate) / 0.01 + 10.0 * 0.5 * (rate[1:] + rate[:-1])
    assert 0.9 < np.abs(side).max() / (0.3 * 9.80665) < 1.0 + 1e-3  # force of both axles over mu m g


def test_kinematic_chassis_runs_on_the_circle_of_its_wheelbase():
    _, run = circle(Kinematic(), 3.0, 0.2, 30.0, 0.1)
    radius = 2.9 / math.tan(0.2)
    assert np.abs(np.hypot(run["position"][:, 0], run["position"][:, 1] - radius) - radius).max() < 1e-9


def test_drawn_implement_runs_on_its_own_circle():
    """Radius R_i of the implement's circle: R_i^2 = R^2 + c^2 - l^2, where R is the radius of the rear
    axle's circle, c the hitch's distance behind that axle, l the distance from hitch to implement."""
    r = rig.Rig(0.05, chassis="kinematic", implement="drawn", speed=2.0, start={"steer_angle": 0.3})
    p = r.run(100.0)["implement_position"][-1]
    R = 2.9 / math.tan(0.3)
    assert math.hypot(p[0], p[1] - R) == pytest.approx(math.sqrt(R**2 + 0.8**2 - 3.9**2), rel=1e-6)


def test_towing_reproduces_its_eigenvalues_over_time():
    """The matrix of a step h, fitted to twelve steps, has eigenvalues exp(s h), s: of the model."""
    b = Towing()
    b.start(rig.Site(tick=0.02))
    b.input("speed_command")[0] = 4.5
    rng = np.random.default_rng(0)
    before, after = [], []
    for _ in range(12):
        b.x[:7] = 0.01 * rng.standard_normal(7)
        before.append(b.x[:7].copy())
        b.advance(0.0, 0.02)
        after.append(b.x[:7].copy())
    P = np.linalg.lstsq(np.array(before), np.array(after), rcond=None)[0].T
    found = np.log(np.linalg.eigvals(P).astype(complex)) / 0.02
    for value in b.eigenvalues(4.5):
        assert np.abs(found - value).min() < 1e-6 * abs(value)
    # with a nearly massless implement the system of 7 states has the eigenvalues of the bicycle
    light = dataclasses.replace(b, towed_mass=1.0, towed_inertia=1.0, towed_stiffness=1.0)
    for value in Bicycle().eigenvalues(4.5):
        assert np.abs(light.eigenvalues(4.5) - value).min() < 2e-3 * abs(value)


def test_towing_satisfies_newton_and_the_hitch():
    """The total momentum changes by the tyre forces alone, and the hitch points move together."""
    b, u = Towing(), 4.5
    A, push = b.matrices(u)
    rng = np.random.default_rng(1)
    x, delta = rng.standard_normal(7), 0.3
    d = A @ x + push * delta
    v, g, f, r, gi, lam, ai = x
    dvi = d[0] - b.c * d[1] - b.d * d[4] - u * (gi - g)
    force = -b.stiffness_f * f - b.stiffness_r * r - b.towed_stiffness * ai
    assert b.mass * (d[0] + u * g) + b.towed_mass * (dvi + u * gi) == pytest.approx(force, rel=1e-12)
    Y = b.mass * (d[0] + u * g) + b.stiffness_f * f + b.stiffness_r * r
    torque = -b.a * b.stiffness_f * f + b.b * b.stiffness_r * r - b.c * Y
    assert b.inertia * d[1] == pytest.approx(torque, rel=1e-10)
    assert b.towed_inertia * d[4] == pytest.approx(-b.d * Y + b.e * b.towed_stiffness * ai, rel=1e-10)
    assert d[5] == pytest.approx(gi - g)
    vi = v - b.c * g - b.d * gi - u * lam
    assert b.towed_sigma * d[6] == pytest.approx(vi - b.e * gi - u * ai, rel=1e-10)


@pytest.mark.parametrize("chassis", ["kinematic", "bicycle"])
def test_a_chassis_lies_on_the_slope_below(chassis):
    class Slope:
        def height(self, x, y):
            return 0.1 * np.asarray(x) + 0.05 * np.asarray(y)

    start = {"attitude": (0.0, 0.0, 0.5 * math.pi)}  # the heading is north
    r = rig.Rig(0.01, chassis=chassis, terrain=Slope(), speed=2.0, start=start)
    roll, pitch, _ = r.run(1.0)["attitude"][-1]
    assert pitch == pytest.approx(-math.atan(0.05))
    assert math.tan(roll) == pytest.approx(-0.1 * math.cos(pitch))
    assert r["position"][2] == pytest.approx(0.1 * r["position"][0] + 0.05 * r["position"][1], abs=1e-12)
