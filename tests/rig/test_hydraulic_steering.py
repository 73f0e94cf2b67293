"""Hydraulic steering against a closed form and explicit integration; guidance of a tractor with it."""

import math

import numpy as np
import pytest

import rig
from rig.steering import Hydraulic
from tests.refusals import refusals
from tests.rig.guided import TRACTOR

OIL, C_D, TANK = 860.0, 0.65, 1e5


def turned(block, commands, tick=0.01):
    """Steer angles [rad] under commands, one each tick."""
    block.start(rig.Site(tick=tick))
    out = []
    for k, command in enumerate(commands):
        block.input("valve_command")[0] = command
        block.advance(k * tick, tick)
        out.append(float(block.output("steer_angle")[0]))
    return np.array(out)


@pytest.mark.parametrize("command", [1.0, 0.4, -0.6])
def test_without_load_both_edges_share_the_supply(command):
    """Piston speed v from a C_d sqrt(2 dp/rho) = A v (a: open area of an edge, A: piston area).

    The pressure drop at each edge is dp = (P_supply - P_tank - b v/A)/2, b: damping [N s/m].
    """
    block = Hydraulic(aligning=0.0)
    edge = block.opening * (abs(command) - block.dead_band) / (1.0 - block.dead_band)
    v = 0.0
    for _ in range(100):
        drop = 0.5 * (block.supply - TANK - block.damping * v / block.area)
        v = edge * C_D * math.sqrt(2.0 * drop / OIL) / block.area
    angles = turned(block, [command] * 60)
    rate = (angles[-1] - angles[20]) / 0.39
    assert rate == pytest.approx(math.copysign(v / block.arm, command), rel=0.01)


def test_shut_it_holds_against_the_tyres():
    angles = turned(Hydraulic(), [1.0] * 60 + [0.0] * 600)
    assert angles[-1] > 0.1
    assert abs(angles[-1] - angles[-300]) < 1e-5


def test_implicit_at_a_millisecond_is_explicit_at_a_tenth():
    commands = [1.0] * 40 + [0.0] * 10 + [-0.7] * 40 + [0.0] * 10
    fine = turned(Hydraulic(integration="ode5", step=1e-4), commands)
    assert np.abs(fine).max() > 0.05
    for integration, most in (("auto", 3e-4), ("backward", 1e-3)):  # backward Euler damps more
        assert turned(Hydraulic(integration=integration), commands) == pytest.approx(fine, abs=most)


def test_it_stops_at_its_limit_and_comes_back():
    block = Hydraulic(limit=0.1)
    angles = turned(block, [1.0] * 150 + [-1.0] * 150)
    assert angles[149] == pytest.approx(0.1, abs=0.01)
    assert angles[-1] == pytest.approx(-0.1, abs=0.01)


def test_guided_it_finds_the_path():
    r = rig.Rig(
        0.01, speed=4.5, start={"position": (0.0, 1.0, 0.0)}, **TRACTOR | {"steering": "hydraulic"}
    )
    run = r.run(30.0)
    after = run["position"][run["position"][:, 0] > 60.0, 1]
    assert np.abs(after).max() < 0.05


test_bad_input_is_a_sentence = refusals(
    (lambda: Hydraulic(integration="ode6"), "unknown integration 'ode6'; did you mean 'ode"),
    (lambda: Hydraulic(rod=0.06), "must be thinner than the bore"),
    (lambda: Hydraulic(arm=0.3), "is beyond half the stroke"),
    error=rig.RigError,
)
