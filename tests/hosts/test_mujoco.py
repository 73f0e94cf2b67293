"""MuJoCo: the mobility (velocity per impulse) of the contact solve is that of MuJoCo's own step."""

import numpy as np
import pytest

from benchmarks.host_cases import rover
from contact import ConeIndexSoil, Tyre, WheelContact
from contact.hosts import HostError
from contact.hosts.kernels import layout as L

mujoco = pytest.importorskip("mujoco", reason="MuJoCo: pip install 'wheelground[mujoco]'")
from contact.hosts.mujoco import MujocoCallback, MujocoGround  # noqa: E402

# A suspension corner with two arms: a loop outside the tree, a sprung and damped hinge.
CORNER = """<mujoco><option timestep="0.001" gravity="0 0 -9.81" integrator="{integrator}"
 tolerance="0" ls_tolerance="1e-10"/><worldbody>
<body pos="0 0 0.55"><freejoint/><inertial pos="0 0 0" mass="100" diaginertia="20 40 50"/>
 <body pos="0 .4 0"><joint type="hinge" axis="1 0 0" damping="50" stiffness="5000"/>
  <inertial pos="0 .2 0" mass="5" diaginertia=".1 .02 .1"/>
  <body pos="0 .4 0"><joint type="hinge" axis="1 0 0" damping="3"/>
   <inertial pos="0 0 0" mass="5" diaginertia=".1 .1 .1"/>
   <body name="wheel" pos="0 .1 0"><joint name="hub" type="hinge" axis="0 -1 0"/>
    <inertial pos="0 0 0" mass="20" diaginertia="1 2 1"/></body></body></body>
 <body name="arm" pos="0 .4 .2"><joint type="hinge" axis="1 0 0" range="-60 {limit}" limited="true"/>
  <inertial pos="0 .2 0" mass="5" diaginertia=".1 .02 .1"/>
  <body name="end" pos="0 .4 0"><inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/></body></body>
</body></worldbody>
<equality><connect body1="end" body2="wheel" anchor="0 0 0"/></equality></mujoco>"""
WHEEL = WheelContact(Tyre(1.2, 0.2, 0.14), ConeIndexSoil(4e5))


def corner(integrator, limit=60.0, text=CORNER, control=()):
    """Model, data and ground of a corner after three steps from random velocities."""
    model = mujoco.MjModel.from_xml_string(text.format(integrator=integrator, limit=limit))
    data = mujoco.MjData(model)
    data.qvel[:] = 0.05 * np.random.default_rng(1).normal(size=model.nv)
    data.ctrl[:] = control
    ground = MujocoGround(model, {"hub": WHEEL}, law_tolerance=1e-10)
    for _ in range(3):
        ground.step(data)
    return model, data, ground


def finite_difference(model, data, ground):
    """Change of the channel velocities per channel impulse in MuJoCo's own step."""
    kind = mujoco.mjtState.mjSTATE_INTEGRATION
    state = np.zeros(mujoco.mj_stateSize(model, kind))
    mujoco.mj_getState(model, data, state, kind)
    h = model.opt.timestep

    def end(force):
        mujoco.mj_setState(model, data, state, kind)
        data.qfrc_applied[:] = force
        mujoco.mj_step(model, data)
        return ground.A @ data.qvel

    mujoco.mj_step1(model, data)
    ground.solve(data, L.CHECK)
    B, A = ground.ground.B.copy(), ground.A.copy()
    size = 1e-3  # impulse [N s]
    found = [(end(row * size / h) - end(-row * size / h)) / (2.0 * size) for row in A]
    mujoco.mj_setState(model, data, state, kind)
    mujoco.mj_forward(model, data)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    return np.array(found).T, B, A @ np.linalg.solve(M, A.T)


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast"])
@pytest.mark.parametrize("case", ["dense", "sparse", "at its limit"])
def test_mobility_is_that_of_the_hosts_own_step(integrator, case):
    if case == "at its limit":
        model, data, ground = corner(integrator, limit=-1.0)
    else:
        text = CORNER.replace("<option", f'<option jacobian="{case}"')
        model, data, ground = corner(integrator, text=text)
    exact, B, tree = finite_difference(model, data, ground)
    assert np.abs(B - exact).max() < 1e-7 * np.abs(exact).max()
    # Without the loop, the mobility of the tree alone is far too large in the lateral channel.
    assert tree[2, 2] > 1.2 * exact[2, 2]


