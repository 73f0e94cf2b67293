"""Valid arguments for all public functions and classes; ``tests.api_walk`` spoils one in each call."""

from __future__ import annotations

import contextlib
import functools
import inspect
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import bodies as B
import bodies.files
import bodies.hydraulics as H
import bodies.vehicle as V
import contact as C
import contact.hosts
import contact.rigid
import mlcp as M
import mobility as R
import rig as G
import rig.chassis
import rig.gnss
import rig.guidance
import rig.steering
from contact import terrain as T
from tests.api_fuzzer import RUTS, SOIL, TYRE, WHEEL, mechanism

#: The public modules of each package.
MODULES: dict[str, tuple[ModuleType, ...]] = {
    "mlcp": (M,),
    "contact": (C, T, contact.hosts, contact.rigid),
    "bodies": (B, V, H, bodies.files),
    "rig": (G, rig.chassis, rig.gnss, rig.guidance, rig.steering),
    "mobility": (R,),
}
#: Public names that ``tests.api_walk`` does not call; the comment of each line is the reason.
LEFT_OUT = {
    "Status", "OutsideValidity", "parameter",  # an enumeration, a warning, a field of a dataclass
    "WallClock.wait_until", "make_landscape", "save_video", "picture", "plot",  # slow, or drawing
    "WheelsOnGround.run", "WheelsOnGround.call", "WheelsOnGround.fill",  # called by compiled code
    "Workspace.run", "BenchRun",  # called or made by simulations, not by a user
    "answer", "at_once", "otherwise", "solve_by_passes",  # called by solvers with their own arguments
    "pushes", "ask", "SoilTrail.table",  # called by ground laws with their own arguments
}  # fmt: skip

ROD = ((0.0, 0.5, 0.0), (0.0, 0.5, 1.0))
FLOW = ((0.0, 0.0), (1.0, 1e-5))
PIECE = V.Piece(mass=1.0, inertia=(0.1, 0.1, 0.1), centre=(0.0, 0.0, 0.0))


@functools.cache
def model() -> B.Model:
    return B.compile(mechanism())


@functools.cache
def run() -> B.Trajectory:
    return B.simulate(model(), 0.02, 1e-3, reactions=["hub"], progress=False)


@functools.cache
def simulation() -> B.Simulation:
    return B.Simulation(model(), 1e-3, state=run().final)


@functools.cache
def lumped() -> R.LumpedVehicle:
    return R.lumped("hmmwv_4x4", open_axles=False)


@functools.cache
def table() -> R.Surface:
    return R.surface(lumped())


@functools.cache
def border() -> R.Border:
    return R.border(table())


@functools.cache
def inputs() -> R.Inputs:
    folder = Path(tempfile.mkdtemp())
    made = R.make_landscape(folder, cells=64, cell=10.0)
    return R.Inputs(made["soil"], made["dem"])


@functools.cache
def toml() -> Path:
    path = Path(tempfile.mkdtemp()) / "mechanism.toml"
    B.write_mechanism(mechanism(), path)
    return path


PROBLEM = M.MLCP(np.eye(2) * 2.0, np.array([-1.0, 1.0]))

