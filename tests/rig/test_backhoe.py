"""The backhoe as a block of a rig: each lever turns its joint; a restored state has the same future."""

import numpy as np
import pytest

import rig
from bodies import Simulation, compile, equilibrium
from bodies.hydraulics import backhoe
from rig import RigError


@pytest.fixture
def digger():
    return rig.Rig(0.01, linkage="backhoe")


@pytest.mark.parametrize("joint", range(4))
def test_each_lever_moves_its_own_joint_and_little_else(digger, joint):
    lever = ("swing_lever", "boom_lever", "crowd_lever", "bucket_lever")[joint]
    sign = (1.0, 1.0, -1.0, -1.0)[joint]  # of the angle: crowd in and bucket curl turn down and back
    run = digger.run(1.0, outside=lambda time: {lever: 0.5})
    moved = run["joint_angle"][-1] - run["joint_angle"][0]
    assert sign * moved[joint] > 0.1
    assert np.abs(np.delete(moved, joint)).max() < 0.02


def test_it_is_the_simulation_of_bodies_to_the_byte(digger):
    run = digger.run(0.5, outside=lambda time: {"boom_lever": 0.4})
    model = compile(backhoe())
    sim = Simulation(model, 1e-3, state=equilibrium(model))
    sim.set_input("boom lever", 0.4)
    sim.run(500)
    np.testing.assert_array_equal(digger.blocks["linkage"].poses(), sim.poses())
    assert run["cylinder_extension"][-1, 0] == sim.hydraulics.extension("boom")
    assert run["pump_pressure"][-1] == sim.hydraulics.pump[0]
    np.testing.assert_array_equal(run["cylinder_pressure"][-1, :2], sim.hydraulics.pressure("boom"))


def test_the_tip_stands_where_the_links_say(digger):
    """The tip ends a chain of boom 2.80 m, crowd 1.90 m, bucket 0.95 m at 35, -90 and -36 degrees."""
    run = digger.run(1.0, outside=lambda time: {"swing_lever": 0.3, "crowd_lever": 0.5})
    swing, *turned = run["joint_angle"][-1]
    angles = np.cumsum(np.radians([35.0, -90.0, -36.0]) + turned)
    reach = 0.35 + np.array([2.80, 1.90, 0.95]) @ np.cos(angles)
    height = 0.40 + np.array([2.80, 1.90, 0.95]) @ np.sin(angles)
    wanted = (reach * np.cos(swing), reach * np.sin(swing), height)
    assert run["tip_position"][-1] == pytest.approx(wanted, abs=1e-3)
    assert run["tip_reach"][-1] == pytest.approx(reach, abs=1e-3)


@pytest.mark.slow  # compiles a tractor with oil
def test_the_reach_is_the_same_on_its_tractor():
    blocks = {"linkage": "backhoe"}, {"machine": "backhoe loader"}
    reach = [float(rig.Rig(0.01, **block)["tip_reach"]) for block in blocks]
    assert reach[1] == pytest.approx(reach[0], abs=0.01)


def test_levers_that_nobody_holds_let_go_and_the_load_stays(digger):
    clock = rig.FakeClock()
    start = {"boom_lever": 1.0, "bucket_load": 3000.0}
    run = digger.run(1.0, clock=clock, outside=lambda time: start if time == 0.0 else None)
    assert ("stale", "boom_lever") in {e[1:] for e in run.events}
    assert run["boom_lever"][-1] == 0.0
    assert run["bucket_load"][-1] == 3000.0
    boom = run["joint_angle"][:, 1]
    assert boom[20] - boom[0] > 0.06  # rise [rad] within the lever's 0.2 s
    assert np.ptp(boom[-50:]) < 0.02  # the boom oscillates on its oil without drift


def test_its_state_decides_the_future(digger):
    digger.run(0.2, outside=lambda time: {"bucket_lever": -0.6})
    state = digger.state()
    first = digger.run(0.2).digest()
    digger.run(0.3, outside=lambda time: {"boom_lever": 1.0})
    digger.restore(state)
    assert digger.run(0.2).digest() == first


def test_a_vehicle_without_a_backhoe_is_no_backhoe_loader():
    with pytest.raises(RigError, match="machine 'backhoe loader': tractor: it has no 'swing'"):
        rig.make("machine", "backhoe loader", file="tractor")
