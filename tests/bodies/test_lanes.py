"""Vehicles side by side in vector registers: each has the bytes of a run alone."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from numba.core.errors import NumbaError

import bodies as B
from bodies import vehicle
from bodies.kernels.data import RunData
from contact import Pacejka, Tabulated, UserLaw
from contact import terrain as T
from contact.kernels.laws.law import IN_LANES, LAWS
from mlcp.compiled.lanes import lane_viewer
from mlcp.jit import kernel

from .files_to_break import automatic
from .mechanisms import JOINTS, two_bodies
from .test_batch import end, quarter

ROOT = Path(__file__).parents[2]
TABLE = ((-20.0, -40.0), (0.0, 1.0), (5.0, 30.0), (20.0, 31.0))


def everything():
    """A quarter vehicle beside pairs of bodies with every joint and most couplings and forces."""
    own = quarter()
    parts, elements = list(own.bodies), list(own.elements)
    for k, kind in enumerate(JOINTS):
        pair = two_bodies(kind, seed=k)
        names = {body.name: f"{body.name} {k}" for body in pair.bodies}
        parts += [dataclasses.replace(body, name=names[body.name]) for body in pair.bodies]
        elements += [
            dataclasses.replace(
                joint, name=f"{kind} joint", body_a=names[joint.body_a], body_b=names[joint.body_b]
            )
            for joint in pair.elements
        ]
    parts.append(B.Body("alone", 1.0, (0.2, 0.3, 0.4), angular_velocity=(3.0, 40.0, 1.0)))
    on = "revolute joint"
    elements += [
        B.Drag(name="drag", body="alone", area=2.0, coefficient=0.6, wind=(3.0, 0.0, 0.0)),
        B.Draft(name="draft", body="alone", position=(0.1, 0.2, 0.3), draft=(5.0, 1.0, 0.2)),
        B.PointForce(
            name="push", body="alone", position=(0.1, 0.2, 0.0), direction=(0.0, 0.0, 1.0), effort="push"
        ),
        B.PointForce(
            name="tug",
            body="first 0",
            position=(0.1, 0.0, 0.0),
            direction=(1.0, 0.0, 0.0),
            effort="push",
            turns=False,
        ),
        B.Torque(name="twist", joint=on, effort="twist"),
        B.JointSpring(
            name="spring", joint=on, stiffness=3.0, damping=0.1, spring_table=TABLE, damper_table=TABLE
        ),
        B.ElectricMotor(
            name="motor",
            joint=on,
            full_load=((0.0, 5.0), (30.0, 1.0)),
            motoring=((0.0, 0.0), (30.0, 0.5)),
            command="command",
        ),
        B.Limit(name="end", joint="prismatic joint", lower=-0.05, upper=0.05),
        B.Motor(name="turn", joint="cylindrical joint.angle", target="speed", max_effort=0.5),
    ]
    shifting = automatic()
    parts += shifting.bodies
    elements += shifting.elements
    inputs = {"push": 1.0, "twist": 0.1, "command": 0.3, "speed": 2.0, **shifting.inputs}
    return dataclasses.replace(
        own, bodies=tuple(parts), elements=tuple(elements), inputs={**own.inputs, **inputs}
    )


def same_bytes(model, steps, change, n=11, **settings):
    """A batch solved in lanes (vector registers), with the same bytes as a batch without lanes."""
    lanes, alone = B.Batch(model, n, **settings), B.Batch(model, n, lanes=False, **settings)
    assert (lanes.lanes, alone.lanes) == (True, False)
    for batch in (lanes, alone):
        change(batch)
        batch.run(steps)
    assert [end(one) for one in lanes] == [end(one) for one in alone]
    assert lanes.stopped == alone.stopped
    return lanes


def test_every_joint_row_and_force():
    def change(batch):
        share = np.linspace(0.0, 1.0, batch.n)
        batch.set("soil.cone_index", 2e5 + 4e5 * share)
        batch.set_input("torque", 800.0 * share)
        batch.set_input("command", 2.0 * share - 1.0)
        batch.set_input("push", 50.0 * share)
        batch.set_input("pedal", 0.2 + 0.8 * share)
        batch.set_input("speed", 4.0 * share)
        batch.set_input("twist", -share)

    model = B.compile(everything())
    batch = same_bytes(model, 300, change)
    alone = [one.simulation() for one in batch]
    speeds = [
        s.angular_velocity("turbine shaft")[0] / s.angular_velocity("output shaft")[0] for s in alone
    ]
    assert np.ptp(speeds) > 0.5  # not all in one gear
    assert len({end(one) for one in batch}) == batch.n
    assert batch.missed.sum() == 0


def test_the_whole_vehicle_in_eight_phases():
    """Eight vehicles with different soils and controls move in lanes to the same bytes as alone."""
    controls = {"throttle": 0.5, "gear": 2, "clutch": 1.0, "brake": 0.0}

    def change(batch):
        batch.set("soil.cone_index", np.linspace(2e5, 6e5, batch.n))
        for name, values in (
            ("throttle", [0.0, 0.3, 0.6, 1.0, 1.0, 0.2, 0.0, 0.5]),
            ("gear", [0, 1, 2, 3, 4, -1, 1, 2]),
            ("clutch", [1.0, 0.0, 0.3, 0.0, 0.0, 0.0, 1.0, 0.6]),
            ("brake", [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0]),
        ):
            batch.set_input(name, values)

    batch = same_bytes(B.compile(vehicle.load("hmmwv", controls=controls)), 150, change, n=8)
    assert len({end(one) for one in batch}) == 8
    assert batch.fallbacks[[0, 6]].max() == 0  # no step of braked vehicles is solved outside the lanes


@pytest.mark.parametrize(("combined", "steering"), [("demand", 0.0), ("sliding", 2.0)])
def test_contacts_of_vehicles_that_drive_are_solved_together(combined, steering):
    """Eight vehicles from eight instants of a drive stay in lanes at every step; one changes gear."""
    controls = {"throttle": 1.0, "gear": 3, "steering": B.Schedule.ramp(steering, 1.0)}
    model = B.compile(vehicle.load("hmmwv", controls=controls, combined=combined))
    simulation, states = B.Simulation(model, 1e-3), []
    simulation.run(2400)
    for _ in range(8):
        simulation.run(60)
        states.append(simulation.state())

    def change(batch):
        for k, state in enumerate(states):
            batch[k].restore(state)
        batch.set_input("gear", [3, 3, 3, 3, 3, 4, 3, 3])

    batch = same_bytes(model, 100, change, n=8)
    assert batch.fallbacks.max() == 0


def test_vehicles_that_launch_and_brake_to_a_stop_hardly_leave_their_lanes():
    """Lanes also solve steps by Newton's method, or with standing wheels on their friction ellipse."""
    controls = {"throttle": 1.0, "gear": 2, "clutch": 0.5, "brake": 0.0}
    model = B.compile(vehicle.load("hmmwv", controls=controls, combined="demand"))

    def change(batch):
        batch.set("soil.cone_index", np.linspace(2.5e5, 6e5, batch.n))
        batch.run(500)
        assert batch.fallbacks.sum() < 0.02 * 500 * batch.n
        batch.set_input("throttle", 0.0)
        batch.set_input("brake", 1.0)
        batch.set_input("clutch", 1.0)

    batch = same_bytes(model, 700, change, n=8)
    assert batch.fallbacks.max() < 0.3 * 700
    assert np.abs(batch.velocity("frame")[:, 0]).max() < 0.1