#: Valid values by the name of a parameter, which a class, a function, both or a package may precede. A
#: function without arguments makes its value when it is needed.
GOOD: dict[str, Any] = {
    # matrices
    "A": np.eye(2) * 2.0, "b": np.array([-1.0, 1.0]), "problem": PROBLEM, "base": PROBLEM,
    "normal": np.array([-1, 0]), "mu": 0.5, "mass": 20.0, "z": np.zeros(2), "tol": 1e-8,
    "z0": np.zeros(2),
    "CoupledMLCP.base": M.MLCP(np.eye(2), np.array([-1.0, 0.0]), [0.0, -1.0], [np.inf, 1.0]),
    "solve_coupled.problem": lambda: M.CoupledMLCP(GOOD["CoupledMLCP.base"], np.array([-1, 0]), 0.5),
    "StructuredMLCP.mass": np.ones(6), "StructuredMLCP.J": np.ones((1, 6)), "StructuredMLCP.e": [0.1],
    "StructuredMLCP.b": [0.1], "rows": np.array([0]), "lower": 0.0, "upper": 1.0,
    "row_names": ["p", "q"], "solve_many.A": np.array([np.eye(2)] * 3), "solve_many.b": np.ones((3, 2)),
    "n": 2, "MlcpNotSolved.solution": lambda: M.solve(PROBLEM),
    "path": lambda: Path(tempfile.mkdtemp()) / "f.npz",
    "load.path": lambda: M.dump(PROBLEM, Path(tempfile.mkdtemp()) / "f"), "time_limit": 1.0,
    "answer.start": lambda: _start(), "answer.problem": PROBLEM,
    # wheels and soils
    "tyre": TYRE, "soil": SOIL, "load": 2000.0, "slip": 0.1, "slip_angle": 0.1, "wheels": [WHEEL],
    "diameter": 0.762, "section_height": 0.14, "cone_index": 4e5, "BekkerSoil.n": 0.8, "k_c": 1e3,
    "k_phi": 3e5, "cone": SOIL, "bekker": C.BekkerSoil.sandy_loam(), "moisture": 0.15, "source": "a",
    "PressureSinkageSoil.n": 0.8, "ReeceSoil.n": 0.8, "WheelContact.base": C.BekkerSoil.sandy_loam(),
    "wheel": WHEEL, "v_x": 1.0, "omega": 3.0, "radius": 0.4, "width": 0.2, "axles": 2,
    "mobility_index.wheels": 4, "tyre_width": 0.3, "tyre_diameter": 0.9, "clearance": 0.4, "power": 1e5,
    "named_soil.name": "sandy loam", "index": 50.0, "Tabulated.slip": [0.0, 1.0], "thrust": [0.0, 0.8],
    "UserLaw.function": lambda: _law, "UserLaw.load": (50.0, 1e5), "MagicFormula.surface.name": "dry",
    "line": lambda: _line, "skid": 0.1, "WongReece.soil": C.BekkerSoil.sandy_loam(), "step": 1e-3,
    "gap": [-0.02], "GroundContact.B": np.eye(4) / 100, "u": np.zeros(4), "u_free": np.zeros(4),
    "WongReeceLateral.soil": C.BekkerSoil.sandy_loam(), "SoilTrail.soil": C.BekkerSoil.sandy_loam(),
    "SoilTrail.lateral": C.WongReeceLateral(), "Regularisation.number": 1, "equations": "a",
    "summary": "a", "static_friction": True, "bound": 1.0,
    # ground
    "ConeIndexField.cone_index": np.full((3, 3), 4e5), "filled.cone_index": 4e5, "crs": "EPSG:32632",
    "x": 0.0, "y": 0.0, "Patch.x": (0.0, 1.0), "Patch.y": (0.0, 1.0), "SoilMemory.x": (-1.0, 4.0),
    "SoilMemory.y": (-2.0, 2.0), "amplitude": 0.1, "wavelength": 3.0, "heights": np.zeros((3, 3)),
    "ground": None, "SoilMap.ground": SOIL, "x_0": 1.0, "rise": 0.1, "iso_class": "C", "length": 10.0,
    "frequency": np.array([0.1, 1.0]), "patches": lambda: [T.Patch(SOIL, (0.0, 1.0))], "blend": 0.2,
    "of_map": lambda: T.SoilMap(SOIL), "place": None, "passes": 1.0, "exponent": 1.0,
    "further.bearing": None, "centre": (0.0, 0.0, 0.4), "height": 0.5, "origin": (0.0, 0.0),
    "spacing": (1.0, 1.0), "HeightField.heights": ((0.0, 0.0), (0.0, 0.0)),
    "shape": contact.rigid.Sphere(0.1), "RigidContact.surface": contact.rigid.Plane(),
    "rough_ground.spacing": 0.5, "rough_profile.spacing": 0.5, "rough_ground.width": 4.0,
    "rough_ground.length": 10.0, "terrain": RUTS, "position": (0.0, 0.0, 0.36), "axis": (0.0, 1.0, 0.0),
    "WheelsOnGround.position": [[0, 0, 0.36]], "WheelsOnGround.axis": [[0, 1, 0]],
    "twist": np.zeros((1, 6)), "free_twist": np.zeros((1, 6)), "mobility": np.eye(6) / 100,
    "stages": 31, "code": 0, "restore.state": lambda: contact.hosts.WheelsOnGround([WHEEL]).state(),
    # bodies
    "name": "one", "body": "wheel", "body_a": "frame", "body_b": "wheel", "joint": "hub",
    "joint_1": "hub", "joint_2": "bearing", "inertia": (1.0, 1.0, 1.0), "capacity": 500.0,
    "model": model, "run": run, "trajectory": run, "simulation": simulation,
    "state": lambda: run().final, "duration": 0.003, "mechanism": mechanism, "stiffness": 1e4,
    "damping": 1e2, "ratio": 2.0, "ratios": (2.0, 1.0), "input": "bearing", "output": "hub",
    "left": "hub", "right": "bearing", "full_load": ((0.0, 9.0), (9.0, 0.0)),
    "Bushing.stiffness": (1.0, 1.0, 1.0), "Bushing.damping": (1.0, 1.0, 1.0),
    "rotational_stiffness": (1.0, 1.0, 1.0), "rotational_damping": (1.0, 1.0, 1.0),
    "draft": (1.0, 0.0, 0.0), "area": 1.0, "coefficient": 0.5, "effort": 1.0,
    "direction": (1.0, 0.0, 0.0), "target": 1.0, "pump": "hub", "turbine": "bearing",
    "torque_ratio": ((0.0, 2.0), (0.9, 1.0), (1.0, 1.0)),
    "TorqueConverter.capacity": ((0.0, 1e-2), (1.0, 0.0)), "upshift": ((0.0, 3.0), (1.0, 5.0)),
    "downshift": ((0.0, 1.0), (1.0, 2.0)), "PowershiftGearbox.gear": "gear", "throttle": 0.5,
    "rack": "hub", "pinion": "bearing", "differential": "d", "position_b": (0.0, 0.0, 1.0),
    "points": ((0.0, 0.0), (1.0, 1.0)), "value": 1.0, "bodies": lambda: mechanism().bodies,
    "Mechanism.wheels": lambda: mechanism().wheels, "elements": lambda: mechanism().elements,
    "Mechanism.inputs": {"gear": 1.0, "brake": 0.0}, "steps": 2, "Simulation.name": "brake",
    "Simulation.coordinate.name": "hub", "Trajectory.name": "tyre", "Model.name": "hub",
    "Model.body.name": "wheel", "Model.input.name": "brake", "number": 1,
    "Trajectory.coordinate.name": "hub", "force": (1.0, 0.0, 0.0), "torque": (0.0, 1.0, 0.0),
    "time": 0.01, "axes": {"brake": [0.0, 1.0]}, "samples": {"brake": [0.0, 1.0]},
    "measure": lambda: _measure, "read_mechanism.path": toml, "text": lambda: toml().read_text(),
    "rounds": 2, "rest": 0.0, "Batch.n": 2, "lanes": False, "Wheel.soil": WHEEL, "speed": 1.0,
    "duration.ramp": 1.0, "Body.mass": 10.0, "reactions": ["hub"],
    "Trajectory.load.path": lambda: _saved(run()), "State.load.path": lambda: _saved(run().final),
    "progress": False, "threads": 1, "Limit.lower": -1.0, "of.arrays": lambda: run().final.arrays(),
    "who": "a",
    # vehicles
    "piece": PIECE, "kind": V.Frame, "part": "frame", "Vehicle.part.name": "frame",
    "QuarterVehicle.mass": 250.0, "wheel_inertia": 6.0, "Assembly.origin": (0.0, 0.0, 0.0),
    "contact": WHEEL, "Rolling.contact": WHEEL, "load.name": "rover", "read.name": "rover",
    "path_of.name": "rover", "car": lambda: V.read("hmmwv"), "pulls": (1e3,), "hitch": (-2.0, 0.0, 0.6),
    "warm_up": 0.01, "average": 0.01, "linkage": None, "linkage_bench.force": (0.0, 0.0, -1e3),
    "linkage_bench.point": (-1.0, 0.0, 0.0), "reading": lambda: _reading(),
    "from_toml.text": lambda: (Path(V.__file__).parent / "files" / "rover.toml").read_text(),
    "parts": lambda: V.read("rover").parts, "Vehicle.wheel": WHEEL, "controls": {},
    "towing": (), "vehicle": lambda: V.read("rover"),
    "linkage_forces.name": "linkage",
    "linkage_forces.simulation": lambda: B.Simulation(B.compile(V.load("tractor")), 1e-3),
    # hydraulics
    "bore": 0.1, "HydraulicCylinder.rod": 0.05, "stroke": 0.5, "extension": 0.2,
    "command": 0.0, "pressure": 1e7,
    "inlet": FLOW, "outlet": FLOW, "tool": lambda: H.backhoe(), "carrier": lambda: V.load("tractor"),
    "at": (0.0, 0.0, 1.0), "heading": 0.0, "valve": H.SpoolValve(command=0.0, inlet=FLOW, outlet=FLOW),
    "signals": {},
    "cylinder": H.HydraulicCylinder(name="c", bore=0.1, rod=0.05, stroke=0.5, extension=0.2),
    "branches": lambda: (H.Branch(valve=GOOD["valve"], cylinder=GOOD["cylinder"]),),
    "Circuit.pump": H.ConstantPressure(pressure=1e7),
    "circuit": lambda: H.Circuit(name="c", branches=GOOD["branches"](), pump=GOOD["Circuit.pump"]),
    "rods": (H.Rod(),),
    # rig
    "tick": 0.01, "clock": G.FakeClock(), "pieces": ((1.0, 0.0, 0.1, 0.0), (2.0, 0.0, 0.0, 0.1)),
    "s": 0.5, "near": 0.5, "distance": 1.0, "other": lambda: G.straight(5.0), "angle": 1.0, "k0": 0.0,
    "k1": 0.1, "category": "guidance", "block": "look-ahead",
    "polyline.points": [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)],
    "corners": [(0, 0), (9, 0), (9, 9), (0, 9)], "inside.points": [(1.0, 2.0)],
    "Boundary.points": [(1.0, 2.0)], "track": [(1.0, 2.0), (3.0, 2.0)], "Boundary.heading": [0.0, 0.0],
    "port": G.Port(), "by": "chassis", "bus": lambda: G.Bus.read(), "values": {}, "now": 0,
    "FakeClock.start": 0.0, "Site.path": lambda: G.straight(5.0), "Rig.path": lambda: G.straight(5.0),
    "Rig.read.path": lambda: _rig_file(), "Rig.start": {}, "Rig.run.duration": 0.02, "instant": 5,
    "ticks": 3, "k": 0, "Pace.block": 0, "Pace.blocks": (), "where": "a",
    "Bus.path": Path(rig.__file__).parent / "bus.toml", "Signal.name": "speed", "Bus.name": "steer",
    "Bus.signal.name": "speed", "T": 0.01, "MultiRate.c": 0.005, "MultiRate.t": 0.001, "Choice.t": 0.01,
    "c": 0.01, "divided.c": 0.01, "t": 0.001,
    "register.kind": lambda: G.make("guidance", "look-ahead").__class__, "lag": 0.1, "period": 0.01,
    "whole": lambda: _whole, "split": lambda: _split, "reference": np.ones(3), "roll": 0.1,
    "pitch": 0.1, "yaw": 0.1, "Path.points.spacing": 0.5, "Path.start": (0.0, 0.0),
    "straight.start": (0.0, 0.0), "headland_turn.width": 6.0, "field_work.width": 6.0,
    "field_work.radius": 4.0, "headland_turn.radius": 4.0,
    "Rig.restore.state": lambda: G.Rig(path=G.straight(5.0), chassis="kinematic").state(),
    # maps
    "mobility.vehicle": lumped, "surface": table, "table": table, "inputs": inputs, "over": border,
    "strength": 4e5, "along": 0.1, "across": 0.0, "slope": 0.1, "error": 0.03, "variation": 0.15,
    "levels": 5, "half_track": 0.8, "cell": 0.5, "mean": (4e5, 0.1),
    "spread": (0.1, 0.01), "seconds": 1.0, "gear": 1, "rating": 50.0, "needed": 30.0,
    "remoulding_index": 0.8, "symbol": "CL", "strength_of_class.moisture": 0.2,
    "out": lambda: Path(tempfile.mkdtemp()) / "map", "first": lambda: _map(), "second": lambda: _map(),
    "goal": (300.0, 300.0), "routes.start": (100.0, 100.0), "wetness": {"dry": 1.0}, "found": {},
    "GearStage.speed": [1.0, 2.0], "GearStage.torque": [2.0, 1.0], "gears": lambda: lumped().gears,
    "LumpedVehicle.axles": lambda: lumped().axles, "most": 1, "WholeVehicle.vehicle": "hmmwv_4x4",
    "ride.vehicle": "hmmwv_4x4", "lumped.vehicle": "hmmwv_4x4", "sampled.cell": 0,
    "samples.sampled": 100, "deceleration": 3.0, "Inputs.soil": lambda: inputs().soil,
    "from_geotiff.path": lambda: inputs().dem,
    "dem": lambda: inputs().dem, "kinds": "a", "words": "a", "unit": "kPa", "fine": True,
}  # fmt: skip


