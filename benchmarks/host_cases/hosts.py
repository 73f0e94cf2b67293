"""The quarter vehicle in each host; every function takes (quarter, steps) and returns a ``Run``."""

from __future__ import annotations

import importlib.metadata
import time

import numpy as np

from contact.hosts import WheelsOnGround
from contact.hosts.generic import GenericHost

from .quarter import GRAVITY, Quarter, Run, drive

MJCF = """<mujoco><option timestep="{step!r}" gravity="0 0 -9.81"/><worldbody>
<body name="carrier" pos="0 0 {height!r}"><joint name="ahead" type="slide" axis="1 0 0"/>
<joint name="up" type="slide" axis="0 0 1"/><inertial pos="0 0 0" mass="{mass!r}" diaginertia="1 1 1"/>
<body name="wheel"><joint name="hub" type="hinge" axis="0 1 0"/>
<inertial pos="0 0 0" mass="1" diaginertia="{half!r} {inertia!r} {half!r}"/></body></body>
</worldbody></mujoco>"""

URDF = """<robot name="quarter"><link name="world"/>
<joint name="ahead" type="prismatic"><parent link="world"/><child link="slide"/>
<origin xyz="0 0 {height!r}"/><axis xyz="1 0 0"/>
<limit lower="-1e9" upper="1e9" velocity="1e9" effort="1e9"/></joint>
<link name="slide"><inertial><mass value="1e-9"/>
<inertia ixx="1e-9" iyy="1e-9" izz="1e-9" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="up" type="prismatic"><parent link="slide"/><child link="carrier"/><axis xyz="0 0 1"/>
<limit lower="-1e9" upper="1e9" velocity="1e9" effort="1e9"/></joint>
<link name="carrier"><inertial><mass value="{mass!r}"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hub" type="continuous"><parent link="carrier"/><child link="wheel"/>
<axis xyz="0 1 0"/></joint>
<link name="wheel"><inertial><mass value="1"/>
<inertia ixx="{half!r}" iyy="{inertia!r}" izz="{half!r}" ixy="0" ixz="0" iyz="0"/></inertial></link>
</robot>"""


def _filled(text: str, quarter: Quarter) -> str:
    return text.format(
        step=quarter.step, height=quarter.height, mass=quarter.mass - 1.0,
        inertia=quarter.inertia, half=0.5 * quarter.inertia + 0.5,
    )  # fmt: skip


def generic(quarter: Quarter, steps: int) -> Run:
    """Plain NumPy: a mass matrix, a Jacobian, semi-implicit Euler."""
    h = quarter.step
    ground = WheelsOnGround([quarter.wheel])
    ground.start_from(quarter.load, h)
    host = GenericHost(ground, 3)
    J = np.zeros((6, 3))
    J[0, 0] = J[2, 1] = J[4, 2] = 1.0
    M = np.diag([quarter.mass, quarter.mass, quarter.inertia])
    weight = np.array([0.0, -quarter.load, 0.0])
    x, v, axis = np.array([0.0, quarter.height, 0.0]), np.zeros(3), np.array([[0.0, 1.0, 0.0]])
    centre = np.zeros((1, 3))

    def free(force):
        return v + h * np.linalg.solve(M, force + weight)

    def alone(force):
        v[:] = free(force)
        x[:] += h * v

    def step(force):
        v_free = free(force)
        centre[0, 0], centre[0, 2] = x[0], x[1]
        v[:] = v_free + host.solve(h, centre, axis, J, M, v, v_free)
        x[:] += h * v

    def restore(kept):
        x[:], v[:] = kept

    return drive(
        quarter, steps, step, lambda: v, ground, alone, lambda: (x.copy(), v.copy()), restore
    )


def mujoco(quarter: Quarter, steps: int) -> Run:
    """MuJoCo: the adapter around ``mj_step1`` and ``mj_step2``."""
    import mujoco as mj

    from contact.hosts.mujoco import MujocoGround

    model = mj.MjModel.from_xml_string(_filled(MJCF, quarter))
    data = mj.MjData(model)
    adapter = MujocoGround(model, {"hub": quarter.wheel})
    adapter.ground.start_from(quarter.load, quarter.step)

    def step(force):
        data.qfrc_applied[:] = force
        adapter.step(data)

    def alone(force):
        data.qfrc_applied[:] = force
        mj.mj_step(model, data)

    def restore(kept):
        data.qpos[:], data.qvel[:], data.time = kept

    def save():
        return data.qpos.copy(), data.qvel.copy(), data.time

    return drive(quarter, steps, step, lambda: data.qvel, adapter.ground, alone, save, restore)