@pytest.mark.parametrize(
    "wheel", [{"law": "wong-reece"}, {"regularisation": "set-valued"}, {"regularisation": "local"}]
)
def test_other_laws_and_schemes(wheel):
    def change(batch):
        batch.set_input("torque", np.linspace(-100.0, 500.0, batch.n))

    same_bytes(B.compile(quarter(**wheel)), 60, change, n=8)


CURVES = Tabulated(
    [0.0, 0.1, 0.4, 1.0], [[0.0, 0.2, 0.35, 0.3], [0.0, 0.25, 0.5, 0.45]], 0.05, load=(1e3, 4e3)
)
OWN = UserLaw(lambda slip, load: (0.6 * slip - 0.02 * slip**3, 0.04 + 0.0 * slip))
LANE_LAWS = {"measured curves": CURVES, "a function": OWN, "pacejka": Pacejka()} | {
    name: name for name in ("sand", "sand-unified", "clay", "clay-run-time", "wet")
}


@pytest.mark.parametrize("law", LANE_LAWS)
def test_laws_in_lanes(law):
    """By each law of ``LANE_LAWS`` at most 10 of a vehicle's 200 steps are solved outside lanes."""

    def change(batch):
        batch.set_input("torque", np.linspace(-100.0, 300.0, batch.n))

    batch = same_bytes(B.compile(quarter(law=LANE_LAWS[law])), 200, change, n=8)
    assert batch.fallbacks.max() <= 10
    assert len({end(one) for one in batch}) == 8


