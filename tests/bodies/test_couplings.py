"""Every coupling of joints: the constraint declared by its class equals that in the compiled step."""

from importlib import import_module

import numpy as np
import pytest

import bodies as B
from bodies.kernels import codes

TWO, ONE = {"joint_1": "one", "joint_2": "two"}, {"joint": "one"}
EXAMPLES = {
    "gear": (B.Gear, {**TWO, "ratio": -2.0}),
    "rack and pinion": (B.RackAndPinion, {"rack": "slider", "pinion": "one", "radius": 0.1}),
    "differential": (B.Differential, {"input": "one", "left": "two", "right": "three"}),
    "gearbox": (B.Gearbox, {"input": "one", "output": "two", "ratios": (3.0, 1.0)}),
    "motor of position": (B.Motor, {**ONE, "target": 0.0, "mode": "position"}),
    "motor of speed": (B.Motor, {**ONE, "target": 1.0}),
    "limited motor": (B.Motor, {**ONE, "target": 1.0, "max_effort": 5.0}),
    "limit": (B.Limit, {**ONE, "lower": -1.0, "upper": 2.0}),
    "brake": (B.Brake, {**ONE, "capacity": 5.0, "pressure": 0.5}),
    "clutch": (B.Clutch, {**TWO, "capacity": 5.0}),
    "engine": (B.Engine, {**ONE, "full_load": ((0.0, 5.0), (100.0, 0.0))}),
    "electric motor": (B.ElectricMotor, {**ONE, "full_load": ((0, 5.0), (100.0, 0)), "command": 1.0}),
    "torque converter": (
        B.TorqueConverter,
        {
            "pump": "one", "turbine": "two", "capacity": ((0.0, 0.01), (1.0, 0.0)),
            "torque_ratio": ((0.0, 2.0), (1.0, 0.9)),
        },
    ),
    "limited slip": (
        B.LimitedSlip,
        {"differential": "other", "joint_1": "one", "joint_2": "two", "preload": 1.0},
    ),
    "powershift": (
        B.PowershiftGearbox,
        {
            "input": "one", "output": "two", "ratios": (3.0, 1.0), "capacity": 5.0, "gear": "gear",
            "upshift": ((0.0, 9.0), (1.0, 9.0)), "downshift": ((0.0, 5.0), (1.0, 5.0)), "throttle": 0.5,
        },
    ),
    "half-shaft": (B.HalfShaft, {**TWO, "stiffness": 100.0}),
    "joint spring": (B.JointSpring, {**ONE, "stiffness": 100.0}),
    "spring": (
        B.SpringDamper,
        {
            "body_a": "ground", "body_b": "slider body", "position": (0, 0, 0),
            "position_b": (1.0, 0.2, 4.5), "stiffness": 100.0,
        },
    ),
}  # fmt: skip


def shafts(kind):
    """Three shafts and a slider on the ground, and one coupling of the given kind."""
    names = ("one", "two", "three", "slider")
    places = [(0.0, 0.0, 1.0 + k) for k in range(4)]
    parts = [
        B.Body(f"{name} body", 1.0, (0.1, 0.2, 0.3), position=place)
        for name, place in zip(names, places, strict=True)
    ]
    joints = [
        (B.Prismatic if n == "slider" else B.Revolute)(
            name=n, body_a="ground", body_b=f"{n} body", position=p
        )
        for n, p in zip(names, places, strict=True)
    ]
    cls, options = EXAMPLES[kind]
    coupling = cls(name="coupling", **options)
    more = [coupling]
    if kind == "limited slip":
        more.append(B.Differential(name="other", input="three", left="one", right="two"))
    return B.Mechanism(
        kind, tuple(parts), (*joints, *more), gravity=B.Gravity((0, 0, 0)), inputs={"gear": 1.0}
    )


def test_every_coupling_and_row_of_the_tables_has_an_example_here():
    known = {**B.joints.COUPLINGS, **B.driveline.DRIVELINE, **B.forces.FORCES}.values()
    assert {cls for cls, _ in EXAMPLES.values()} == {
        c for c in known if issubclass(c, B.joints.Coupling)
    }
    rows = {cls(name="c", **options).row for cls, options in EXAMPLES.values()}
    assert rows == set(codes.COUPLINGS) - {"hydraulics.rigid_piston"}  # only circuits make this coupling


@pytest.mark.parametrize("kind", EXAMPLES)
def test_a_couplings_declared_row_is_the_steps(kind):
    model = B.compile(shafts(kind))
    coupling = model.coupling_order[0]
    work = B.Workspace(model)
    work.stage("detect", "assemble")
    if coupling.bounded:
        row, _ = model.channels["coupling"]
        assert work.machine.channels.lower[row] < work.machine.channels.upper[row]
        return
    row, _ = model.rows["coupling"]
    assert (work.machine.compliance[row] > 0.0) == coupling.compliant
    # the error of a constraint on positions changes at the rate J v (Jacobian times velocity)
    J, _ = model.structure.dense_rows(work.machine.jacobian[: model.structure.jac_size])
    before, eps = work.machine.error[row].copy(), 1e-6
    velocity = np.array([0, 0, 0, 0, 0, 1.0] * 3 + [0, 0, 1.0, 0, 0, 0])
    coordinates = work.machine.coordinate
    coordinates += eps  # all shafts turn and the slider slides
    work.stage("measure")
    slope = (work.machine.error[row] - before) / eps
    assert slope == pytest.approx(J[row] @ velocity if coupling.measured else 0.0, abs=1e-8)


@pytest.mark.parametrize("kind", EXAMPLES)
def test_a_position_has_an_error_and_nothing_else(kind):
    cls, options = EXAMPLES[kind]
    coupling = cls(name="coupling", **options)
    room, file = coupling.row.split(".")
    kernels = import_module(f"bodies.{room}.kernels.{file}")
    assert hasattr(kernels, "error") == coupling.measured
