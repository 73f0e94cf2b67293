"""Hashes of all arrays of a simulation after runs of many kinds, to compare two source trees.

    python -m tests.bodies.referee digests.json [part of a case's name]

Run it in the older tree; ``test_referee`` in the newer tree compares its digests (hashes) with the file.
Digests are valid for one machine: fused multiply-adds depend on the processor.
"""

import hashlib
import json
import sys
import warnings
from pathlib import Path

import numpy as np

import bodies as B
from bodies import vehicle
from bodies.hydraulics import backhoe, backhoe_loader
from bodies.running.outside import run_outside
from contact import terrain as T
from contact.schemes.kernels.table import SCHEMES
from mlcp.compiled.bundles import Bundle
from mlcp.compiled.records import Record, Records

from .mechanisms import JOINTS, two_bodies
from .oil_cases import crane
from .test_batch import quarter, varied
from .test_ground import AREA, SHAPES, box, patches, tandem

STEPS, AFTER, VEHICLES = 1000, 50, 11
DRIVE = {"throttle": 0.6, "gear": 2, "steering": 0.4}
BRAKED = {"throttle": 0.0, "gear": 0, "brake": 1.0}


def fields(name, value):
    """Yield (name, array) of every array and every field of a record within ``value``."""
    if isinstance(value, Bundle):
        for entry in value.entries:
            yield from fields(f"{name}.{entry}", getattr(value, entry))
    elif isinstance(value, Record):
        for field in value.fields:
            yield from fields(f"{name}.{field}", getattr(value, field))
    elif isinstance(value, Records):
        for field in value._record.fields:
            yield from fields(f"{name}.{field}", getattr(value, field))
    else:
        yield name, np.asarray(value)


def memory(work):
    """All nonempty arrays of a workspace (memory of one simulation) by name."""
    machine, count = work.machine, work.machine.count
    own = {name.partition(".")[0] for name in machine.leaves}
    parts = {name: getattr(machine, name) for name in own - {"contact", "hard", "mixed", "oil"}}
    if count.soil_wheels:
        parts["contact"] = work.contact()
    if count.channels:
        parts["friction"] = work.friction()
    if work.model.circuit is not None:
        parts["oil"] = work.oil()
    for name, part in parts.items():
        yield from ((path, found) for path, found in fields(name, part) if found.size)


def digest(found):
    return hashlib.sha256(found.tobytes()).hexdigest()[:16]


def digests(work, at=""):
    return {at + name: digest(found) for name, found in memory(work)}


def driven(mechanism, steps=STEPS, step=1e-3, **settings):
    """Digests after a run, after ``AFTER`` steps from its saved state, and of a record of 20 steps."""
    model = B.compile(mechanism)
    sim = B.Simulation(model, step, **settings)
    sim.run(steps)
    found, state = digests(sim.work), sim.state()
    again = B.Simulation(model, step, state=state, **settings)
    again.run(AFTER)
    found |= digests(again.work, "restored: ")
    run = B.simulate(model, 20 * step, step, state=state, record_every=3)
    for name, value in vars(run).items():
        if isinstance(value, np.ndarray) and value.size and name != "oil":
            found[f"recorded: {name}"] = digest(value)
    if model.circuit is not None:
        for name, value in run.hydraulics.columns().items():
            found[f"recorded: {name}"] = digest(value)
    return found


def outside(mechanism, solver):
    """Digests after steps whose stages (assemble, solve ...) are called from Python."""
    sim = B.Simulation(B.compile(mechanism), 1e-3)
    run_outside(sim.work, AFTER, solver)
    return digests(sim.work)


def rested(mechanism, **settings):
    """Digests after a search for static equilibrium and ``AFTER`` steps from it."""
    model = B.compile(mechanism)
    sim = B.Simulation(model, 1e-3, state=B.equilibrium(model, **settings))
    sim.run(AFTER)
    return digests(sim.work)