def mujoco_callback(quarter: Quarter, steps: int) -> Run:
    """MuJoCo: the same as a passive-force callback under plain ``mj_step``."""
    import mujoco as mj

    from contact.hosts.mujoco import MujocoCallback

    model = mj.MjModel.from_xml_string(_filled(MJCF, quarter))
    data = mj.MjData(model)
    adapter = MujocoCallback(model, {"hub": quarter.wheel})
    adapter.ground.start_from(quarter.load, quarter.step)

    def step(force):
        data.qfrc_applied[:] = force
        mj.mj_step(model, data)

    def alone(force):
        mj.set_mjcb_passive(None)
        step(force)

    def save():
        return data.qpos.copy(), data.qvel.copy(), data.time

    def restore(kept):
        data.qpos[:], data.qvel[:], data.time = kept
        mj.set_mjcb_passive(adapter)

    with adapter:
        return drive(quarter, steps, step, lambda: data.qvel, adapter.ground, alone, save, restore)


def pinocchio(quarter: Quarter, steps: int) -> Run:
    """Pinocchio: its dynamics, a semi-implicit step."""
    import pinocchio as pin

    from contact.hosts.pinocchio import PinocchioGround

    model = pin.buildModelFromXML(_filled(URDF, quarter))
    model.gravity.linear[:] = 0.0, 0.0, -GRAVITY
    adapter = PinocchioGround(model, {"hub": quarter.wheel})
    adapter.ground.start_from(quarter.load, quarter.step)
    state = {"q": pin.neutral(model), "v": np.zeros(3)}

    def step(force):
        state["q"], state["v"] = adapter.step(state["q"], state["v"], force, quarter.step)

    def alone(force):
        state["v"] = adapter.free(state["q"], state["v"], force, quarter.step)
        state["q"] = pin.integrate(model, state["q"], quarter.step * state["v"])

    def save():
        return dict(state)

    return drive(
        quarter, steps, step, lambda: state["v"], adapter.ground, alone, save, state.update
    )


def drake(quarter: Quarter, steps: int) -> Run:
    """Drake: a discrete plant in a diagram, the adapter as one of its systems."""
    from pydrake.all import DiagramBuilder, MultibodyPlant, Parser, Simulator

    from contact.hosts.drake import DrakeGround

    builder = DiagramBuilder()
    plant = builder.AddSystem(MultibodyPlant(quarter.step))
    Parser(plant).AddModelsFromString(_filled(URDF, quarter), "urdf")
    plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, -GRAVITY])
    plant.Finalize()
    adapter = DrakeGround(plant, {"hub": quarter.wheel})
    adapter.ground.start_from(quarter.load, quarter.step)
    system = builder.AddSystem(adapter.system())
    builder.Connect(plant.get_state_output_port(), system.get_input_port(0))
    builder.Connect(system.get_output_port(0), plant.get_applied_spatial_force_input_port())
    diagram = builder.Build()
    context = diagram.CreateDefaultContext()
    own, ours = plant.GetMyMutableContextFromRoot(context), system.GetMyMutableContextFromRoot(context)
    applied = plant.get_applied_generalized_force_input_port()
    seen = system.get_input_port(1)
    simulator = Simulator(diagram, context)
    spent = [0.0]
    solve = adapter.host.solve

    def timed(*arguments):
        start = time.perf_counter()
        change = solve(*arguments)
        spent[0] += time.perf_counter() - start
        return change

    adapter.host.solve = timed
    clock = [0]

    def step(force):
        applied.FixValue(own, force)
        seen.FixValue(ours, force)
        clock[0] += 1
        simulator.AdvanceTo(clock[0] * quarter.step)

    start = time.perf_counter()
    run = drive(quarter, steps, step, lambda: plant.GetVelocities(own), adapter.ground)
    total = 1e6 * (time.perf_counter() - start) / steps
    inside = 1e6 * spent[0] / steps
    return Run(run.velocities, total - inside, inside, run.worst_residual, run.missed)


