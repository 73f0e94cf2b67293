"""MuJoCo: several data objects at once, each with the motion of a single one."""

import numpy as np
import pytest

from contact import terrain as T
from contact.hosts import HostError

mujoco = pytest.importorskip("mujoco", reason="MuJoCo: pip install 'wheelground[mujoco]'")
from contact.hosts.mujoco import HostWarning, MujocoGround, MujocoGrounds  # noqa: E402

from .test_mujoco import CORNER, WHEEL  # noqa: E402

MEMORY = T.SoilMemory(x=(-2.0, 2.0), y=(-1.0, 2.0))
END = mujoco.mjtState.mjSTATE_INTEGRATION


def model_of():
    return mujoco.MjModel.from_xml_string(CORNER.format(integrator="implicitfast", limit=60.0))


def datas_of(model, n):
    """Data objects with different initial velocities."""
    rng, made = np.random.default_rng(3), [mujoco.MjData(model) for _ in range(n)]
    for data in made:
        data.qvel[:] = 0.2 * rng.normal(size=model.nv)
    return made


def end(model, data):
    state = np.zeros(mujoco.mj_stateSize(model, END))
    mujoco.mj_getState(model, data, state, END)
    return state.tobytes()


def test_each_goes_as_with_a_ground_of_its_own():
    model, ruts = model_of(), T.Plane(memory=MEMORY)
    many, threaded, single = (datas_of(model, 5) for _ in range(3))
    by_one, by_two = (MujocoGrounds(model, {"hub": WHEEL}, 5, ruts) for _ in range(2))
    for _ in range(4):
        by_one.step(many, steps=25, threads=1)
    wrenches = by_two.step(threaded, steps=100, threads=3)
    for k, data in enumerate(single):
        alone = MujocoGround(model, {"hub": WHEEL}, ruts)
        for _ in range(100):
            wrench = alone.step(data)
        assert end(model, data) == end(model, many[k]) == end(model, threaded[k])
        assert wrench.tobytes() == wrenches[k].tobytes()
    assert len({end(model, data) for data in many}) == 5


def test_one_that_cannot_be_solved_is_named_and_stops_alone():
    model = model_of()
    datas, calm = datas_of(model, 4), datas_of(model, 4)
    grounds = MujocoGrounds(model, {"hub": WHEEL}, 4)
    datas[2].qfrc_applied[0] = np.nan
    with pytest.raises(HostError, match="data number 2: "):
        grounds.step(datas, steps=20, threads=2)
    assert datas[2].time == 0.0
    MujocoGrounds(model, {"hub": WHEEL}, 4).step(calm, steps=20)
    for k in (0, 1, 3):
        assert end(model, datas[k]) == end(model, calm[k])


def test_bad_input_is_one_sentence():
    model = model_of()
    grounds, datas = MujocoGrounds(model, {"hub": WHEEL}, 2), datas_of(model, 2)
    before = [end(model, data) for data in datas]
    for given, words in (
        ((datas[:1],), "1 datas for 2 grounds"),
        (([datas[0], datas[0]],), "all different"),
        ((datas, 1.5), "steps = 1.5 must be a whole number"),
        ((datas, 1, 0), "threads = 0 must be at least 1"),
    ):
        with pytest.raises(HostError, match=words):
            grounds.step(*given)
    with pytest.raises(HostError, match="n = 0"):
        MujocoGrounds(model, {"hub": WHEEL}, 0)
    assert [end(model, data) for data in datas] == before


def test_a_floor_is_warned_of_once():
    floor = '<worldbody><geom type="plane" size="5 5 1"/>'
    text = CORNER.format(integrator="Euler", limit=60.0).replace("<worldbody>", floor)
    text = text.replace('<joint name="hub"', '<geom size=".5"/><joint name="hub"')
    with pytest.warns(HostWarning) as told:
        MujocoGrounds(mujoco.MjModel.from_xml_string(text), {"hub": WHEEL}, 3)
    assert len(told) == 1
