"""MuJoCo callbacks in one process do not disturb each other; floors under wheels are warned of."""

import warnings

import numpy as np
import pytest

from contact import ConeIndexSoil, Tyre, WheelContact
from contact.hosts import HostError

mujoco = pytest.importorskip("mujoco", reason="MuJoCo: pip install 'wheelground[mujoco]'")
from contact.hosts.mujoco import HostWarning, MujocoCallback, MujocoGround  # noqa: E402

WHEEL = WheelContact(Tyre(0.762, 0.2, 0.14), ConeIndexSoil(4e5))
MODEL = """<mujoco><option timestep="0.001" integrator="implicitfast"/><worldbody>{floor}
<body name="car" pos="0 0 0.37"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>
 <inertial pos="0 0 0" mass="{mass}" diaginertia="10 10 10"/>
 <body name="wheel"><joint name="hub" type="hinge" axis="0 1 0"/>
  <geom name="rim" type="cylinder" size="0.38 0.1" euler="90 0 0" mass="20" {geom}/></body></body>
</worldbody>{rest}</mujoco>"""
FLOOR = '<geom name="lawn" type="plane" size="9 9 1"/>'


def model(mass=230.0, floor="", geom='contype="0" conaffinity="0"', rest=""):
    text = MODEL.format(mass=mass, floor=floor, geom=geom, rest=rest)
    return mujoco.MjModel.from_xml_string(text)


def height(made, data, steps=300):
    for _ in range(steps):
        mujoco.mj_step(made, data)
    return 0.37 + data.qpos[1]


def alone(made):
    data = mujoco.MjData(made)
    with MujocoCallback(made, {"hub": WHEEL}):
        return height(made, data)


def test_two_open_callbacks_carry_each_its_own_robot():
    light, heavy = model(130.0), model(330.0)
    want = alone(light), alone(heavy)
    a, b = mujoco.MjData(light), mujoco.MjData(heavy)
    with MujocoCallback(light, {"hub": WHEEL}):
        with MujocoCallback(heavy, {"hub": WHEEL}):
            found = height(light, a), height(heavy, b)
        after = height(light, a, 50)  # after the inner context the outer ground is active again
    assert found == want
    assert 0.2 < after < 0.4
    assert mujoco.get_mjcb_passive() is None


def test_a_programs_own_passive_callback_goes_on_and_comes_back():
    made, called = model(), []

    def own(model, data):
        called.append(data.time)

    mujoco.set_mjcb_passive(own)
    try:
        with MujocoCallback(made, {"hub": WHEEL}):
            height(made, mujoco.MjData(made), 3)
        assert len(called) == 3
        assert mujoco.get_mjcb_passive() is own
    finally:
        mujoco.set_mjcb_passive(None)


def test_two_callbacks_for_one_model_are_refused():
    made = model()
    with (
        MujocoCallback(made, {"hub": WHEEL}),
        pytest.raises(HostError, match="give all its wheels to one"),
    ):
        MujocoCallback(made, {"hub": WHEEL}).__enter__()
    assert mujoco.get_mjcb_passive() is None


def test_a_floor_under_a_wheel_is_named_at_construction():
    with pytest.warns(HostWarning, match="geom 'rim' of the wheel 'hub' can touch the floor 'lawn'"):
        MujocoGround(model(floor=FLOOR, geom=""), {"hub": WHEEL})


@pytest.mark.parametrize(
    "settings",
    [
        {"floor": FLOOR},
        {"floor": '<geom type="box" pos="5 0 0" size="1 1 1"/>', "geom": ""},
        {"floor": FLOOR.replace("/>", ' contype="2" conaffinity="2"/>'), "geom": ""},
        {
            "floor": FLOOR,
            "geom": "",
            "rest": '<contact><exclude body1="world" body2="wheel"/></contact>',
        },
    ],
    ids=["switched off", "an obstacle", "other masks", "excluded"],
)
def test_what_cannot_carry_the_wheel_is_not_told_of(settings):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ground = MujocoGround(model(**settings), {"hub": WHEEL})
    assert np.isfinite(ground.step(mujoco.MjData(ground.model))).all()
