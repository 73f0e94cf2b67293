"""Guidance against closed solutions of its linear loop, and in a field test."""

import math

import numpy as np
import pytest

import rig
from rig.chassis import Bicycle
from rig.guidance import LookAhead, Loop, OffTrack, Stanley, gains, sampled_limit
from rig.steering import FirstOrder, ThirdOrderValve
from tests.rig.guided import GUIDED, STEERED, TRACTOR

U, TAU, L = 4.5, 0.2, 2.9


def driven(time, *, at=(0.0, 1.0), tick=0.01, speed=U, path=None, seed=0, blocks=TRACTOR, **more):
    """Positions, shape (n, 3) [m], of a machine that starts ``at`` x, y [m]."""
    start = {"position": (*at, 0.0)}
    r = rig.Rig(tick, speed=speed, path=path, seed=seed, start=start, **blocks | more)
    return r.run(time)["position"]


def loop(guidance, *, tick, time, lag=None, at=(0.0, 1e-5), gnss=None, **more):
    """Lateral error e over time of the kinematic model, which starts ``at`` x, y [m]."""
    steering = "perfect" if lag is None else FirstOrder(lag=lag)
    gnss = gnss or rig.make("gnss", "perfect", rate=1.0 / tick)
    blocks = STEERED | {"steering": steering, "guidance": guidance, "gnss": gnss}
    return driven(time, at=at, tick=tick, blocks=blocks, **more)[:, 1]


def growth(y):
    """Growth of a lateral error: its largest size in the last quarter of a run over the one before."""
    n = len(y) // 4
    return np.abs(y[-n:]).max() / np.abs(y[-2 * n : -n]).max()


@pytest.mark.parametrize(("speed", "x"), [(U, 10.0), (-U, 90.0)], ids=["forward", "reverse"])
def test_look_ahead_follows_the_closed_solution(speed, x):
    """e'' + (2u/l) e' + (2u^2/l^2) e = 0; e: lateral error from 0.1 m on, u: speed, l: look-ahead."""
    tick, ahead = 0.001, 8.0
    e = loop(LookAhead(distance=ahead), tick=tick, time=8.0, at=(x, 0.1), speed=speed)
    s = U / ahead * tick * np.arange(len(e))
    assert np.abs(e - 0.1 * np.exp(-s) * (np.cos(s) + np.sin(s))).max() < 1e-3 * 0.1


@pytest.mark.parametrize(("share", "grows"), [(0.99, True), (1.01, False)])
def test_look_ahead_with_a_steering_lag_is_stable_beyond_u_tau(share, grows):
    e = loop(LookAhead(distance=share * U * TAU), tick=0.001, time=12.0, lag=TAU)
    assert (growth(e) > 1.0) == grows


@pytest.mark.parametrize(("share", "grows"), [(0.99, True), (1.01, False)])
@pytest.mark.parametrize(("delay", "limit"), [(0, 1.5029), (1, 2.5538)])
@pytest.mark.parametrize("tick", [0.002, 0.01])
def test_sampled_look_ahead_has_its_own_limit_at_any_tick(tick, delay, limit, share, grows):
    """Least stable look-ahead [m] at samples of 10 Hz, without and with a delay of one sample."""
    assert sampled_limit(U, TAU, 0.1, delay=delay) == pytest.approx(limit, abs=5e-5)
    gnss = rig.make("gnss", "perfect", rate=10.0, latency=0.1 * delay)
    e = loop(LookAhead(distance=share * limit), tick=tick, time=20.0, lag=TAU, gnss=gnss)
    assert (growth(e) > 1.0) == grows


@pytest.mark.parametrize(("u", "lag", "period"), [(2.0, 0.4, 0.05), (8.0, 0.1, 0.2), (4.5, 0.2, 1e-4)])
def test_sampled_limit_by_stepping_the_loop(u, lag, period):
    """``sampled_limit`` equals the limit found by stepping the loop with the lag's exact response."""
    ahead = sampled_limit(u, lag, period)
    if period < 1e-3:
        assert ahead == pytest.approx(u * lag, rel=2e-3)
        return
    fade = math.exp(-period / lag)
    for share, grows in ((0.98, True), (1.02, False)):
        k_e, k_psi = gains(share * ahead)
        e, psi, k, seen = 1.0, 0.0, 0.0, []
        for _ in range(4000):
            c = -k_e * e - k_psi * psi
            d, rest = k - c, lag * (1.0 - fade)
            e += u * psi * period + u * u * (0.5 * c * period**2 + d * lag * (period - rest))
            psi += u * (c * period + d * rest)
            k = c + d * fade
            seen.append(abs(e))
        assert (max(seen[-500:]) > max(seen[:500])) == grows


