"""Conversion of a mechanism to records of numbers, element by element.

A row is a scalar constraint; a channel is a row whose impulse has bounds; a group is the rows of one
joint or coupling.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from contact import PneumaticTrail
from contact.kernels.wheel.layout import TRAIL_ANGLES, TRAIL_LOADS
from contact.rigid import Ball, HeightField
from contact.terrain import Terrain

from .. import checks
from ..body import GROUND
from ..forces.base import Force
from ..frames import frame, quaternion_matrix
from ..joints import Coupling, Joint, Length
from ..kernels import codes
from ..kernels import records as D
from ..kernels.contacts.wheels import TERRAIN
from ..mechanism import Mechanism
from ..signals import Schedule, Signal


class Builder:
    """Integer and float records of the elements of a mechanism, in the order in which they are added."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.who: str = f"mechanism {mechanism.name!r}"
        self.body: dict[str, int] = {b.name: k for k, b in enumerate(mechanism.bodies)}
        self.nb: int = len(self.body)
        self.body[GROUND] = self.nb
        self.pose: dict[str, tuple[np.ndarray, np.ndarray]] = {
            b.name: (np.array(b.position), quaternion_matrix(b.orientation)) for b in mechanism.bodies
        } | {GROUND: (np.zeros(3), np.eye(3))}
        self.joint_records: list[tuple[Joint, list[float]]] = []
        self.groups: list[tuple[str, int, list[int]]] = []  # name, number of rows, bodies
        self.channels: list[tuple[str, int, list[int]]] = []  # name, number of channels, bodies
        self.coordinate_names: dict[str, int] = {}
        self.coordinate_ints: list[list[int]] = []
        self.coordinate_floats: list[list[float]] = []
        # coupling, whether its impulse has bounds, its index in `channels` (with bounds) or `groups`
        self.couplings: list[tuple[Coupling, bool, int]] = []
        self.forces: list[tuple[list[int], list[float]]] = []
        self.force_names: list[str] = []
        self.tables: list[np.ndarray] = []
        self.inputs: dict[str, int] = {}
        self.input_values: list[float] = []
        self.input_tables: list[tuple[int, int, int]] = []
        self.contact_records: list[tuple[list[int], list[float]]] = []
        self.wheel_records: list[tuple[list[int], list[float]]] = []
        self.points: list[tuple[int, int, int]] = []  # index in `channels`, body a, body b
        self.surfaces: list[list[int]] = []
        self.surface_numbers: list[float] = []
        self.friction: list[tuple[int, int, int, float]] = []  # index in `channels`, tangent, normal, mu
        self.cones: list[tuple[int, int, int]] = []  # index in `channels`, tangent 1, tangent 2
        self.circuits: list[Any] = []
        self.levers: list[int] = []  # input number of each cylinder's lever
        for name, value in mechanism.inputs.items():
            self.add_input(name, float(value))

    # frames and coordinates ----------------------------------------------------------------
    def frames(self, a: str, b: str, pa: Any, pb: Any, axis_a: Any, axis_b: Any) -> list[float]:
        """Joint points ``s_a, s_b`` [m] from the centres of mass, and joint frames ``F_a, F_b``, of the
        bodies a and b in their body axes, as one list."""
        (xa, Ra), (xb, Rb) = self.pose[a], self.pose[b]
        Fa = frame(axis_a)
        Fb = frame(axis_b, near=Fa)
        return [
            *(Ra.T @ (np.array(pa) - xa)),
            *(Rb.T @ (np.array(pb) - xb)),
            *(Ra.T @ Fa).ravel(),
            *(Rb.T @ Fb).ravel(),
        ]

    def add_joint(self, joint: Joint) -> None:
        """Add a joint or bushing: one node of the factorisation, and its free coordinates."""
        pb = joint.position if joint.position_b is None else joint.position_b
        axis_b = joint.axis if joint.axis_b is None else joint.axis_b
        record = self.frames(joint.body_a, joint.body_b, joint.position, pb, joint.axis, axis_b)
        bodies = [k for k in (self.body[joint.body_a], self.body[joint.body_b]) if k < self.nb]
        self.groups.append((joint.name, joint.rows, bodies))
        self.joint_records.append((joint, [*record, *joint.numbers()]))
        for kind in joint.coordinates:
            self.add_coordinate(joint, kind, record)

    def add_length(self, length: Length) -> None:
        """Add the distance of two points as a coordinate."""
        a, b, z = length.body_a, length.body_b, (0, 0, 1)
        self.add_coordinate(
            length, "length", self.frames(a, b, length.position, length.position_b, z, z)
        )

    def add_coordinate(self, owner: Joint | Length, kind: str, record: list[float]) -> None:
        """Add a scalar coordinate, named after its owner and its kind."""
        code, a, b = codes.COORDINATES.index(kind), self.body[owner.body_a], self.body[owner.body_b]
        self.coordinate_names[f"{owner.name}.{kind}"] = len(self.coordinate_ints)
        self.coordinate_ints.append([code, a, b, D.OBSERVED])
        self.coordinate_floats.append(record[:24])

    def coordinate(self, who: str, name: str) -> int:
        """Number of the coordinate ``"joint.angle"``, or ``"joint"`` of a joint with one coordinate."""
        if name in self.coordinate_names:
            return self.coordinate_names[name]
        own = [k for k in self.coordinate_names if k.rsplit(".", 1)[0] == name]
        if len(own) == 1:
            return self.coordinate_names[own[0]]
        if own:
            raise checks.MechanismError(
                f"{who}: {name!r} has several coordinates; say which: "
                + ", ".join(repr(k) for k in own)
                + "."
            )
        known = {k.rsplit(".", 1)[0] for k in self.coordinate_names} | set(self.coordinate_names)
        raise checks.UnknownName(f"{who}: joint coordinate", name, known)

    # signals and tables --------------------------------------------------------------------
    def add_input(
        self, name: str, value: float, table: int = -1, stepped: int = 0, middle: bool = False
    ) -> int:
        """Add a named input; returns its number.

        ``table``: number of the input's table over time, -1: none; ``stepped``: 1 if values are constant
        between the table's times; ``middle``: as in :meth:`signal`.
        """
        self.inputs[name] = len(self.input_values)
        self.input_values.append(value)
        self.input_tables.append((table, stepped, int(middle)))
        return self.inputs[name]

    def signal(self, who: str, label: str, signal: Signal, middle: bool = False) -> int:
        """Number of the input with the values of ``signal``: a named input, a schedule or a constant.

        ``label``: name of a new input; ``middle``: whether a schedule is evaluated in the middle of a
        step, not at the step's end.
        """
        if isinstance(signal, str):
            if signal not in self.inputs:
                raise checks.UnknownName(f"{who}: input", signal, self.mechanism.inputs)
            return self.inputs[signal]
        if isinstance(signal, Schedule):
            table = self.table(signal.points)
            return self.add_input(label, signal.points[0][1], table, int(signal.hold), middle)
        return self.add_input(label, float(signal))

    def table(self, points: Any) -> int:
        """Add a table of points; returns its number, -1 without points."""
        if not points:
            return -1
        self.tables.append(np.asarray(points, float))
        return len(self.tables) - 1

    # couplings and forces ------------------------------------------------------------------
    def term_bodies(self, coupling: Coupling) -> list[int]:
        """Numbers of the bodies, without the ground, whose relative motion a coupling's coordinates
        measure."""
        bodies: list[int] = []
        for name, _ in coupling.terms():
            _, a, b, _ = self.coordinate_ints[self.coordinate(coupling.who, name)]
            bodies += [k for k in (a, b) if k < self.nb and k not in bodies]
        if len(bodies) > 4:
            raise checks.MechanismError(
                f"{coupling.who}: it would touch {len(bodies)} moving bodies, at most 4 are "
                "possible; refer its joints to one common housing: a pinion shaft in the axle, say, "
                "which a Gear of ratio 1 turns with the shaft in the frame."
            )
        return bodies

    def add_coupling(self, coupling: Coupling) -> None:
        """Add a coupling: a bilateral row (node of the factorisation), or a channel if it is bounded."""
        to = self.channels if coupling.bounded else self.groups
        to.append((coupling.name, 1, self.term_bodies(coupling)))
        self.couplings.append((coupling, coupling.bounded, len(to) - 1))

    def coupling_record(
        self, coupling: Coupling, row: int, start: int, size: int, offset: dict[int, int], value: Any
    ) -> tuple[list[int], list[float]]:
        """Integers and floats of a coupling's record.

        ``row``: number of its row or channel; ``start``, ``size``: range of its blocks in the flat
        Jacobian; ``offset``: start of each body's block there, by body number; ``value``: function that
        returns a coordinate in the pose in which the bodies are described.
        """
        terms = [(self.coordinate(coupling.who, n), c) for n, c in coupling.terms()]
        signals = [
            self.signal(coupling.who, f"{coupling.name}.{k}", s)
            for k, s in enumerate(coupling.signals().values())
        ]
        tables = [self.table(t) for t in coupling.tables()]
        signals += [-1] * (2 - len(signals))
        tables += [-1] * (2 - len(tables))
        ints = [coupling.code, len(terms), row, *signals, *tables, start, size, self.other(coupling)]
        for c, _ in terms:
            _, a, b, _ = self.coordinate_ints[c]
            self.use(c, D.MEASURED if coupling.measured else D.USED)
            ints += [c, offset[a], offset[b]]
        coefficients = [c for _, c in terms]
        start_value = sum(c * value(k) for k, c in terms)
        ints += [0] * (D.CouplingRecord.INTS - len(ints))
        floats = [*coefficients, *[0.0] * (3 - len(terms)), start_value, *coupling.numbers()]
        return ints, floats + [0.0] * (D.CouplingRecord.FLOATS - len(floats))

    def other(self, coupling: Coupling) -> int:
        """Number of the coupling whose impulse sets the bound of ``coupling`` (the differential of a
        limited slip); -1: none."""
        name, kind = coupling.reads()
        if not name:
            return -1
        known = {c.name: k for k, (c, _, _) in enumerate(self.couplings) if isinstance(c, kind)}
        checks.need_known(f"{coupling.who}: {kind.__name__.lower()}", name, known)
        return known[name]

    def start_value(self, coordinate: int) -> float:
        """Value of a coordinate in the pose of the description."""
        code, a, b, _ = self.coordinate_ints[coordinate]
        record = self.coordinate_floats[coordinate]
        names = [*(x.name for x in self.mechanism.bodies), GROUND]
        (xa, Ra), (xb, Rb) = self.pose[names[a]], self.pose[names[b]]
        d = xb + Rb @ record[3:6] - xa - Ra @ record[0:3]
        Fa, Fb = Ra @ np.reshape(record[6:15], (3, 3)), Rb @ np.reshape(record[15:24], (3, 3))
        if code == codes.ANGLE:
            u, w, n = Fa[:, 0], Fb[:, 0], Fa[:, 2]
            return float(np.arctan2(n @ np.cross(u, w), u @ w))
        return float(Fa[:, 2] @ d) if code == codes.TRANSLATION else float(np.linalg.norm(d))

    def add_force(self, force: Force) -> None:
        """Add an explicit force element."""
        self.force_names.append(force.name)
        joint = getattr(force, "joint", None)
        if joint is None:
            body = getattr(force, "body", "")
            target, numbers = self.body[body], force.numbers(*self.pose[body])
        else:
            target, numbers = self.coordinate(force.who, joint), ()
            self.use(target, D.USED)
        signals = force.signals().items()
        inputs = [
            self.signal(force.who, f"{force.name}.{key}", signal, middle=True) for key, signal in signals
        ]
        self.forces.append(([force.kind, target, *(inputs or [0])], list(numbers)))

    def use(self, coordinate: int, use: int) -> None:
        """Mark how a coordinate is used, if the mark becomes higher: OBSERVED (output only), USED (in
        rows or forces) or MEASURED (in position errors)."""
        ints = self.coordinate_ints[coordinate]
        ints[3] = max(ints[3], use)

    # contacts and wheels -------------------------------------------------------------------
    def surface(self, surface: Any, owner: str) -> int:
        """Add a surface in the axes of the body ``owner``; returns its number."""
        x, R = self.pose[owner]
        start, nx, ny = len(self.surface_numbers), 0, 0
        if isinstance(surface, Terrain):
            numbers, rows, columns = surface.record()
            self.surface_numbers += numbers.tolist()
            self.surfaces.append([TERRAIN + surface.number, start, rows, columns])
            return len(self.surfaces) - 1
        if isinstance(surface, HeightField):
            z = np.asarray(surface.heights)
            nx, ny = z.shape
            along, across = (np.abs(np.diff(z, axis=k)).max() / surface.spacing[k] for k in range(2))
            numbers = [*surface.origin, *surface.spacing, *z.ravel(), np.hypot(along, across)]
        elif isinstance(surface, Ball):
            numbers = [*(R.T @ (np.array(surface.centre) - x)), surface.radius, 0.0, 0.0]
        else:
            numbers = [*(R.T @ (np.array(surface.point) - x)), *(R.T @ np.array(surface.normal))]
        self.surface_numbers += [float(k) for k in numbers]
        self.surfaces.append([surface.code, start, nx, ny])
        return len(self.surfaces) - 1

    def add_wheel(self, wheel: Any) -> None:
        """Add the channels of a wheel: normal, longitudinal, lateral, velocity of the centre.

        The fourth channel carries the rolling resistance. It is left out if no wheel is on soil and this
        wheel has no rolling resistance.
        """
        x, R = self.pose[wheel.body]
        body, group = self.body[wheel.body], len(self.channels)
        soft = any(other.soil for other in self.mechanism.wheels)
        coefficients = [wheel.friction, wheel.friction]
        if soft or wheel.rolling > 0.0:
            coefficients.append(wheel.rolling)
        self.channels.append((wheel.name, 1 + len(coefficients), [body]))
        for row, coefficient in enumerate(coefficients, 1):
            self.friction.append((group, row, 0, coefficient))
        cone = wheel.soil is None and wheel.combined == "sliding"
        if cone:
            self.cones.append((group, 1, 2))
        tyre = np.zeros(6)
        trail = None if wheel.soil is None else wheel.soil.trail
        if wheel.soil is not None:
            give = 1.0 / wheel.soil.tyre.stiffness
            tyre[:2] = give, wheel.soil.rolling_share * give
        lengths = np.zeros(TRAIL_ANGLES * TRAIL_LOADS)
        if isinstance(trail, PneumaticTrail):
            tyre[2:4] = trail.share, np.tan(trail.angle)
        elif trail is not None and wheel.soil is not None:
            there = wheel.soil
            *tyre[3:], lengths = trail.table(there.lateral, there.tyre, there.lateral_ground)
        how = 0 if trail is None else 1 if isinstance(trail, PneumaticTrail) else 2
        self.wheel_records.append(
            (
                [body, self.surface(wheel.ground, GROUND), group, how],
                [
                    *(R.T @ (np.array(wheel.centre) - x)),
                    *(R.T @ np.array(wheel.spin_axis)),
                    wheel.radius,
                    wheel.width,
                    wheel.friction,
                    wheel.rolling,
                    wheel.stiffness,
                    wheel.damping,
                    wheel.gamma if wheel.lateral == "slip angle" else 0.0,
                    float(cone),
                    *tyre,
                    *lengths.ravel(),
                ],
            )
        )

    def add_contact(self, contact: Any) -> None:
        """Add three channels for each contact point of a rigid contact: normal and two tangents."""
        (x, R), a, b = self.pose[contact.body], self.body[contact.body], self.body[contact.body_b]
        centre = (
            x
            if contact.position is None
            else np.array(checks.vector(f"contact {contact.name!r}", "position", contact.position))
        )
        first, group = len(self.points), len(self.channels)
        cone = int(contact.friction_model == "cone")
        for k in range(contact.shape.points):
            name = contact.name if contact.shape.points == 1 else f"{contact.name}.{k}"
            self.channels.append((name, 3, [i for i in (a, b) if i < self.nb]))
            self.points.append((group + k, a, b))
            self.friction += [(group + k, 1, 0, contact.friction), (group + k, 2, 0, contact.friction)]
            if cone:
                self.cones.append((group + k, 1, 2))
        self.contact_records.append(
            (
                [
                    contact.shape.code,
                    a,
                    b,
                    self.surface(contact.surface, contact.body_b),
                    contact.shape.points,
                    group,
                    first,
                    cone,
                ],
                [
                    *(R.T @ (centre - x)),
                    *np.eye(3).ravel(),
                    *contact.shape.size,
                    contact.friction,
                    contact.restitution,
                ],
            )
        )