def _start() -> Any:
    from mlcp.solvers.base import Start

    return Start(np.zeros(2))


def _law(slip: Any, load: Any, *more: Any) -> Any:
    return 0.8 * np.tanh(5.0 * np.asarray(slip)), 0.05 + 0.0 * np.asarray(slip)


def _line(now: Any) -> Any:
    return C.Line(0.0, 1.0)


def _measure(batch: Any) -> Any:
    return {"time": np.zeros(batch.n)}


def _saved(thing: Any) -> Path:
    path = Path(tempfile.mkdtemp()) / "saved.npz"
    thing.save(path)
    return path


def _reading() -> Any:
    return next(iter(V.wheel_readings(simulation()).values()))


def _rig_file() -> Path:
    path = Path(tempfile.mkdtemp()) / "rig.toml"
    G.Rig(path=G.straight(5.0), chassis="kinematic").write(path)
    return path


@functools.cache
def _map() -> Any:
    return R.make_map(table(), inputs(), Path(tempfile.mkdtemp()) / "map", page=False)


def _whole(h: float) -> Any:
    return np.ones(3)


def _split(T: float, c: float, t: float) -> Any:
    return np.ones(3)


@functools.cache
def parts() -> dict[type, Any]:
    """One instance of each class of part and element in the shipped vehicles and machines."""
    vehicles = [V.read(name) for name in V.shipped() if name != "trailer"]
    lowered = [*(vehicle.mechanism() for vehicle in vehicles), H.backhoe_loader()]
    found = [p for vehicle in vehicles for p in vehicle.parts] + [e for m in lowered for e in m.elements]
    return {type(thing): thing for thing in found}


def good(owner: str, function: str, parameter: inspect.Parameter, package: str) -> Any:
    """Valid value for a parameter.

    Its entry in ``GOOD`` with owner, function or package; else its default, the entry of its name alone,
    or a value for its type.
    """
    name = parameter.name
    for key in (
        f"{owner}.{function}.{name}",
        f"{function}.{name}",
        f"{owner}.{name}",
        f"{package}.{name}",
    ):
        if key in GOOD:
            return _made(GOOD[key])
    if parameter.default is not parameter.empty:
        return parameter.default
    annotation = str(parameter.annotation)
    if annotation == "Piece":
        return PIECE
    if name in GOOD:
        return _made(GOOD[name])
    plain = {"float": 1.0, "int": 1, "bool": True, "Point": (0.0, 0.5, 0.1)}
    return plain.get(annotation, ROD if "Ends" in annotation or "Arm" in annotation else 1.0)


def _made(value: Any) -> Any:
    return value() if inspect.isfunction(value) or hasattr(value, "cache_info") else value


@contextlib.contextmanager
def scratch() -> Iterator[None]:
    """Make an empty temporary folder the working directory."""
    with contextlib.chdir(tempfile.mkdtemp()):
        yield
