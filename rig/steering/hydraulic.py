"""Hydraulic steering: spool valve, double-rod cylinder, steered wheels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mlcp import renamed

from ..block import Block, parameter
from ..catalogue import register
from ..errors import RigError, known

#: Integration of the oil: implicit methods, and explicit ones of fixed step.
METHODS = ("auto", "backward", "centred", "ode1", "ode2", "ode3", "ode4", "ode5")
CHUNK = 5e-3  # longest time between two updates of the wheels' aligning moment [s]


@renamed.attributes(way="integration")
@renamed.arguments(way="integration")
@register
@dataclass
class Hydraulic(Block):
    """Steering by a valve and a cylinder, against inertia and aligning moment of the wheels:

        I d2(delta)/dt2 = r (P_l - P_r) A - b r^2 d(delta)/dt - M tanh(k delta/M)

    delta: steer angle [rad], P_l, P_r: pressures of both sides of the piston [Pa], A: its area [m^2].
    The circuit is one of ``bodies.hydraulics``, with constant supply pressure, without compensator: the
    steering rate falls with the load. Beyond the largest angle only openings towards the middle act.

    Arguments:
        bore, rod: diameters of the double-rod cylinder [m].
        arm: r, moment about the kingpins over force of the rod [m].
        stroke: stroke of the piston [m].
        dead_volume: volume of each side beside the swept volume [m^3].
        supply: pressure of the priority supply [Pa].
        opening: area of a valve edge at full command [m^2]; the default gives 20 deg/s without load.
        dead_band: fraction of the command without effect [-].
        inertia: I of both wheels and knuckles about their kingpins [kg m^2].
        aligning: stiffness k of the aligning moment [N m/rad].
        slipping: M, largest aligning moment [N m].
        damping: b of the piston [N s/m].
        limit: largest steer angle [rad].
        step: largest step of the oil [s]; a tick is divided into equal steps.
        integration: "auto", "backward" or "centred": oil and mass in one implicit step; "ode1" to
            "ode5": explicit.

    Raises:
        RigError: a number out of its range, a limit beyond the stroke, an unknown integration; in a run,
            a piston that leaves its cylinder.

    Source: Karkee, Steward, Kelkar, Kemp (2010), for the circuit; the source has no equations of the
    steering valve. The numbers are estimates for a tractor of 150 kW.
    """

    category: ClassVar[str] = "steering"
    name: ClassVar[str] = "hydraulic"
    about: ClassVar[str] = "oil, valve edges and cylinder, implicit or explicit"
    keeps: ClassVar[tuple[str, ...]] = ("oil",)
    bore: float = parameter(0.05, "m", "of the piston", low=0.005, high=1.0)
    rod: float = parameter(0.032, "m", "on both sides", low=0.0, high=0.99)
    arm: float = parameter(0.17, "m", "of the rod about the kingpins", low=0.01, high=10.0)
    stroke: float = parameter(0.24, "m", "of the piston", low=0.01, high=10.0)
    dead_volume: float = parameter(3e-5, "m^3", "of each side", low=1e-8, high=1.0)
    supply: float = parameter(12e6, "Pa", "pressure", low=1e5, high=1e8)
    opening: float = parameter(9.0e-7, "m^2", "of an edge at full command", low=1e-10, high=1e-2)
    dead_band: float = parameter(0.08, "", "fraction of the command without effect", low=0.0, high=0.9)
    inertia: float = parameter(160.0, "kg m^2", "steered", low=1e-3, high=1e6)
    aligning: float = parameter(3e4, "N m/rad", "of the tyres", low=0.0, high=1e7)
    slipping: float = parameter(1e3, "N m", "largest aligning moment", low=1e-3, high=1e7)
    damping: float = parameter(2e4, "N s/m", "of the piston", low=0.0, high=1e8)
    limit: float = parameter(0.6632251157578453, "rad", "largest angle", low=0.0, high=1.5)
    step: float = parameter(1e-3, "s", "of the oil", low=1e-7, high=1.0)
    integration: str = "auto"

    def __post_init__(self) -> None:
        super().__post_init__()
        known(f"{self.title}: unknown integration", self.integration, METHODS)
        if self.rod >= self.bore:
            raise RigError(f"{self.title}: rod = {self.rod:g} m must be thinner than the bore")
        if self.limit * self.arm >= 0.5 * self.stroke:
            raise RigError(
                f"{self.title}: limit = {self.limit:g} rad on an arm of {self.arm:g} m is beyond half "
                f"the stroke, {0.5 * self.stroke:g} m"
            )

    @property
    def area(self) -> float:
        """Area A of the piston, equal on both sides [m^2]."""
        return 0.25 * math.pi * (self.bore**2 - self.rod**2)

    def circuit(self, angle: float = 0.0) -> Any:
        """Hydraulic circuit with the wheels at an angle [rad]; its lever is "valve"."""
        from bodies.hydraulics import Branch, Circuit, ConstantPressure, HydraulicCylinder, SpoolValve

        edges = ((self.dead_band, 0.0), (1.0, self.opening))
        cylinder = HydraulicCylinder(
            name="steering", bore=math.sqrt(4.0 * self.area / math.pi), rod=0.0, stroke=self.stroke,
            extension=0.5 * self.stroke + self.arm * angle, dead_volume=self.dead_volume,
            damping=self.damping, pressure=0.5 * self.supply,
        )  # fmt: skip
        valve = SpoolValve(command="valve", inlet=edges, outlet=edges)
        branch = Branch(valve=valve, cylinder=cylinder)
        return Circuit(
            name="steering oil", branches=(branch,), pump=ConstantPressure(pressure=self.supply)
        )

    def load(self, angle: float) -> tuple[float, float]:
        """Force of the tyres on the rod at an angle [rad]: (force [N], its slope over travel [N/m])."""
        share = math.tanh(self.aligning * angle / self.slipping)
        return -self.slipping * share / self.arm, -self.aligning * (1.0 - share**2) / self.arm**2

    def begin(self) -> None:
        """Start at rest at the rig's initial angle, with the pressures that balance the tyres."""
        from bodies.hydraulics.circuit import INTEGRATIONS
        from bodies.hydraulics.kernels.run import advance
        from bodies.hydraulics.packing import carrying, fill, fill_lines, pack
        from bodies.hydraulics.tableaux import tableau

        self._in, self._out = self.input("valve_command"), self.output("steer_angle")
        angle = float(self._out[0])
        circuit, self._explicit = self.circuit(angle), self.integration not in INTEGRATIONS

        def dress(k: int, record: Any, curves: Any) -> None:
            record.mass = self.inertia / self.arm**2
            curves.add_signal("steering", 0.0, record.load, {})

        method = self.integration if self._explicit else "ode1"
        memory = pack(circuit, {"valve": 0.0}, tableau(method), dress)
        memory.pumps.theta[:], memory.pumps.centred[:] = 0.3, INTEGRATIONS.get(self.integration, 0.0)
        fill(circuit, memory, 0, carrying(circuit, 0, self.load(angle)[0]))
        memory.solves[0].mobility = self.arm**2 / self.inertia
        fill_lines(circuit, memory)
        self._advance, self._memory, self._now = advance, memory, memory.now[0]
        branch = memory.branches[0]
        self._lever = slice(branch.command.first, branch.command.first + branch.command.count)
        self._load = slice(branch.load.first, branch.load.first + branch.load.count)
        self.oil: NDArray[np.float64] = memory.F
        self._record = np.empty((1, 6 + len(memory.lines)))

    def advance(self, time: float, h: float) -> None:
        """Advance the steering by one tick, in shorter steps of the oil."""
        memory, now, middle = self._memory, self._now, 0.5 * self.stroke
        given = float(self._in[0])
        if given * float(self._out[0]) > 0.0 and abs(self._out[0]) >= self.limit:
            given = 0.0
        memory.y[self._lever] = given
        steps = max(1, math.ceil(h / self.step * (1.0 - 1e-9)))
        chunks = min(steps, max(1, math.ceil(h / CHUNK * (1.0 - 1e-9))))
        steps = chunks * math.ceil(steps / chunks)
        clock, each, span = memory.clock, steps // chunks, h / chunks
        clock.step = h / steps
        for _ in range(chunks):
            force, slope = self.load((float(now.length) - middle) / self.arm)
            memory.x[self._load] = clock.time, clock.time + span
            memory.y[self._load] = force, force + slope * span * float(now.speed)
            if self._advance(memory.F, memory.N, self._explicit, each, each, self._record) < each:
                raise RigError(f"{self.title}: at {time:g} s its piston is outside its stroke")
        self._out[0] = (float(now.length) - middle) / self.arm
