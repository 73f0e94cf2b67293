"""Wrong types, numbers and shapes for the Python API of ``bodies`` and ``contact``, drawn from a seed.

    python -m tests.api_fuzzer SEED CALLS

Each call has valid arguments with one or two mistakes, or reads a damaged state or file. It may succeed,
or end in a ``FileNotFoundError`` or in an exception that a ``raise`` of this repository raises with one
sentence. Other results are printed, one line a call. The last line is "done"; it is missing if a call
ended the process.
"""

from __future__ import annotations

import dataclasses
import io
import linecache
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import bodies as B
from bodies.vehicle import QuarterVehicle
from contact import BekkerSoil, ConeIndexSoil, GroundContact, Tyre, WheelContact
from contact import terrain as T
from contact.hosts import WheelsOnGround
from contact.hosts.generic import GenericHost
from mlcp.checks import shown

HOME = str(Path(__file__).parent.parent)
OURS = (ValueError, TypeError, B.SimulationError, FileNotFoundError)
SPOILT: tuple[Any, ...] = (
    None, True, "x", "", b"x", "1", np.nan, np.inf, -np.inf, 0, 0.0, -1, -1.5, 1, 2, 1.5, 1e308, -1e308,
    5e-324, 10**400, 2**63, -(2**63), 1j, object(), len, {}, {"a": 1}, {1, 2}, [], [1.0], [np.nan], [[]],
    [1.0, 2.0, 3.0], ["a", "b", "c"], [None] * 3, [[1.0], [1.0, 2.0]], (), np.zeros(0), np.zeros(3),
    np.ones(4), np.full(4, np.nan), np.ones((7, 7)), np.zeros((1, 3)), np.zeros((2, 3)), 1j * np.eye(4),
    np.array("a"), np.array(None), np.float32(1.0), np.int8(3), np.eye(4), -np.eye(4), np.eye(6),
    "direct", "osqp", "wheel", "tyre", "hub",
)  # fmt: skip

TYRE, SOIL = Tyre(0.762, 0.2, 0.14), ConeIndexSoil(4e5)
WHEEL = WheelContact(TYRE, SOIL)
RUTS = T.Plane(memory=T.SoilMemory((-1.0, 4.0), (-2.0, 2.0), cell=0.5))


def mechanism() -> B.Mechanism:
    """A wheel on soil with ruts carries a mass; a gearbox and a brake act on it."""
    at = {"position": (0.0, 0.0, 0.36)}
    parts = (
        B.Body("frame", 240.0, (20.0, 20.0, 20.0), velocity=(1.0, 0, 0), **at),
        B.Body("wheel", 10.0, (1.0, 2.0, 1.0), velocity=(1.0, 0, 0), **at),
        B.Body("shaft", 1.0, (0.1, 0.1, 0.1), velocity=(1.0, 0, 0), **at),
    )
    elements = (
        B.Planar(name="keep", body_a="ground", body_b="frame", axis=(0, 1, 0), **at),
        B.Revolute(name="hub", body_a="frame", body_b="wheel", axis=(0, 1, 0), **at),
        B.Revolute(name="bearing", body_a="frame", body_b="shaft", axis=(0, 1, 0), **at),
        B.Gearbox(name="box", input="bearing", output="hub", ratios=(2.0, 1.0), gear="gear"),
        B.Brake(name="brake", joint="hub", capacity=500.0, pressure="brake"),
    )
    tyre = B.Wheel(name="tyre", body="wheel", centre=(0, 0, 0.36), soil=WHEEL, ground=RUTS)
    return B.Mechanism("m", parts, elements, wheels=(tyre,), inputs={"gear": 1.0, "brake": 0.0})


