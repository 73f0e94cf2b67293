"""A torque-sensing differential slips only beyond its bias ratio and its preload."""

import dataclasses

import pytest

import bodies as B

from .mechanisms import shafts


def rig(torque, low, *, bias=3.0, preload=0.0, ratio=4.0, slip=True):
    """A driven differential; the left output slips in a brake of ``low`` [N m], the right holds."""
    bodies, hinges = shafts((0.0, 1.0, 0.0), input=0.2, left=0.2, right=0.2)
    elements = [
        *hinges,
        B.Differential(name="differential", input="input", left="left", right="right", ratio=ratio),
        B.Torque(name="engine", joint="input", effort=torque),
        B.Brake(name="left brake", joint="left", capacity=low, pressure=1.0),
        B.Brake(name="right brake", joint="right", capacity=1e6, pressure=1.0),
    ]
    if slip:
        unit = B.LimitedSlip(
            name="unit",
            differential="differential",
            joint_1="left",
            joint_2="right",
            bias_ratio=bias,
            preload=preload,
        )
        elements.insert(4, unit)  # the order of elements is free: the unit names its differential
    return B.Mechanism("rig", bodies, tuple(elements), gravity=B.Gravity((0, 0, 0)))


def turned(low, **more):
    """The rig with a motor that turns the input at 20 rad/s in place of the torque."""
    mechanism = rig(0.0, low, **more)
    drive = B.Motor(name="drive", joint="input", target=20.0)
    elements = (*(e for e in mechanism.elements if e.name != "engine"), drive)
    return dataclasses.replace(mechanism, elements=elements)


def torques(mechanism, seconds=0.02):
    """Final torques of both brakes [N m], speed of the left output [rad/s], work of each element [J]."""
    model = B.compile(mechanism)
    run = B.simulate(model, seconds, 1e-3, record_work=True)
    left, right = (abs(run.channel_force(f"{side} brake")[-1, 0]) for side in ("left", "right"))
    return left, right, run.angular_velocity("left shaft")[-1, 1], run.work()


def test_open_the_holding_output_has_the_spinning_outputs_torque():
    left, right, speed, _ = torques(rig(150.0, 100.0, slip=False), 2.0)
    assert speed > 1.0
    assert left == pytest.approx(100.0, rel=1e-9)
    assert right == pytest.approx(
        100.0 + 0.2 * speed / 2.0, rel=1e-6
    )  # including the torque that accelerates the left shaft


@pytest.mark.parametrize("bias", [1.5, 3.0, 6.0])
def test_below_the_bias_ratio_the_outputs_turn_without_slip(bias):
    """Brakes that share 400 N m in the ratio 0.9 B (B: bias ratio) hold both outputs at rest."""
    low = 400.0 / (1.0 + 0.9 * bias)
    left, right, speed, _ = torques(rig(100.0, low, bias=bias), 0.5)
    assert abs(speed) < 1e-6
    assert left + right == pytest.approx(400.0, rel=1e-6)
    assert left <= low * (1.0 + 1e-9)


@pytest.mark.parametrize("bias", [1.5, 3.0, 6.0])
def test_beyond_it_slips_at_torques_in_the_bias_ratio(bias):
    """A motor turns the input at 20 rad/s: the right torque is the left one times the bias ratio."""
    low = 50.0
    left, right, speed, work = torques(turned(low, bias=bias), 1.0)
    assert speed == pytest.approx(
        2.0 * 20.0 / 4.0, rel=1e-6
    )  # the right output stands, the left one turns twice as fast
    assert left == pytest.approx(low, rel=1e-9)
    assert right == pytest.approx(bias * low, rel=1e-6)
    assert work["unit"][-1] < 0.0


def test_a_preload_is_there_without_torque():
    """At bias ratio 1 the torques of the outputs differ by twice the preload of 20 N m."""
    left, right, _, _ = torques(turned(30.0, bias=1.0, preload=20.0), 1.0)
    assert right - left == pytest.approx(2.0 * 20.0, rel=1e-9)


def test_an_unknown_differential_gets_the_nearest_name():
    mechanism = rig(1.0, 1.0)
    unit = next(e for e in mechanism.elements if e.name == "unit")
    other = B.LimitedSlip(name="other", differential="diferential", joint_1="left", joint_2="right")
    elements = (*(e for e in mechanism.elements if e is not unit), other)
    with pytest.raises(B.UnknownName, match="did you mean 'differential'"):
        B.compile(B.Mechanism("rig", mechanism.bodies, elements))
    with pytest.raises(B.MechanismError, match="bias_ratio = 0.5 must be at least 1"):
        B.LimitedSlip(name="x", differential="d", joint_1="a", joint_2="b", bias_ratio=0.5)
