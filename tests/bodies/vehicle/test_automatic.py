"""A vehicle with converter, automatic gearbox and torque-sensing axles: shifts, stall, traction."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import bodies as B
from bodies import vehicle

FILE = Path(__file__).parents[3] / "examples" / "utility_vehicle.toml"
PEDAL = B.Schedule(((0.0, 0.0), (0.5, 0.0), (0.7, 1.0)))


def car(controls=None, **changes):
    return vehicle.read(FILE).on(cone_index=2e6, **changes).mechanism(controls)


def gear_of(sim):
    return sim.work.machine.input[sim.model.input("gear")]


def turning(sim, joint):
    """Speed [rad/s] of a bearing's shaft relative to the power pack, which pitches with the vehicle."""
    body = {"crankshaft bearing": "crankshaft", "gearbox input bearing": "gearbox input"}[joint]
    return np.linalg.norm(sim.angular_velocity(body) - sim.angular_velocity("power pack"))


def test_it_adds_one_freedom_braked_by_friction_in_the_gearbox():
    m = B.mobility(B.compile(car()))
    # freedoms: 20 of the four-wheel-drive vehicle, 1 of the turbine; converter and gears constrain none
    assert (m.freedoms, m.counted, m.redundant) == (21, 21, 0)


def test_it_drives_through_its_gears_and_back_and_misses_no_step():
    there = B.Schedule(((0.0, 0.0), (0.5, 0.0), (0.7, 1.0), (14.0, 1.0), (14.1, 0.0)))
    brake = B.Schedule(((0.0, 0.0), (14.5, 0.0), (15.0, 0.5)))
    sim = B.Simulation(B.compile(car({"throttle": there, "brake": brake})), 2e-3)
    gears, speeds = [], []
    for _ in range(200):
        sim.run(50)
        gears.append(gear_of(sim))
        speeds.append(sim.velocity("frame")[0])
    assert sorted(set(gears)) == [1, 2, 3, 4]
    top = gears.index(4)
    assert (np.diff(gears[: top + 1]) >= 0).all()  # no downshift before fourth gear
    assert gears[-1] == 1
    assert max(speeds) > 6.0
    assert abs(speeds[-1]) < 1e-3
    assert sim.missed == 0


def test_held_by_the_brakes_the_engine_runs_up_to_stall():
    """The engine speed is that at which the converter pump's torque equals the engine's (two tables)."""
    strong = vehicle.read(FILE).with_part(vehicle.DoubleWishbone, "front", brake_capacity=3e4)
    strong = strong.with_part(vehicle.TrailingArm, "rear", brake_capacity=3e4)
    sim = B.Simulation(B.compile(strong.mechanism({"throttle": PEDAL, "brake": 1.0})), 2e-3)
    sim.run(2500)
    engine = vehicle.read("hmmwv").part(vehicle.CombustionEngine, "engine")
    rpm = np.linspace(800.0, 2600.0, 20001)
    gives = np.interp(rpm, *np.transpose(engine.full_load))
    stall = rpm[np.argmax(0.0185 * (rpm * np.pi / 30.0) ** 2 > gives)]
    assert abs(sim.velocity("frame")[0]) < 1e-3
    assert turning(sim, "crankshaft bearing") * 30.0 / np.pi == pytest.approx(stall, rel=1e-4)


@pytest.mark.slow
def test_the_lock_up_clutch_bridges_the_converter():
    steady = {"throttle": B.Schedule(((0.0, 0.0), (0.5, 0.0), (0.7, 0.6)))}
    slips = {}
    for lockup in (0.0, 1.0):
        closes = B.Schedule(((0.0, 0.0), (8.0, 0.0), (8.5, lockup)))
        sim = B.Simulation(B.compile(car(steady | {"lockup": closes})), 2e-3)
        sim.run(6000)
        pump, turbine = (turning(sim, f"{name} bearing") for name in ("crankshaft", "gearbox input"))
        slips[lockup] = 1.0 - turbine / pump
    assert 0.005 < slips[0.0] < 0.3
    assert abs(slips[1.0]) < 1e-9


def test_a_torque_sensing_axle_pulls_where_an_open_one_spins():
    """Left on mud, right on firm soil: the right output gets the left's torque times the bias ratio."""
    far = {}
    for kind in ("open", "torque-sensing"):
        read = vehicle.read(FILE)
        for axle in ("front", "rear"):
            read = read.with_part(
                vehicle.FinalDrive, axle, differential=kind, bias_ratio=3.0, preload=0.0
            )
        wheels = {
            f"{axle}_{side}": vehicle.Rolling(read.on(cone_index=index).wheel)
            for axle in ("front", "rear")
            for side, index in (("left", 1.2e5), ("right", 2e6))
        }
        model = B.compile(dataclasses.replace(read, wheels=wheels).mechanism({"throttle": PEDAL}))
        run = B.simulate(model, 3.0, 2e-3, record_every=10)
        far[kind] = run.position("frame")[-1, 0]
    assert far["torque-sensing"] > 1.2 * far["open"]
    output = 0.5 * 5.0 * np.abs(run.impulses[:, model.rows["rear differential"][0]]) / run.step
    lock = np.abs(run.channel_force("rear lock")[:, 0])
    pulls = (output > 100.0) & (run.time > 1.7)
    bias = (output + lock)[pulls] / (output - lock)[pulls]
    slips = (
        run.angular_velocity("rear_left wheel")[:, 1] - run.angular_velocity("rear_right wheel")[:, 1]
    )
    assert bias.max() == pytest.approx(3.0, rel=0.02)
    assert slips[pulls][bias > 2.99].min() > 0.0  # at the largest bias the left output is faster