# Damping that only the implicit integrators take implicitly: tendons, one of them between two
# branches, and actuators with velocity feedback, of which the second is saturated.
FEEDBACK = """<tendon><fixed name="along" damping="40"><joint joint="arm" coef="1"/>
<joint joint="hub" coef=".5"/>
</fixed><fixed name="across" damping="30"><joint joint="arm" coef="1"/>
<joint joint="upper" coef="1"/></fixed></tendon>
<actuator><velocity joint="hub" kv="80" gear="2"/>
<velocity joint="arm" kv="60" ctrlrange="-9 9" forcerange="-1 1"/></actuator></mujoco>"""


@pytest.mark.skipif(int(mujoco.__version__.split(".")[0]) < 4, reason="damping terms need MuJoCo 4")
@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "implicit"])
def test_tendons_and_velocity_feedback_are_seen_as_the_integrator_takes_them(integrator):
    text = CORNER.replace("</mujoco>", FEEDBACK)
    text = text.replace('damping="50" stiff', 'name="arm" damping="50" stiff')
    text = text.replace('range="-60', 'name="upper" range="-60')
    model, data, ground = corner(integrator, text=text, control=(2.0, 9.0))
    assert abs(data.actuator_force[1]) == 1.0
    exact, B, _ = finite_difference(model, data, ground)
    # our mobility omits the derivative of gyroscopic forces, which MuJoCo's "implicit" has
    allowed = 1e-3 if integrator == "implicit" else 1e-7
    assert np.abs(B - exact).max() < allowed * np.abs(exact).max()
    if integrator != "implicit":
        ground.step(data)
        assert ground.drift(data) < 1e-9


# MuJoCo lists only tendons with stiffness or damping, here the second of two.
SPRUNG = """<tendon><fixed name="loose"><joint joint="hub 0" coef="1"/></fixed>
<fixed name="roll bar" stiffness="9e3" damping="300"><joint joint="strut 0" coef="1"/>
<joint joint="strut 1" coef="-1"/></fixed></tendon></mujoco>"""


@pytest.mark.skipif(not hasattr(mujoco.mjtIntegrator, "mjINT_DISCRETE"), reason="came with MuJoCo 4")
def test_discrete_takes_springs_and_dampers_of_joints_and_tendons_at_once():
    corners = "".join(rover.CORNER.format(n=n, x=x, y=y) for n, (x, y) in enumerate(rover.PLACES))
    text = rover.ROVER.format(corners=corners).replace("<option", '<option integrator="discrete"')
    model = mujoco.MjModel.from_xml_string(text.replace("</mujoco>", SPRUNG))
    data = mujoco.MjData(model)
    data.qpos[7] = 0.01  # away from the roll bar's rest length, at which MuJoCo takes it for slack
    ground = MujocoGround(model, {f"hub {n}": WHEEL for n in range(4)}, law_tolerance=1e-10)
    for _ in range(50):
        ground.step(data)
        assert ground.drift(data) < 1e-9
    exact, B, tree = finite_difference(model, data, ground)
    assert np.abs(B - exact).max() < 1e-7 * np.abs(exact).max()
    assert np.abs(tree - exact).max() > 1e-2 * np.abs(exact).max()


@pytest.mark.skipif(not hasattr(mujoco.mjtIntegrator, "mjINT_DISCRETE"), reason="came with MuJoCo 4")
def test_discrete_is_refused_what_it_shows_too_late():
    """The integrator "discrete" is refused with equalities, joint limits and feedback of actuators."""
    text = CORNER.format(integrator="discrete", limit=60.0)
    with pytest.raises(HostError, match="has equalities and limits of joints; .* use implicitfast"):
        MujocoGround(mujoco.MjModel.from_xml_string(text), {"hub": WHEEL})
    hub = """<body><joint name="hub" axis="0 1 0"/>
<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>"""
    text = rover.ROVER.format(corners="").replace("<option", '<option integrator="discrete"')
    text = text.replace("</worldbody>", hub + "</worldbody>")
    with pytest.raises(HostError, match="has not weighed its springs"):
        MujocoCallback(mujoco.MjModel.from_xml_string(text), {"hub": WHEEL}).__enter__()
    motor = '<actuator><velocity name="a" joint="hub" kv="8"/></actuator></mujoco>'
    model = mujoco.MjModel.from_xml_string(text.replace("</mujoco>", motor))
    with pytest.raises(HostError, match="actuator 'a' has feedback, .* use implicitfast"):
        MujocoGround(model, {"hub": WHEEL})


