"""The quarter vehicle in each host (other multibody code): functions of (quarter, steps) -> ``HostRun``.

An adapter calls our wheel-ground contact in the host's step. The host's own time is that of a step
without the adapter under a constant ground force, applied by the host's interface: arrays in MuJoCo and
Pinocchio; in Drake a system that reads the state and writes a spatial force; in Exudyn a pre-step
function that sets two loads.
"""

from __future__ import annotations

import importlib.metadata
import time
from contextlib import nullcontext

import numpy as np

from contact.hosts import WheelsOnGround
from contact.hosts.generic import GenericHost

from .quarter import GRAVITY, HostRun, Quarter, drive

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
        step=quarter.step,
        height=quarter.height,
        mass=quarter.mass - 1.0,
        inertia=quarter.inertia,
        half=0.5 * quarter.inertia + 0.5,
    )


def generic(quarter: Quarter, steps: int) -> HostRun:
    """Run the quarter vehicle in NumPy: mass matrix, Jacobian and steps of semi-implicit Euler."""
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

    return drive(quarter, steps, step, lambda: v, ground, alone, lambda: (x.copy(), v.copy()), restore)


def mujoco(quarter: Quarter, steps: int) -> HostRun:
    """Run the quarter vehicle in MuJoCo, with the adapter around ``mj_step1`` and ``mj_step2``."""
    return _in_mujoco(quarter, steps, callback=False)


def mujoco_callback(quarter: Quarter, steps: int) -> HostRun:
    """Run the quarter vehicle in MuJoCo, with a passive-force callback under plain ``mj_step``."""
    return _in_mujoco(quarter, steps, callback=True)


def _in_mujoco(quarter: Quarter, steps: int, callback: bool) -> HostRun:
    import mujoco as mj

    from contact.hosts.mujoco import MujocoCallback, MujocoGround

    model = mj.MjModel.from_xml_string(_filled(MJCF, quarter))
    data = mj.MjData(model)
    adapter = (MujocoCallback if callback else MujocoGround)(model, {"hub": quarter.wheel})
    adapter.ground.start_from(quarter.load, quarter.step)

    def step(force):
        data.qfrc_applied[:] = force
        if callback:
            mj.mj_step(model, data)
        else:
            adapter.step(data)

    def alone(force):
        mj.set_mjcb_passive(None)
        data.qfrc_applied[:] = force
        mj.mj_step(model, data)

    def save():
        return data.qpos.copy(), data.qvel.copy(), data.time

    def restore(kept):
        data.qpos[:], data.qvel[:], data.time = kept
        if callback:
            mj.set_mjcb_passive(adapter)

    with adapter if callback else nullcontext():
        return drive(quarter, steps, step, lambda: data.qvel, adapter.ground, alone, save, restore)


def pinocchio(quarter: Quarter, steps: int) -> HostRun:
    """Run the quarter vehicle in Pinocchio: its forward dynamics and steps of semi-implicit Euler."""
    import pinocchio as pin

    from contact.hosts.pinocchio import PinocchioGround

    model = pin.buildModelFromXML(_filled(URDF, quarter))
    model.gravity.linear[:] = 0.0, 0.0, -GRAVITY
    adapter = PinocchioGround(model, {"hub": quarter.wheel})
    adapter.ground.start_from(quarter.load, quarter.step)
    state = {"q": pin.neutral(model), "v": np.zeros(3)}

    def step(force):
        state["q"], state["v"] = adapter.step(state["q"], state["v"], force, quarter.step)

    data = model.createData()

    def alone(force):
        acceleration = pin.aba(model, data, state["q"], state["v"], force)
        state["v"] = state["v"] + quarter.step * acceleration
        state["q"] = pin.integrate(model, state["q"], quarter.step * state["v"])

    def save():
        return dict(state)

    return drive(quarter, steps, step, lambda: state["v"], adapter.ground, alone, save, state.update)


