"""No kernel reads or writes outside its arrays."""

import re

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from bodies.kernels.slots import FLOATS
from contact import terrain
from mlcp.compiled import bundle_memory
from tests.commands import python

from .oil_cases import crane
from .test_ground import box, tandem

GUARD = 64  # count of NaN between any two arrays
BRAKED = {"throttle": 0.0, "gear": 0, "brake": 1.0}


def room_apart(sizes):
    """Replacement of ``bundle_memory.room``: memory with NaN before, between and behind all arrays."""
    starts = np.cumsum([GUARD, *(-(-size // 8) * 8 + GUARD for size in sizes)])
    room = np.full(starts[-1] + 8, np.nan)
    F = room[-room.ctypes.data // 8 % 8 :][: starts[-1]]
    for start, size in zip(starts, sizes, strict=False):
        F[start : start + size] = 0.0
    return F, starts[:-1].tolist()


def lay_apart(monkeypatch):
    """Put NaN between the arrays of every simulation made from now on."""
    monkeypatch.setattr(bundle_memory, "room", room_apart)


def guards(sim):
    """Numbers in a simulation's memory that are in none of its arrays."""
    inside = np.zeros(sim.work.F.size, bool)
    for k in FLOATS.values():
        inside[slice(*sim.work.N[2 * k : 2 * k + 2])] = True
    return sim.work.F[~inside]


def arrays(sim):
    """Bytes of every float array of a simulation."""
    return [sim.work.f(path).tobytes() for path in FLOATS]


def driven(model, steps):
    sim = B.Simulation(model, 1e-3)
    sim.run(steps)
    return sim


def rested(model, steps):
    """Simulation after a search for static equilibrium, with closed brakes if there are any."""
    braked = {"scrub": True, "inputs": {"brake": 1.0}} if "brake" in model.mechanism.inputs else {}
    sim = B.Simulation(model, 1e-3, state=B.equilibrium(model, **braked))
    sim.run(steps)
    return sim


MACHINES = {
    "wheels on soil": (lambda: vehicle.load("hmmwv", controls={"throttle": 1.0, "gear": 2}), driven),
    "wheels on soil at rest": (lambda: vehicle.load("hmmwv", controls=BRAKED), rested),
    "hard wheels": (lambda: vehicle.load("skid_steer"), rested),
    "hard wheels under brakes": (lambda: vehicle.load("hmmwv", hard=True, controls=BRAKED), rested),
    "wheels on soil beside hard ones": (
        lambda: tandem(terrain.Plane(), 2, 100.0, hard=(1,), **box(shape=B.Sphere(0.2))),
        driven,
    ),
    "oil": (crane, driven),
}


@pytest.mark.parametrize("kind", MACHINES)
def test_a_run_is_the_same_with_nan_between_all_arrays(kind, monkeypatch):
    """A read outside the arrays would spread NaN into results, a write would replace a NaN."""
    machine, run = MACHINES[kind]
    dense = run(B.compile(machine()), 60)
    lay_apart(monkeypatch)
    apart = run(B.compile(machine()), 60)
    assert guards(apart).size >= GUARD * len(FLOATS)
    assert np.isnan(guards(apart)).all()
    assert all(a == b for a, b in zip(arrays(apart), arrays(dense), strict=True))
    assert np.isfinite(apart.poses()).all()


SCRIPT = """
import sys
from tests.bodies.test_memory import MACHINES, B
for kind, (machine, run) in MACHINES.items():
    run(B.compile(machine()), 60)
    print(kind, flush=True)
"""


def checked(tmp_path, *command):
    """Run a process with bounds checks: the first index outside an array ends it."""
    return python(*command, timeout=7200, NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR=str(tmp_path))


def test_bounds_checks_end_the_process(tmp_path):
    """An index outside an array ends a process with bounds checks: the tests below rely on it."""
    script = (
        "import numpy as np\n"
        "from contact.kernels.wheel.data import friction_of\n"
        "from contact.kernels.wheel.data import Friction\n"
        "from mlcp.jit import entry_point\n"
        "@entry_point('mlcp')\n"
        "def read(F, N, k):\n"
        "    return friction_of(F, N).z[k]\n"
        "made = Friction.pack(z=np.ones(3))\n"
        "print(read(made.F, made.N, 2), flush=True)\n"
        "print(read(made.F, made.N, -1), flush=True)\n"
    )
    (tmp_path / "kernels.py").write_text(script)
    found = checked(tmp_path, str(tmp_path / "kernels.py"))
    assert found.returncode != 0
    assert found.stdout.startswith("1.0")
    assert "index -1 outside Row(float64) of 3" in found.stdout


@pytest.mark.slow
def test_no_machine_reads_outside_its_arrays(tmp_path):
    found = checked(tmp_path, "-W", "ignore", "-c", SCRIPT)
    assert found.returncode == 0, found.stdout[-500:] + found.stderr[-2000:]
    assert found.stdout.split("\n")[:-1] == list(MACHINES)


FILES = (
    "contact/test_friction_beside_wheels.py", "contact/test_ground_contact.py",
    "contact/test_hard_steps.py", "contact/test_lateral_and_lugre.py",
    "contact/test_rest.py", "contact/test_terrain.py",
    "contact/test_slip_sinkage.py", "contact/test_own_scheme.py", "contact/test_relaxation.py",
    "bodies/test_lanes.py", "bodies/test_contact.py", "bodies/test_hydraulics.py",
    "bodies/test_joints.py", "bodies/test_hard_wheels.py", "bodies/test_soil_wheels.py",
    "hosts/test_wheels_on_ground.py",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_no_kernel_reads_outside_its_arrays(file, tmp_path_factory):
    cache = tmp_path_factory.getbasetemp() / "checked"
    found = checked(cache, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"tests/{file}")
    assert re.findall(r"index -?\d+ outside .*", found.stdout) == []
    assert found.returncode == 0, found.stdout[-2000:]