@pytest.mark.parametrize("u", [2.0, 4.5, 9.0])
def test_stanley_takes_the_front_axles_distance_away_at_its_rate(u):
    k = 0.8
    r = rig.Rig(
        0.001,
        speed=u,
        start={"position": (0.0, 0.05, 0.0)},
        guidance=Stanley(gain=k, soft=0.0),
        gnss=rig.make("gnss", "perfect", rate=1000.0),
        **STEERED,
    )
    run = r.run(2.0)
    front = run["position"][:, 1] + L * np.sin(run["attitude"][:, 2])
    assert -math.log(front[-1] / front[0]) / 2.0 == pytest.approx(k, rel=0.01)


@pytest.mark.parametrize("law", ["look-ahead", "off-track", "stanley"])
def test_in_reverse_a_law_brings_the_machine_onto_its_path_backwards(law):
    x, y, _ = driven(25.0, at=(60.0, 1.0), speed=-2.0, blocks=GUIDED, guidance=law)[-1]
    assert x == pytest.approx(10.0, abs=1.0)
    assert abs(y) < 0.01


@pytest.mark.parametrize(("share", "grows"), [(0.99, True), (1.01, False)])
def test_off_track_feedback_is_stable_beyond_u_tau_k_e(share, grows):
    k_e = 2.0
    law = OffTrack(k_e=k_e, k_psi=share * U * TAU * k_e)
    assert (growth(loop(law, tick=0.001, time=12.0, lag=TAU)) > 1.0) == grows


@pytest.mark.parametrize("law", ["off-track", "look-ahead"])
def test_on_a_circle_only_off_track_feeds_its_curvature_forward(law):
    radius = 30.0
    path = rig.arc(radius, 2.0 * math.pi)
    p = driven(50.0, at=(0.0, -0.2), path=path, speed=3.0, blocks=GUIDED, guidance=law)[-1]
    assert abs(math.hypot(p[0], p[1] - radius) - radius) < 1e-3


def test_from_both_errors_the_controller_steers_as_the_off_track_law():
    """On a straight path the controller and the guidance ``OffTrack`` move the tractor alike."""
    k_e, k_psi = 0.08, 0.4
    from_errors = rig.make("steering_controller", "from errors", k_e=k_e, k_psi=k_psi)
    linked = driven(20.0, steering_controller=from_errors)
    assert driven(20.0, guidance=OffTrack(k_e=k_e, k_psi=k_psi)) == pytest.approx(linked, abs=1e-9)
    assert abs(linked[-1, 1]) < 0.05


@pytest.mark.parametrize("law", ["look-ahead", "off-track", "stanley"])
def test_field_test(law):
    """A tractor that starts 1 m off its path: beyond 60 m its error is below 0.05 m, 0.03 m rms."""
    for seed in range(3):
        p = driven(40.0, seed=seed, guidance=law)
        after = p[p[:, 0] > 60.0, 1]
        assert np.abs(after).max() < 0.05
        assert np.sqrt(np.mean(after**2)) < 0.03


def test_the_predicted_delay_margin_is_found_again():
    """The latency at which the loop becomes unstable is within 10 % of the linear prediction."""
    distance = 5.0
    valve = ThirdOrderValve()
    chain = Loop(Bicycle(), valve, 12.0, *gains(distance), U, 0.05 - 0.005)
    margin, _ = chain.delay_margin()

    def grows(latency):
        gnss = rig.make("gnss", "perfect", rate=10.0, latency=latency)
        law = LookAhead(distance=distance)
        return growth(driven(40.0, at=(0.0, 1e-3), gnss=gnss, guidance=law, steering=valve)[:, 1]) > 1.0

    assert not grows(round(0.9 * margin, 2))
    assert grows(round(1.1 * margin, 2))


def test_an_unstable_loop_has_no_margin():
    with pytest.raises(rig.RigError, match="unstable as it is"):
        Loop(Bicycle(), ThirdOrderValve(), 12.0, *gains(1.0), U, 0.2).delay_margin()


def test_the_valve_at_full_flow_and_behind_its_dead_band():
    valve = ThirdOrderValve()
    valve.start(rig.Site(tick=0.01))
    angle = []
    for k in range(200):
        valve.input("valve_command")[0] = 0.5 * 0.92 + 0.08
        valve.advance(k * 0.01, 0.01)
        angle.append(valve.output("steer_angle")[0])
    assert (angle[190] - angle[90]) / 1.0 == pytest.approx(0.5 * math.radians(20.0), rel=1e-9)
    assert max(np.abs(angle[:5])) == 0.0  # no motion in the delay
    held = angle[-1]
    for k in range(100):
        valve.input("valve_command")[0] = 0.07
        valve.advance(2.0 + k * 0.01, 0.01)
    rest = valve.output("steer_angle")[0]
    valve.advance(3.0, 0.01)
    assert valve.output("steer_angle")[0] == pytest.approx(rest, abs=1e-12)
    assert rest > held  # delayed commands still act
    for k in range(1000):
        valve.input("valve_command")[0] = 1.0
        valve.advance(4.0 + k * 0.01, 0.01)
    assert valve.output("steer_angle")[0] == valve.limit
