"""Machine from a user's file: any mechanism or vehicle of ``bodies``, with its inputs as signals."""

from __future__ import annotations

import dataclasses
import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mlcp.checks import shown

from .block import parameter
from .bus import Bus, Signal
from .catalogue import register
from .errors import RigError
from .panels.displays import Gauge
from .panels.lever import Lever
from .panels.panel import FOLDER, Panel, shipped
from .port import Port
from .posed import Posed, limits_of

Array = NDArray[np.float64]
TIMEOUT = 0.2  # [s] age of an input's value beyond which the input gets its safe value
#: Categories replaced by the machine.
REPLACED = ("linkage", "chassis", "implement")
STEP, STRESS_STEP = 1e-3, 5e-3  # largest steps of the solve by default [s]
LEAST_STEP = 1e-6  # least permitted step [s]
SAFE = {"brake": 1.0}
#: Inputs whose levers get the keys for driving and for steering; other inputs get further keys.
DRIVING, STEERING = ("throttle", "drive"), ("steering",)
#: Inputs of left and right tracks or wheels: (axis of the gamepad, number of the on-screen stick).
SIDES = {"left": (1, 0), "right": (3, 1)}
KEYS = (("s", "w"), ("d", "a"), ("k", "i"), ("l", "j"), ("f", "r"), ("h", "y"), ("v", "b"), ("n", "m"))
RETURN, MOST = (
    6.0,
    28.0,
)  # rate of return of a released lever [1/s]; full scale of a pressure gauge [MPa]
DEGREES = 57.29577951308232