def drake(quarter: Quarter, steps: int) -> HostRun:
    """Run the quarter vehicle in Drake: a discrete plant in a diagram, the adapter a system of it."""
    from contact.hosts.drake import DrakeGround

    first = _DrakeDiagram(quarter, lambda plant: DrakeGround(plant, {"hub": quarter.wheel}))
    first.adapter.ground.start_from(quarter.load, quarter.step)
    bare = _DrakeDiagram(quarter, _BareDrake)

    def save():
        bare.plant.SetPositionsAndVelocities(bare.own, first.plant.GetPositionsAndVelocities(first.own))

    return drive(
        quarter, steps, first.step, lambda: first.plant.GetVelocities(first.own),
        first.adapter.ground, bare.step, save, lambda kept: None,
    )  # fmt: skip


class _BareDrake:
    """System with the adapter's ports and a constant spatial force, for the cost of Drake alone."""

    def __init__(self, plant) -> None:
        self.plant = plant

    def system(self):
        import pydrake.all as pydrake

        plant = self.plant

        class Bare(pydrake.LeafSystem):
            def __init__(self) -> None:
                super().__init__()
                one = pydrake.ExternallyAppliedSpatialForce()
                one.body_index = plant.GetBodyByName("wheel").index()
                one.F_Bq_W = pydrake.SpatialForce(np.zeros(3), np.zeros(3))
                self.forces = [one]
                n = plant.num_positions() + plant.num_velocities()
                self.DeclareVectorInputPort("state", n)
                self.DeclareVectorInputPort("generalized_force", plant.num_velocities())
                kind = pydrake.Value[pydrake.List[pydrake.ExternallyAppliedSpatialForce]]
                self.DeclareAbstractOutputPort("spatial_force", kind, self.write)

            def write(self, context, output) -> None:
                self.get_input_port(0).Eval(context)
                self.get_input_port(1).Eval(context)
                output.set_value(self.forces)

        return Bare()


class _DrakeDiagram:
    """Diagram of the plant and a system of wheel forces, stepped one by one."""

    def __init__(self, quarter: Quarter, make) -> None:
        from pydrake.all import DiagramBuilder, MultibodyPlant, Parser, Simulator

        builder = DiagramBuilder()
        self.h, self.count = quarter.step, 0
        self.plant = plant = builder.AddSystem(MultibodyPlant(quarter.step))
        Parser(plant).AddModelsFromString(_filled(URDF, quarter), "urdf")
        plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, -GRAVITY])
        plant.Finalize()
        self.adapter = make(plant)
        system = builder.AddSystem(self.adapter.system())
        builder.Connect(plant.get_state_output_port(), system.get_input_port(0))
        builder.Connect(system.get_output_port(0), plant.get_applied_spatial_force_input_port())
        diagram = builder.Build()
        context = diagram.CreateDefaultContext()
        self.own = plant.GetMyMutableContextFromRoot(context)
        self.ours = system.GetMyMutableContextFromRoot(context)
        self.applied, self.seen = (
            plant.get_applied_generalized_force_input_port(),
            system.get_input_port(1),
        )
        self.simulator = Simulator(diagram, context)

    def step(self, force) -> None:
        self.applied.FixValue(self.own, force)
        self.seen.FixValue(self.ours, force)
        self.count += 1
        self.simulator.AdvanceTo(self.count * self.h)


def _exudyn_tree(quarter: Quarter):
    """(system, tree, marker at the wheel) of the quarter vehicle."""
    import exudyn as exu
    from exudyn.itemInterface import MarkerKinematicTreeRigid, NodeGenericODE2, ObjectKinematicTree

    mbs = exu.SystemContainer().AddSystem()
    node = mbs.AddNode(
        NodeGenericODE2(
            numberOfODE2Coordinates=3,
            referenceCoordinates=[0.0] * 3,
            initialCoordinates=[0.0] * 3,
            initialCoordinates_t=[0.0] * 3,
        )
    )
    unit, half = np.eye(3), 0.5 * quarter.inertia + 0.5
    tree = mbs.AddObject(
        ObjectKinematicTree(
            nodeNumber=node,
            gravity=[0.0, 0.0, -GRAVITY],
            linkParents=[-1, 0, 1],
            jointTypes=[
                exu.JointType.PrismaticX,
                exu.JointType.PrismaticZ,
                exu.JointType.RevoluteY,
            ],
            jointTransformations=exu.Matrix3DList([unit] * 3),
            jointOffsets=exu.Vector3DList([[0.0, 0.0, quarter.height], [0.0] * 3, [0.0] * 3]),
            linkInertiasCOM=exu.Matrix3DList([0.0 * unit, unit, np.diag([half, quarter.inertia, half])]),
            linkCOMs=exu.Vector3DList([[0.0] * 3] * 3),
            linkMasses=[0.0, quarter.mass - 1.0, 1.0],
            jointForceVector=[0.0] * 3,
        )
    )
    hub = mbs.AddMarker(
        MarkerKinematicTreeRigid(objectNumber=tree, linkNumber=2, localPosition=[0.0] * 3)
    )
    return mbs, tree, hub