def batched(model, settings, **more):
    """Digests of all vehicles of a batch, solved in lanes (vector registers) and one by one."""
    found = {}
    for lanes in (True, False):
        batch = settings(model, lanes=lanes, **more)
        batch.run(400, threads=2)
        for k in range(batch.n):
            found |= digests(batch[k].simulation().work, f"{'lane' if lanes else 'alone'} {k}: ")
    return found


def loaded(model, **more):
    batch = B.Batch(model, VEHICLES, **more)
    batch.vary({"soil.cone_index": np.linspace(2e5, 9e5, VEHICLES)})
    batch.set_input("throttle", np.linspace(0.0, 1.0, VEHICLES))
    return batch


def given(name, **more):
    """Controls in ``DRIVE`` that a shipped vehicle has, and the controls ``more``."""
    read = vehicle.read(name)
    return {key: value for key, value in DRIVE.items() if key in read.controls} | more


def on_hard_too():
    return tandem(T.Plane(), 2, 100.0, hard=(1,), **box(shape=B.Sphere(0.2)))


def cases():
    """Functions by name of their case; each runs the case and returns its digests."""
    found = {}
    for name in sorted(set(vehicle.shipped()) - {"trailer"}):
        found[f"vehicle {name}"] = lambda n=name: driven(vehicle.load(n, controls=given(n)))
    towed = vehicle.read("trailer")
    found["vehicle trailer"] = lambda: driven(
        vehicle.read("hmmwv").mechanism(given("hmmwv"), towing=(towed,))
    )
    for name in SCHEMES:
        found[f"scheme {name}"] = lambda n=name: driven(
            vehicle.load("hmmwv_4x4", controls=given("hmmwv_4x4"), regularisation=n)
        )
    for solver in ("direct", "pgs", "newton"):
        found[f"solver {solver}"] = lambda s=solver: driven(on_hard_too(), solver=s)
        found[f"solver {solver} outside"] = lambda s=solver: outside(on_hard_too(), s)
    found["hard"] = lambda: driven(vehicle.load("hmmwv", hard=True, controls=given("hmmwv")))
    found["mixed"] = lambda: driven(on_hard_too(), record_work=True)
    for name in ("step", "field"):
        found[f"mapped {name}"] = lambda n=name: driven(
            tandem(SHAPES[n], 2, 300.0, 1.5, height=float(SHAPES[n].height(0.0)))
        )
    rut = T.Plane(memory=AREA, soil_map=patches())
    found["rutted"] = lambda: driven(tandem(rut, 3, speed=2.0))
    found["joints"] = lambda: {
        f"{kind} {name}": value
        for kind in JOINTS
        for name, value in driven(two_bodies(kind), 100).items()
    }
    found["oil crane"] = lambda: driven(crane())
    found["oil backhoe"] = lambda: driven(backhoe({"boom lever": 0.5, "swing lever": 0.3}))
    found["oil on soil"] = lambda: driven(backhoe_loader({"boom lever": 0.5}), 200)
    found["rest on soil"] = lambda: rested(
        vehicle.load("hmmwv", controls=BRAKED), scrub=True, inputs={"brake": 1.0}
    )
    found["rest on hard ground"] = lambda: rested(vehicle.load("skid_steer"))
    found["rest of oil"] = lambda: rested(backhoe())
    found["batch of quarters"] = lambda: batched(
        B.compile(quarter()), lambda model, **more: varied(model, VEHICLES, **more)
    )
    soft = vehicle.load("hmmwv", controls={"gear": 2})
    found["batch of vehicles"] = lambda: batched(B.compile(soft), loaded)
    return found


def main(path, part=""):
    warnings.simplefilter("ignore")
    file = Path(path)
    found = json.loads(file.read_text()) if file.exists() else {}
    for name, run in cases().items():
        if part in name:
            found[name] = run()
            print(f"{name}: {len(found[name])} arrays and fields", flush=True)
            file.write_text(json.dumps(found, indent=1, sort_keys=True))


if __name__ == "__main__":
    main(*sys.argv[1:])