def test_rows_that_come_and_go_change_the_pattern():
    """MuJoCo's constraint rows are predicted from the last step: only the step in which a joint reaches
    its limit may be wrong."""
    _, data, ground = corner("Euler", limit=0.2)
    rows, off = set(), 0
    for _ in range(100):
        ground.step(data)
        rows.add(data.nefc)
        off += ground.drift(data) > 1e-9
    assert rows == {3, 4}
    assert off <= 1


def test_the_constraint_solver_starts_where_it_ends():
    """With equalities alone MuJoCo's constraint solver starts at its solution and does no iteration."""
    model, data, ground = corner("Euler")
    model.opt.tolerance = 1e-8
    for _ in range(10):
        ground.step(data)
        assert data.solver_niter[0] == 0


@pytest.mark.parametrize("adapter", [MujocoGround, MujocoCallback])
def test_own_forces_of_the_user_count(adapter):
    """With forces in xfrc_applied and qfrc_applied MuJoCo's step ends at the velocities of the contact
    solve, within 1e-9."""
    model, data, _ = rover.build()
    wheel = WheelContact(Tyre(0.762, 0.2, 0.14), ConeIndexSoil(4e5))
    ground = adapter(model, {f"hub {n}": wheel for n in range(4)}, law_tolerance=1e-10)
    data.xfrc_applied[1] = [30.0, 20.0, -100.0, 5.0, 7.0, -9.0]
    data.qfrc_applied[7] = 50.0
    if adapter is MujocoGround:
        for _ in range(100):
            ground.step(data)
    else:
        with ground:
            for _ in range(100):
                mujoco.mj_step(model, data)
    assert ground.drift(data) < 1e-9
    assert data.qfrc_applied[7] == 50.0
    assert ground.ground.load.sum() == pytest.approx(1000.0 * 9.81, rel=0.5)


def test_a_refused_step_leaves_the_host_where_it_was():
    _, data, ground = rover.build()
    for _ in range(10):
        ground.step(data)
    data.qpos[2] -= 3.0
    before = [data.qpos.copy(), data.qvel.copy(), data.time, data.qfrc_applied.copy()]
    with pytest.raises(HostError, match="m below the terrain"):
        ground.step(data)
    for old, new in zip(before, [data.qpos, data.qvel, data.time, data.qfrc_applied], strict=True):
        assert np.array_equal(old, new)
    data.qpos[2] += 3.0
    data.qfrc_applied[3] = np.nan
    with pytest.raises(HostError, match="not finite"):
        ground.step(data)


def test_unfit_models_are_refused_in_a_sentence():
    model, _, _ = rover.build()
    wheel = WheelContact(Tyre(0.762, 0.2, 0.14), ConeIndexSoil(4e5))
    with pytest.raises(HostError, match="no joint 'hub' in the model .joints: .*hub 0"):
        MujocoGround(model, {"hub": wheel})
    with pytest.raises(HostError, match="'strut 0' must be a hinge"):
        MujocoGround(model, {"strut 0": wheel})
    model.opt.integrator = int(mujoco.mjtIntegrator.mjINT_RK4)
    with pytest.raises(HostError, match="RK4"):
        MujocoGround(model, {"hub 0": wheel})
    model.opt.integrator, model.opt.density = int(mujoco.mjtIntegrator.mjINT_IMPLICITFAST), 1.2
    with pytest.raises(HostError, match="drag of a fluid"):
        MujocoGround(model, {"hub 0": wheel})
    muscle = """<mujoco><option integrator="implicitfast"/><worldbody><body name="b"><freejoint/>
<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><body><joint name="hub 0" axis="0 1 0"/>
<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></body></worldbody><actuator>
<muscle name="calf" joint="hub 0" lengthrange="0 1"/></actuator></mujoco>"""
    with pytest.raises(HostError, match="actuator 'calf' depends on the velocity .* use Euler"):
        MujocoGround(mujoco.MjModel.from_xml_string(muscle), {"hub 0": wheel})


@pytest.mark.slow
def test_vehicle_exported_to_mujoco_drives_and_parks():
    """Steady speed within 1 % of ours; parked on a grade, it creeps less than 1 mm in 60 s."""
    from benchmarks.host_cases import vehicle

    drive = vehicle.steady_speed(10.0)
    assert drive["mujoco"] == pytest.approx(drive["ours"], rel=0.01)
    assert drive["drift"] < 1e-5
    assert abs(vehicle.parked("complementarity", 0.3, 60.0)["creep_mm"]) < 1.0
    assert vehicle.parked("force callback", 0.3, 2.0)["creep_mm"] > 1.0