def _exudyn_settings(quarter: Quarter, steps: int):
    import exudyn as exu

    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = steps
    settings.timeIntegration.endTime = steps * quarter.step
    settings.timeIntegration.verboseMode = 0
    settings.solution.file.write = False
    return settings


def _exudyn_alone(quarter: Quarter, steps: int) -> list[float]:
    """Times from step to step [s] with a pre-step function that only sets forces."""
    import exudyn as exu
    from exudyn.itemInterface import LoadForceVector, LoadTorqueVector

    mbs, tree, hub = _exudyn_tree(quarter)
    force = mbs.AddLoad(LoadForceVector(markerNumber=hub, loadVector=[0, 0, quarter.load]))
    torque = mbs.AddLoad(LoadTorqueVector(markerNumber=hub, loadVector=[0, 0, 0]))
    mbs.Assemble()
    times, load = [], np.array([0.0, 0.0, quarter.load])

    def before(mbs, t):
        times.append(time.perf_counter())
        v_x = mbs.systemData.GetODE2Coordinates_t()[0]
        own = [-quarter.resistance(v_x), 0.0, quarter.torque(0)]
        mbs.SetObjectParameter(tree, "jointForceVector", own)
        mbs.SetLoadParameter(force, "loadVector", load)
        mbs.SetLoadParameter(torque, "loadVector", 0.0 * load)
        return True

    mbs.SetPreStepUserFunction(before)
    mbs.SolveDynamic(_exudyn_settings(quarter, steps), solverType=exu.DynamicSolverType.ExplicitEuler)
    return list(np.diff(times))


def exudyn(quarter: Quarter, steps: int) -> HostRun:
    """Run the quarter vehicle in Exudyn: a kinematic tree under its explicit Euler, the adapter as its
    pre-step function."""
    from contact.hosts.exudyn import ExudynGround

    mbs, tree, hub = _exudyn_tree(quarter)
    adapter = ExudynGround(mbs, {hub: quarter.wheel})
    adapter.ground.start_from(quarter.load, quarter.step)
    mbs.Assemble()
    out, count, times = np.zeros((steps, 3)), [0], []
    note = {"worst": 0.0, "missed": 0}

    def before(mbs, t):
        times.append(time.perf_counter())
        v_x = mbs.systemData.GetODE2Coordinates_t()[0]
        force = [-quarter.resistance(v_x), 0.0, quarter.torque(count[0])]
        mbs.SetObjectParameter(tree, "jointForceVector", force)

    def after(t, v_end):
        out[count[0]] = v_end
        count[0] += 1
        note["worst"] = max(note["worst"], adapter.ground.residual)
        note["missed"] += adapter.ground.missed

    adapter.before_step, adapter.after_solve = before, after
    alone = _exudyn_alone(quarter, steps // 2)
    adapter.simulate(_exudyn_settings(quarter, steps))
    alone += _exudyn_alone(quarter, steps // 2)
    end = np.array(mbs.systemData.GetODE2Coordinates_t())  # velocities as Exudyn has computed them
    if not np.allclose(end, out[-1], rtol=0.0, atol=1e-9):
        raise RuntimeError(f"Exudyn ended at velocities {end}, the solve expected {out[-1]}")
    host = 1e6 * float(np.median(alone))
    together = 1e6 * float(np.median(np.diff(times)))
    return HostRun(out, host, together - host, note["worst"], note["missed"])


def version(name: str) -> str:
    """Installed version of a host."""
    package = {"generic": "numpy", "pinocchio": "pin", "mujoco-callback": "mujoco"}.get(name, name)
    return importlib.metadata.version(package)


HOSTS = {
    "generic": generic,
    "mujoco": mujoco,
    "mujoco-callback": mujoco_callback,
    "exudyn": exudyn,
    "pinocchio": pinocchio,
    "drake": drake,
}