@register
@dataclass
class Machine(Posed):
    """Mechanism or vehicle from its file; every input is a signal, with ``_`` for spaces in its name.

    A run starts in static equilibrium, with brakes on: a mechanism near the pose of its file, a vehicle
    moved and turned by position and heading of the start values. Inputs are constant over a tick. The
    signals "position", "attitude" and "velocity" describe the reference body: "frame", or else the
    first body.

    Arguments:
        file: file of a mechanism or vehicle, or the name of a shipped vehicle.
        text: contents of the file; "": read from the file. Files of rigs include this text.
        step: largest step of the solve [s]; a tick is divided into equal steps. 0: 1 ms, or 5 ms without
            hydraulics under Wong and Reece's law, which takes ten times the computing time of others;
            ``posed.STRESS_LIMITS`` then limit each solve; ``Run.missed`` counts steps that need more.

    Raises:
        RigError: a file of another kind, or an input with the name of one of the machine's signals.
    """

    category: ClassVar[str] = "machine"
    name: ClassVar[str] = "described"
    about: ClassVar[str] = "any mechanism or vehicle of bodies, from its file"
    keeps: ClassVar[tuple[str, ...]] = ("given",)
    file: str = "skid_steer"
    text: str = ""
    step: float = parameter(0.0, "s", "of the solve; 0: by the wheels' law", low=0.0, high=0.1)

    def __post_init__(self) -> None:
        try:
            if not self.text:
                self.text = _text_of(self.file)
            self.found: Any = _read(self.text, self.file)
            mechanism = self.found if self.fixed else self.found.mechanism()
        except OSError as error:
            raise RigError(f"{self.title}: {self.file}: {error.strerror}") from None
        except ValueError as error:
            raise RigError(f"{self.title}: {error}") from None
        self._mechanism: Any = mechanism
        own = (name for name in mechanism.inputs if name not in self.sides)
        self._names: dict[str, str] = {}
        for name in own:
            if (signal := re.sub(r"\W+", "_", name)) in self._names:
                both = f"{self._names[signal]!r} and {name!r}"
                raise RigError(f"{self.title}: inputs {both} have the same signal {signal!r}")
            self._names[signal] = name
        self._whole: set[str] = {
            getattr(e, field) for e in mechanism.elements for field in getattr(e, "whole_signals", ())
        }
        circuits = [e for e in mechanism.elements if hasattr(e, "branches")]
        self._circuits: list[Any] = [c for e in circuits if (c := e.with_oil) is not None]
        self.cylinders: list[str] = [b.cylinder.name for c in self._circuits for b in c.branches]
        bodies = [body.name for body in mechanism.bodies]
        self.reference: str = "frame" if "frame" in bodies else bodies[0]
        for name in self._names:
            if name in self.outputs:
                raise RigError(f"{self.title}: input {name!r} has the name of a signal of the machine")
        super().__post_init__()
        if 0.0 < self.step < LEAST_STEP:
            raise RigError(
                f"{self.title}: step = {self.step:g} s must be 0 or at least {LEAST_STEP:g} s"
            )

    @property
    def fixed(self) -> bool:
        """True for a mechanism, which stays in its place; False for a vehicle."""
        return not hasattr(self.found, "parts")

    @property
    def sides(self) -> tuple[str, ...]:
        """Inputs of the mechanism that a subclass sets itself; none here."""
        return ()

    @property
    def inputs(self) -> Mapping[str, Port]:
        """Ports of the mechanism's inputs, a signal each."""
        ports = {}
        for name, original in self._names.items():
            start = float(self._mechanism.inputs[original])
            low, high = range_of(self._mechanism, original)
            ports[name] = Port("", (), start, min(low, start), max(high, start), f"input {original!r}")
        return ports

    @property
    def outputs(self) -> Mapping[str, Port]:
        """Ports of the reference body's motion, and of the cylinders' extensions and pressures."""
        ports = {
            "position": Port("m", (3,), about="reference body, world axes"),
            "attitude": Port("rad", (3,), about="roll, pitch, yaw of the reference body"),
            "velocity": Port("m/s", (3,), about="of the reference body, its axes"),
            "yaw_rate": Port("rad/s", about="of the reference body about z"),
        }
        if n := len(self.cylinders):
            names = ", ".join(self.cylinders)
            ports["cylinder_extension"] = Port("m", (n,), about=names)
            ports["cylinder_pressure"] = Port("Pa", (2 * n,), about=f"head and rod side of {names}")
            ports["pump_pressure"] = Port("Pa", (len(self._circuits),), about="of the pumps' lines")
        return ports

    def extend(self, bus: Bus) -> Bus:
        """Table of signals: the machine's signals replace those of the ``REPLACED`` categories."""
        dropped = set(bus.reads["linkage"])
        kept = {n: s for n, s in bus.signals.items() if s.by not in REPLACED and n not in dropped}
        for name in self._names:
            port = self.inputs[name]
            safe = SAFE.get(name, float(np.ravel(port.start)[0]))
            kept[name] = Signal(name, port, "operator", True, TIMEOUT, safe)
        kept |= {name: Signal(name, port, self.category) for name, port in self.outputs.items()}
        reads = {c: names for c, names in bus.reads.items() if c not in REPLACED}
        reads[self.category] = tuple(self.inputs)
        order = tuple(c for c in bus.order if c not in REPLACED)
        return Bus(kept, reads, order, bus.about)

    def panel(self) -> Panel:
        """Panel of an unchanged shipped machine, from ``rig/panels``; else a panel with levers of all
        inputs and gauges of pressures, with wheels also of speed, roll and pitch.
        """
        name = self.found.name
        if (FOLDER / f"{name}.toml").exists() and self.text == _shipped_text(name):
            return shipped(name)
        keys, levers = iter(KEYS), []
        driving = next((name for name in DRIVING if name in self._names), "")
        for name in self._names:
            port = self.inputs[name]
            start = float(np.ravel(port.start)[0])
            low, high = max(port.low, min(-1.0, start)), min(port.high, max(1.0, start))
            given: dict[str, Any] = {"keys": next(keys, ()), "back": RETURN}
            if name == driving:
                given |= {"keys": ("ArrowDown", "ArrowUp"), "buttons": (6, 7)}
            elif name in STEERING:
                given |= {"keys": ("ArrowRight", "ArrowLeft"), "pad": (0, -1.0)}
                given |= {"stick": (0, 0), "ends": ("left", "right")}
            elif name in SIDES:
                axis, stick = SIDES[name]
                given |= {"pad": (axis, -1.0), "stick": (stick, 1), "ends": ("forwards", "back")}
            elif name == "gear":
                given |= {"back": 0.0, "step": 1.0}
                low, high = port.low, port.high
            label = self._names[name].replace("_", " ")
            levers.append(Lever(name, label, low, high, **given))
        gauges = []
        if self._mechanism.wheels:
            gauges = [
                Gauge("velocity", "speed", unit="km/h", factor=3.6),
                Gauge("attitude", "roll", unit="°", factor=DEGREES),
                Gauge("attitude", "pitch", 1, "°", DEGREES),
            ]
        bar: dict[str, Any] = {"unit": "MPa", "factor": 1e-6, "low": 0.0, "high": MOST}
        for k, circuit in enumerate(self._circuits):
            gauges.append(Gauge("pump_pressure", circuit.name, k, **bar))
        for k, name in enumerate(self.cylinders):
            gauges += [
                Gauge("cylinder_pressure", f"{name} {side}", 2 * k + i, **bar)
                for i, side in enumerate(("head", "rod"))
            ]
        return Panel(tuple(levers), tuple(gauges))

    def described(self) -> Any:
        """Mechanism in its initial pose."""
        if self.fixed:
            return self.found
        place, yaw = self.output("position"), float(self.output("attitude")[2])
        terrain = self.site.terrain
        x, y, *z = self.found.origin  # without z the wheels stand on the ground
        x, y = x + float(place[0]), y + float(place[1])
        height = 0.0 if terrain is None else float(terrain.height(x, y))
        origin = (x, y, *(v + height for v in z))
        car = dataclasses.replace(self.found, origin=origin, heading=self.found.heading + yaw)
        return car.mechanism(ground=terrain)

    def begin(self) -> None:
        """Start in static equilibrium."""
        from bodies import Simulation, compile, equilibrium

        limits = limits_of(self._mechanism)
        step = self.step or (STEP if limits is None or self._circuits else STRESS_STEP)
        self._count = max(1, math.ceil(self.site.tick / step * (1.0 - 1e-9)))
        self.given: Array = np.full(len(self._names), np.nan)
        self._yaw = float(self.output("attitude")[2])
        model = compile(self.described())
        braked = {name: SAFE[name] for name in self._mechanism.inputs if name in SAFE}
        state = equilibrium(model, inputs=braked) if braked else equilibrium(model)
        self.sim: Any = Simulation(model, self.site.tick / self._count, state=state, contact=limits)
        self._publish()

    def advance(self, time: float, h: float) -> None:
        """Advance the simulation by one tick with the inputs' present values."""
        for k, name in enumerate(self._names.values()):
            if self.u[k] != self.given[k]:  # keep the gear that an automatic gearbox has set itself
                value = float(self.u[k])
                self.sim.set_input(name, round(value) if name in self._whole else value)
        self.given[:] = self.u[: len(self.given)]
        self.sim.run(self._count)
        self._publish()

    def _publish(self) -> None:
        from bodies.frames import quaternion_matrix

        sim, name = self.sim, self.reference
        turned = quaternion_matrix(sim.quaternion(name))
        yaw = math.atan2(turned[1, 0], turned[0, 0])
        self._yaw += math.remainder(yaw - self._yaw, 2.0 * math.pi)
        self.output("position")[:] = sim.position(name)
        pitch = -math.asin(max(-1.0, min(1.0, float(turned[2, 0]))))
        self.output("attitude")[:] = math.atan2(turned[2, 1], turned[2, 2]), pitch, self._yaw
        self.output("velocity")[:] = turned.T @ sim.velocity(name)
        self.output("yaw_rate")[0] = sim.angular_velocity(name)[2]
        if self.cylinders:
            oil = sim.hydraulics
            self.output("cylinder_extension")[:] = oil.extensions
            self.output("cylinder_pressure")[:] = oil.pressures.ravel()
            self.output("pump_pressure")[:] = oil.pump[: len(self._circuits)]

    def state(self) -> dict[str, Array]:
        return super().state() | {"yaw": np.array([self._yaw])}

    def restore(self, state: Any) -> None:
        super().restore(state)
        self._yaw = float(state["yaw"][0])