class Fuzzer:
    """Calls of the API, each with mistakes.

    Arguments:
        seed: seed of the random number generator that chooses calls and mistakes.
    """

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.model = B.compile(mechanism())
        self.other = B.compile(B.Mechanism("o", (B.Body("b", 1.0, (1.0, 1.0, 1.0)),)))
        self.run = B.simulate(self.model, 0.05, 1e-3, reactions=["hub"])
        self.state = self.run.final
        self.vehicle = QuarterVehicle(250.0, 6.0, WHEEL)
        self.folder = Path(tempfile.mkdtemp())
        self.targets: tuple[Callable[[], None], ...] = (
            self.simulation, self.simulate, self.methods, self.equilibrium, self.states, self.files,
            self.quarters, self.contact, self.wheels_on_ground, self.generic, self.descriptions,
        )  # fmt: skip

    def pick(self, choices: Any) -> Any:
        """Return a random element."""
        return choices[int(self.random.integers(len(choices)))]

    def spoil(self, given: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments with one or two mistakes."""
        for name in self.random.permutation(list(given))[: self.random.integers(1, 3)]:
            given[str(name)] = self.pick(SPOILT)
        self.given = given
        return given

    # calls with mistakes -------------------------------------------------------------------
    def simulation(self) -> None:
        given = {"model": self.model, "step": 1e-3, "solver": "direct", "tolerance": 5e-7,
                 "projections": 3, "contact": {"max_passes": 50}, "state": self.state}  # fmt: skip
        B.Simulation(**self.spoil(given)).run(3)

    def simulate(self) -> None:
        given = {"model": self.model, "duration": 0.01, "step": 1e-3, "record_every": 3,
                 "callback": None, "state": self.state, "reactions": ["hub"],
                 "solver": "direct"}  # fmt: skip
        spoilt = self.spoil(given)
        if callable(spoilt["callback"]):
            spoilt["callback"] = None  # an exception in a user's own callback is no fault of the library
        B.simulate(**spoilt)

    def methods(self) -> None:
        sim = B.Simulation(self.model, 1e-3, state=self.state)
        calls: tuple[tuple[Callable[..., Any], dict[str, Any]], ...] = (
            (sim.run, {"steps": 2}),
            (sim.set_input, {"name": "brake", "value": 1.0}),
            (sim.set_input, {"name": "gear", "value": 1}),
            (sim.apply, {"body": "wheel", "force": (1, 0, 0), "torque": (0, 1, 0), "at": (0, 0, 0)}),
            (sim.restore, {"state": self.state}),
            (sim.position, {"body": "wheel"}),
            (sim.coordinate, {"name": "hub"}),
            (sim.reaction, {"joint": "hub"}),
            (self.run.wheel, {"name": "tyre"}),
            (self.run.channel_force, {"name": "tyre"}),
            (self.run.reaction, {"joint": "hub"}),
        )
        call, given = self.pick(calls)
        call(**self.spoil(dict(given)))
        sim.run(2)

    def equilibrium(self) -> None:
        given = {"model": self.model, "inputs": {"brake": 1.0}, "tolerance": 1e-3, "scrub": False,
                 "rounds": 3, "state": self.state}  # fmt: skip
        B.equilibrium(**self.spoil(given))

    def states(self) -> None:
        changes: dict[str, Any] = {}
        for name in self.random.permutation(["floats", "ints", "order", "scale", "pivot", "model"])[:2]:
            whole = np.array(getattr(self.state, str(name)))
            if whole.ndim == 0 or self.random.random() < 0.3:
                changes[str(name)] = self.pick(SPOILT)
                continue
            for _ in range(int(self.random.integers(1, 4))):
                place = int(self.random.integers(whole.size))
                whole[place] = self.pick((0, -1, 2, 7, 10**6, -(10**9), 2**62))
            changes[str(name)] = whole
        self.given = changes
        sim = B.Simulation(self.model, 1e-3)
        sim.restore(dataclasses.replace(self.state, **changes))
        sim.run(3)

    def files(self) -> None:
        kinds: tuple[tuple[Any, Callable[[Path], Any]], ...] = (
            (self.state, B.State.load),
            (self.run, lambda path: B.Trajectory.load(path, self.model)),
            (self.run, lambda path: B.Trajectory.load(path, self.other)),
        )
        thing, load = self.pick(kinds)
        path = self.folder / "file.npz"
        thing.save(path)
        data = bytearray(path.read_bytes())
        way = self.pick(("torn", "flipped", "filled", "array"))
        if way == "torn":
            data = data[: int(self.random.integers(len(data)))]
        elif way == "flipped":
            data[int(self.random.integers(len(data)))] ^= int(self.random.integers(1, 256))
        elif way == "filled":
            a = int(self.random.integers(len(data)))
            data[a : a + 100] = bytes(len(data[a : a + 100]))
        else:
            with np.load(io.BytesIO(bytes(data))) as file:
                arrays = dict(file)
            name = self.pick(sorted(arrays))
            spoilt = self.pick([x for x in SPOILT if isinstance(x, (np.ndarray, float, str, complex))])
            new = io.BytesIO()
            np.savez(new, **(arrays | {name: np.asarray(spoilt)}))
            data = bytearray(new.getvalue())
        path.write_bytes(bytes(data))
        self.given = {"way": way, "kind": type(thing).__name__}
        found = load(path)
        if isinstance(found, B.State):
            B.Simulation(self.model, 1e-3, state=found).run(3)

    def quarters(self) -> None:
        if self.random.random() < 0.5:
            given: dict[str, Any] = {"speed": 0.0, "hard": False, "ground": None}
            vehicle = self.vehicle
        else:
            given = {"mass": 250.0, "wheel_inertia": 6.0, "wheel": WHEEL, "torque": 100.0, "pull": 5.0,
                     "brake": 10.0, "slope": 0.1}  # fmt: skip
            vehicle, given = QuarterVehicle(**self.spoil(given)), {}
        mechanism = vehicle.mechanism(**(self.spoil(given) if given else {}))
        B.simulate(B.compile(mechanism), 0.01, 1e-3)

    def contact(self) -> None:
        given: dict[str, Any] = {
            "wheels": [WHEEL],
            "extra_rows": 1,
            "solver": "direct",
            "law_tolerance": 1e-9,
            "max_passes": 20,
            "max_iterations": 100,
            "relaxation": 0.0,
            "grounds": None,
        }
        if self.random.random() < 0.3:
            ground = GroundContact(**self.spoil(given))
            n = ground.channels
            ground.solve(1e-3, [-0.02] * len(ground.wheels), np.eye(n) / 100, np.zeros(n), np.zeros(n))
            return
        ground = GroundContact([WHEEL], 1, grounds=self.pick((None, RUTS)))
        calls: tuple[tuple[Callable[..., Any], dict[str, Any]], ...] = (
            (ground.solve, {"step": 1e-3, "gap": [-0.02], "B": np.eye(5) / 100, "u": np.zeros(5),
                            "u_free": np.full(5, -0.01)}),
            (ground.see_ground, {"x": 0.0, "y": 0.0}),
            (ground.leave_tracks, {"step": 1e-3, "gap": [-0.02], "x": 0.0, "y": 0.0, "left": (0, 1)}),
            (ground.set_extra_row, {"index": 0, "lower": -1.0, "upper": 1.0, "e": 0.0, "bias": 0.0}),
            (ground.set_soil, {"wheel": 0, "soil": ConeIndexSoil(2e5)}),
        )  # fmt: skip
        call, arguments = self.pick(calls)
        call(**self.spoil(dict(arguments)))
        ground.solve(1e-3, [-0.02], np.eye(5) / 100, np.zeros(5), np.full(5, -0.01))

    def wheels_on_ground(self) -> None:
        twist = np.zeros((1, 6))
        situation = {"step": 1e-3, "position": [[0, 0, 0.36]], "axis": [[0, 1, 0]], "twist": twist,
                     "free_twist": twist, "mobility": np.eye(6) / 100}  # fmt: skip
        if self.random.random() < 0.3:
            given = {"wheels": [WHEEL], "terrain": RUTS, "solver": "direct", "max_passes": 20}
            WheelsOnGround(**self.spoil(given))
            return
        ground = WheelsOnGround([WHEEL], self.pick((None, RUTS)))
        calls: tuple[tuple[Callable[..., Any], dict[str, Any]], ...] = (
            (ground.solve, situation),
            (ground.restore, {"state": ground.state()}),
            (lambda **parts: ground.restore(parts), ground.state()),
            (ground.start_from, {"load": 2000.0, "step": 1e-3}),
        )
        call, given = self.pick(calls)
        call(**self.spoil(dict(given)))
        ground.solve(**situation)

    def generic(self) -> None:
        ground = WheelsOnGround([WHEEL])
        if self.random.random() < 0.2:
            GenericHost(**self.spoil({"ground": ground, "freedoms": 6, "constraints": 1}))
            return
        host = GenericHost(ground, 6, 1)
        given = {"step": 1e-3, "position": [[0, 0, 0.36]], "axis": [[0, 1, 0]], "J": np.eye(6),
                 "M": 100 * np.eye(6), "v": np.zeros(6), "v_free": np.full(6, -0.01),
                 "E": np.eye(6)[:1], "soft": np.zeros(1)}  # fmt: skip
        host.solve(**self.spoil(given))

    def descriptions(self) -> None:
        calls: tuple[tuple[Callable[..., Any], dict[str, Any]], ...] = (
            (Tyre, {"diameter": 0.762, "width": 0.2, "section_height": 0.14, "pressure": 2e5}),
            (WheelContact, {"tyre": TYRE, "soil": SOIL, "v_0": 0.1, "slip": "ratio", "damping_time": 0.0,
                            "law": "brixius", "regularisation": "implicit"}),
            (ConeIndexSoil, {"cone_index": 4e5}),
            (BekkerSoil, {"k_c": 1e3, "k_phi": 3e5, "n": 0.8, "cohesion": 1e3, "friction_angle": 0.5,
                          "shear_modulus": 0.02}),
            (WHEEL.static_compression, {"load": 2452.5}),
            (B.Schedule, {"points": ((0.0, 0.0), (1.0, 1.0)), "hold": False}),
        )  # fmt: skip
        call, given = self.pick(calls)
        call(**self.spoil(dict(given)))

    # results of calls ----------------------------------------------------------------------
    def call(self) -> str:
        """Do one call; return the fault of the library, or an empty text."""
        target, self.given = self.pick(self.targets), {}
        try:
            target()
        except Exception as error:
            wrong = unlike_ours(error)
            if wrong:
                given = {k: shown(v) for k, v in self.given.items()}
                return (
                    f"{target.__name__}: {wrong}: {type(error).__name__}: {shown(str(error))} | {given}"
                )
        return ""


def unlike_ours(error: Exception) -> str:
    """Reason why an exception is not one that the library raises on purpose; empty text if it is."""
    if not isinstance(error, OURS):
        return "kind"
    frame = traceback.extract_tb(error.__traceback__)[-1]
    line = linecache.getline(frame.filename, frame.lineno or 0).strip()
    if isinstance(error, FileNotFoundError):
        return ""
    if not frame.filename.startswith(HOME) or not line.startswith("raise"):
        return f"not raised by us ({Path(frame.filename).name}:{frame.lineno})"
    return "" if str(error) and "\n" not in str(error) else "no sentence"


def main(seed: int, calls: int) -> None:
    """Do the wanted number of calls and print the faults."""
    warnings.simplefilter("ignore")
    fuzzer = Fuzzer(seed)
    for k in range(calls):
        wrong = fuzzer.call()
        if wrong:
            print(f"{k}: {wrong}", flush=True)
    print("done", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