def exudyn(quarter: Quarter, steps: int) -> Run:
    """Exudyn: a kinematic tree under its explicit Euler, the adapter as its pre-step function."""
    import exudyn as exu
    from exudyn.itemInterface import MarkerKinematicTreeRigid, NodeGenericODE2, ObjectKinematicTree

    from contact.hosts.exudyn import ExudynGround

    mbs = exu.SystemContainer().AddSystem()
    node = mbs.AddNode(
        NodeGenericODE2(
            numberOfODE2Coordinates=3, referenceCoordinates=[0.0] * 3,
            initialCoordinates=[0.0] * 3, initialCoordinates_t=[0.0] * 3,
        )  # fmt: skip
    )
    unit, half = np.eye(3), 0.5 * quarter.inertia + 0.5
    tree = mbs.AddObject(
        ObjectKinematicTree(
            nodeNumber=node, gravity=[0.0, 0.0, -GRAVITY], linkParents=[-1, 0, 1],
            jointTypes=[exu.JointType.PrismaticX, exu.JointType.PrismaticZ, exu.JointType.RevoluteY],
            jointTransformations=exu.Matrix3DList([unit] * 3),
            jointOffsets=exu.Vector3DList([[0.0, 0.0, quarter.height], [0.0] * 3, [0.0] * 3]),
            linkInertiasCOM=exu.Matrix3DList(
                [0.0 * unit, unit, np.diag([half, quarter.inertia, half])]
            ),
            linkCOMs=exu.Vector3DList([[0.0] * 3] * 3), linkMasses=[0.0, quarter.mass - 1.0, 1.0],
            jointForceVector=[0.0] * 3,
        )  # fmt: skip
    )
    hub = mbs.AddMarker(
        MarkerKinematicTreeRigid(objectNumber=tree, linkNumber=2, localPosition=[0.0] * 3)
    )
    adapter = ExudynGround(mbs, {hub: quarter.wheel})
    adapter.ground.start_from(quarter.load, quarter.step)
    mbs.Assemble()
    out, count, spent = np.zeros((steps, 3)), [0], [0.0]
    note = {"worst": 0.0, "missed": 0, "start": 0.0}

    def before(mbs, t):
        v_x = mbs.systemData.GetODE2Coordinates_t()[0]
        force = [-quarter.resistance(v_x), 0.0, quarter.torque(count[0])]
        mbs.SetObjectParameter(tree, "jointForceVector", force)
        note["start"] = time.perf_counter()

    def after(t, v_end):
        spent[0] += time.perf_counter() - note["start"]
        out[count[0]] = v_end
        count[0] += 1
        note["worst"] = max(note["worst"], adapter.ground.residual)
        note["missed"] += adapter.ground.missed

    adapter.before_step, adapter.after_solve = before, after
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = steps
    settings.timeIntegration.endTime = steps * quarter.step
    settings.timeIntegration.verboseMode = 0
    settings.solution.file.write = False
    start = time.perf_counter()
    adapter.simulate(settings)
    total = 1e6 * (time.perf_counter() - start) / steps
    inside = 1e6 * spent[0] / steps
    end = np.array(mbs.systemData.GetODE2Coordinates_t())  # what Exudyn itself made of it
    if not np.allclose(end, out[-1], rtol=0.0, atol=1e-9):
        raise RuntimeError(f"Exudyn ended at velocities {end}, the solve expected {out[-1]}")
    return Run(out, total - inside, inside, note["worst"], note["missed"])


def version(name: str) -> str:
    """Installed version of a host."""
    package = {"generic": "numpy", "pinocchio": "pin", "mujoco-callback": "mujoco"}.get(name, name)
    return importlib.metadata.version(package)


HOSTS = {
    "generic": generic, "mujoco": mujoco, "mujoco-callback": mujoco_callback, "exudyn": exudyn, "pinocchio": pinocchio, "drake": drake,
}  # fmt: skip
