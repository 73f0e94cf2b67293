"""``to_mjcf(model)``: a mechanism as a MuJoCo model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlcp.neighbours import need
from mlcp.writing import write_text

from .. import checks
from ..checks import checked
from ..forces.base import Force
from ..hydraulics.circuit import Circuit
from ..joints import Bushing, ConstantVelocity, Coupling
from ..model import Model
from .contacts import rigid, wheel
from .couplings import coupling_or_force
from .document import Document
from .drives import Drives
from .dynamics import TreeDynamics
from .geometry import Geometry, text
from .loops import bushing, close_loop, weld_half
from .nodes import nodes_of
from .spanning import span


@dataclass(frozen=True)
class Mjcf:
    """A mechanism in MuJoCo's format.

    Attributes:
        xml: the document.
        notes: one sentence for each element that MuJoCo models differently or not at all.
        drives: time-dependent values that MJCF cannot describe (engine tables, schedules, gear shifts,
            tabulated dampers, drag); :meth:`driver` applies them.
        inputs: initial values of the named inputs [unit of the signal].
    """

    xml: str
    notes: tuple[str, ...]
    drives: tuple[Any, ...]
    inputs: dict[str, float]

    def __str__(self) -> str:
        return self.xml

    @checked
    def save(self, path: str | Path) -> None:
        """Write the XML to a file."""
        write_text(path, self.xml)

    def load(self) -> tuple[Any, Any]:
        """``(MjModel, MjData)`` in the initial state (needs MuJoCo).

        Raises:
            ModuleNotFoundError: MuJoCo is not installed; the message names the command to install it.
        """
        mujoco = need("mujoco", "Mjcf.load", "mujoco")
        m = mujoco.MjModel.from_xml_string(self.xml)
        d = mujoco.MjData(m)
        mujoco.mj_resetDataKeyframe(m, d, 0)
        mujoco.mj_forward(m, d)
        return m, d

    def driver(self, mujoco_model: Any) -> Drives:
        """Function that applies all drives; call it with the MjData before every ``mj_step``. Without
        drives it has no effect."""
        return Drives(mujoco_model, self.drives, self.inputs)


@checked
def to_mjcf(
    model: Model,
    *,
    step: float = 1e-3,
    impedance: float = 0.9999,
    time_constant: float | None = None,
    **options: str,
) -> Mjcf:
    """Export a model, in its initial state, to MuJoCo.

    The tree of bodies is the spanning tree whose remaining joints, which close the loops, need the
    fewest constraint rows. A loop-closing ball joint becomes a ``connect``, a fixed joint a ``weld``, a
    hinge two ``connect``, a rod a tendon of constant length; for any other loop-closing joint one of its
    bodies is split into two welded halves. Gears become joint equalities, differentials tendon
    equalities; springs and dampers become stiffness and damping of joints and tendons (a spring table
    one tendon per kink). Brakes and clutches become dry friction; bushings, torques, engines and speed
    motors become actuators, position motors equalities. Wheels become thin ellipsoids on a hard ground,
    with our tyre's stiffness and damping. Names are unchanged.

    Arguments:
        model: compiled mechanism.
        step: MuJoCo's time step [s].
        impedance: impedance of equality constraints and stops, at most 0.9999; stiffer towards 1.
        time_constant: time constant of equality constraints and stops [s]; default: two steps, the least
            that MuJoCo allows.
        options: attributes of MJCF's ``option``, e.g. ``integrator="RK4"``.

    Returns:
        :class:`Mjcf`: XML, notes and drives. Only ``load()`` needs an installed MuJoCo.

    Raises:
        MechanismError: elements that MuJoCo cannot model: soil; oil; a coupling in which the length of a
            spring is added to other coordinates.
    """
    who = "to_mjcf"
    for circuit in (e for e in model.mechanism.elements if isinstance(e, Circuit)):
        raise checks.MechanismError(
            f"{who}: hydraulic circuit {circuit.name!r} has no counterpart in MuJoCo; leave it "
            "out, and drive its joints by motors"
        )
    step = checks.number(who, "step [s]", step, 0.0, open_low=True)
    impedance = checks.number(who, "impedance", impedance, 1e-4, 0.9999)
    tau = 2.0 * step if time_constant is None else time_constant
    checks.number(who, "time_constant [s]", tau, 0.0, open_low=True)
    geometry = Geometry(model)
    mechanism = model.mechanism
    tree = span(model, geometry)
    nodes, halves = nodes_of(model, geometry, tree)
    document = Document(mechanism.name, nodes, geometry)
    dynamics = TreeDynamics(nodes, geometry)
    for second, original in tree.repeats:
        document.notes.append(f"{second.who}: left out, it repeats {original.name!r} on the same axis.")
    for joint in tree.loops:
        if joint.name in halves:
            weld_half(document, joint.name, *halves[joint.name])
        else:
            close_loop(document, joint)
    for joint in model.joint_order:
        if isinstance(joint, ConstantVelocity):
            name = joint.name
            document.equal("joint", f"{name} bend", f"{name}.1", f"{name}.3", 1.0)
    for element in mechanism.elements:
        if isinstance(element, Bushing):
            bushing(document, element)
        elif isinstance(element, Coupling | Force):
            coupling_or_force(document, element)
    for each in mechanism.wheels:
        wheel(document, each, dynamics, step)
    for each in mechanism.contacts:
        rigid(document, each)
    document.harden(text((tau, 1.0)), text((impedance, impedance, 1e-3)))
    settings = {
        "timestep": text(step),
        "gravity": text(mechanism.gravity.acceleration),
        "integrator": "implicitfast",
        "solver": "Newton",
        "cone": "elliptic",
        "impratio": "1000",
        "jacobian": "dense",
        "tolerance": "1e-10",
    } | options
    if document.drives:
        document.notes.append(
            f"{len(document.drives)} signals, tables or gears change during a "
            "run: call driver(data) before every step."
        )
    return Mjcf(
        document.write(settings, dynamics.speeds),
        tuple(document.notes),
        tuple(document.drives),
        dict(mechanism.inputs),
    )