def _text_of(file: str) -> str:
    """Contents of a file, or of the file of a shipped vehicle."""
    from bodies import vehicle

    if not isinstance(file, str):
        raise RigError(f"file = {shown(file)} must be the name of a file or of a shipped vehicle")
    path = Path(file)
    if not path.suffix and not path.exists():
        path = vehicle.path_of(file)
    return path.read_text(encoding="utf-8")


def _read(text: str, file: str) -> Any:
    """Mechanism or vehicle from the contents of its file."""
    from bodies import vehicle
    from bodies.files import mechanism_from_toml

    table = tomllib.loads(text)
    if "panel" in table:
        raise RigError(
            f"{file}: [panel] belongs in the file of a rig, with [machine], block = 'described' and "
            f"file = {file!r}"
        )
    if is_mechanism(table):
        return mechanism_from_toml(text, file)
    return vehicle.from_toml(text, file, Path(file).parent)


def is_mechanism(table: Mapping[str, Any]) -> bool:
    """Whether a file describes a mechanism: its table has bodies, but no tyre and no base vehicle."""
    return "body" in table and not {"tyre", "base"} & set(table)


def range_of(mechanism: Any, name: str) -> tuple[float, float]:
    """Intersection of the ranges of an input in the elements that it controls; unbounded if none."""
    low, high = -math.inf, math.inf
    for element in mechanism.elements:
        ranges = dict(getattr(element, "signal_ranges", {}))
        found = [bounds for field, bounds in ranges.items() if getattr(element, field) == name]
        branches = getattr(element, "branches", ())
        found += [(-1.0, 1.0) for branch in branches if branch.valve.command == name]
        for least, most in found:
            low, high = max(low, least), min(high, most)
    return low, high


def _shipped_text(name: str) -> str:
    """Contents of a shipped vehicle's file; "": there is none of this name."""
    from bodies import vehicle

    return vehicle.path_of(name).read_text(encoding="utf-8") if name in vehicle.shipped() else ""