def test_the_page_lists_the_laws_not_supported_in_lanes():
    words = {
        "brixius": "Brixius",
        "magic_formula": "the magic formula",
        "sand": "sand",
        "clay": "clay",
        "wong_reece": "Wong",
        "tabulated": "measured curves",
        "user": "a function of yours",
        "unified_sand": "unified sand",
        "pacejka": "Pacejka",
    }
    page = (ROOT / "docs" / "many_vehicles_at_once.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if "the law is that of" in line)
    assert {name for name in LAWS if words[name] in row} == set(LAWS) - set(IN_LANES)


def test_unsupported_lanes_are_reported():
    large = T.HeightField(np.zeros((600, 500)), (0.1, 0.1), (-2.0, -2.0))
    wheel = dataclasses.replace(quarter().wheels[0], ground=large)
    model = B.compile(dataclasses.replace(quarter(), wheels=(wheel,)))
    assert not B.Batch(model, 8).lanes
    with pytest.raises(
        B.MechanismError, match="lanes = True, but its ground and tables take 30.... num"
    ):
        B.Batch(model, 8, lanes=True)
    with pytest.raises(B.MechanismError, match="lanes"):
        B.Batch(B.compile(quarter()), 8, lanes="yes")


def test_a_kernel_that_branches_on_numbers_does_not_compile_for_lanes():
    lanes_of = lane_viewer(RunData, 8)

    @kernel
    def stop(F, N):
        run = lanes_of(F, N)
        if run.velocity[0] > 0.0:
            run.velocity[0] = 0.0

    with pytest.raises(NumbaError):
        stop(np.zeros(800), np.zeros(400, np.int64))


@pytest.mark.slow
def test_sixty_four_random_vehicles():
    """After ten seconds 64 random vehicles, eight of them dropped, have the bytes of runs alone."""
    rng, n = np.random.default_rng(7), 64
    controls = {"throttle": 0.5, "gear": 2, "clutch": 1.0, "brake": 0.0}
    model = B.compile(vehicle.load("hmmwv", controls=controls))
    tilt = rng.uniform(-0.35, 0.35, (2, n)) * (rng.random(n) < 0.6)
    down = -9.81 * np.stack([np.sin(tilt[0]), np.sin(0.3 * tilt[1]), np.cos(tilt[0])], axis=1)

    def change(batch):
        rng = np.random.default_rng(8)
        first, size = batch.store.first("position"), 3 * len(model.mechanism.bodies)
        for k in rng.choice(n, 8, replace=False):  # these vehicles start above the ground
            state = batch[k].state()
            floats = state.floats.copy()
            floats[first + 2 : first + size : 3] += rng.uniform(0.05, 0.5)
            batch[k].restore(dataclasses.replace(state, floats=floats))

        batch.vary(
            {
                "soil.cone_index": np.exp(rng.normal(np.log(3e5), 0.4, n)),
                "frame.mass": rng.uniform(1200.0, 2500.0, n),
                "gravity.acceleration": down,
            }
        )
        batch.set_input("throttle", rng.random(n))
        batch.set_input("gear", rng.integers(-1, 5, n))
        batch.set_input("clutch", rng.choice([0.0, 0.3, 1.0], n))
        batch.set_input("brake", rng.choice([0.0, 0.0, 0.5, 1.0], n))

    batch = same_bytes(model, 10_000, change, n=n)
    assert len(batch.stopped) < n // 4
    assert batch.fallbacks.sum() < 10_000 * n
