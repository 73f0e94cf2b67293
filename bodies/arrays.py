"""What a builder has collected, as the flat arrays of a model."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlcp.kkt import Structure

from .builder import Builder
from .kernels import codes
from .kernels import layout as L
from .kernels import records as D
from .places import make_friction
from .zeros import jac_zeros, mass_zeros

#: Settings of a run that are not chosen otherwise.
SETTINGS = {
    L.STEP: 1e-3,
    L.TOLERANCE: 1e-7,
    L.PROJECTIONS: 3,
    L.RECOVERY: 0.2,
    L.BOUNCE_SPEED: 0.01,
    L.FRICTION_TOLERANCE: 1e-9,
    L.SOLVER_TOLERANCE: 1e-10,
}


class Arrays:
    """All arrays but those of wheels on soil and of the elimination order.

    Attributes:
        structure: the graph handed to the factorisation.
        places: per node of it: body number -> start of its Jacobian block; the ground's is a dummy.
        floats, ints: the arrays by their numbers in ``kernels/layout``.
    """

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.nodes: list[tuple[str, int, list[int]]] = [*builder.groups, *builder.channels]
        self.structure: Any = Structure(
            builder.nb,
            tuple((r, tuple(b)) for _, r, b in builder.groups),
            tuple((r, tuple(b)) for _, r, b in builder.channels),
            mass_zeros(builder),
            jac_zeros(builder),
        )
        self.starts: list[int] = self.structure.jac_offset[:-1].tolist()
        ground = {builder.nb: self.structure.jac_size}
        self.places: Any = [
            {b: start + 6 * rows * k for k, b in enumerate(bodies)} | ground
            for start, (_, rows, bodies) in zip(self.starts, self.nodes, strict=True)
        ]
        self.floats: list[Any] = [np.zeros(0)] * L.N_FLOATS
        self.ints: list[Any] = [np.zeros(0, int)] * L.N_INTS
        self._joints()
        self._couplings()
        self._forces_and_inputs()
        self._bodies()
        self._counts()
        self._room()
        self._contacts()

    def _joints(self) -> None:
        """Joints, and which rows are of angles."""
        builder, structure = self.builder, self.structure
        found, angular = [], np.zeros(structure.rows, int)
        for g, (joint, _) in enumerate(builder.joint_records):
            a, b = builder.body[joint.body_a], builder.body[joint.body_b]
            row = int(structure.row_offset[g])
            found.append([joint.kind, a, b, self.places[g][a], self.places[g][b], row])
            angular[row + joint.linear_rows : row + joint.rows] = 1
        self.ints[L.JOINT_I], self.ints[L.ROW_ANGULAR_I] = _flat(found, int), angular
        self.floats[L.JOINT_DATA] = _padded([r for _, r in builder.joint_records], D.Joint.FLOATS)

    def _couplings(self) -> None:
        """Couplings, whose signals and tables join those of the others, and their coordinates."""
        builder, structure = self.builder, self.structure
        ints, floats = [], []
        for coupling, bounded, k in builder.couplings:
            g = len(builder.groups) + k if bounded else k
            row = int(structure.channel_offset[k] if bounded else structure.row_offset[k])
            start, end = (int(at) for at in structure.jac_offset[g : g + 2])
            record = builder.coupling_record(
                coupling, row, start, end - start, self.places[g], builder.start_value
            )
            ints.append(record[0])
            floats.append(record[1])
            if not bounded and builder.coordinate_ints[record[0][9]][0] == codes.ANGLE:
                self.ints[L.ROW_ANGULAR_I][row] = 1
        self.ints[L.COUPLING_I] = _flat(ints, int)
        self.floats[L.COUPLING_DATA] = _flat(floats, float)
        self.ints[L.COORDINATE_I] = _flat(builder.coordinate_ints, int)
        self.floats[L.COORDINATE_DATA] = _flat(builder.coordinate_floats, float)
        values = [builder.start_value(k) for k in range(len(builder.coordinate_ints))]
        self.floats[L.COORDINATE] = np.array(values)

    def _forces_and_inputs(self) -> None:
        """Forces, inputs, and the tables of all elements."""
        builder, floats, ints = self.builder, self.floats, self.ints
        ints[L.FORCE_I] = _flat([f for f, _ in builder.forces], int)
        floats[L.FORCE_DATA] = _padded([f for _, f in builder.forces], D.Force.FLOATS)
        floats[L.INPUT] = np.array(builder.input_values)
        ints[L.INPUT_TABLE_I] = _flat(builder.input_tables, int)
        sizes = [len(t) for t in builder.tables]
        ints[L.TABLE_I] = _flat(list(zip(np.cumsum([0, *sizes])[:-1], sizes, strict=True)), int)
        table = np.concatenate([*builder.tables, np.zeros((1, 2))])
        floats[L.TABLE_X], floats[L.TABLE_Y] = table[:, 0], table[:, 1]

    def _bodies(self) -> None:
        """Masses, described poses and velocities, gravity and settings; the ground is the last body."""
        builder, floats = self.builder, self.floats
        nb, bodies = builder.nb, builder.mechanism.bodies
        scalar = np.zeros(D.Clock.FLOATS)
        scalar[list(SETTINGS)] = list(SETTINGS.values())
        scalar[L.GX : L.GX + 3] = builder.mechanism.gravity.acceleration
        floats[L.SCALAR] = scalar
        floats[L.POSITION] = np.array([*(b.position for b in bodies), (0, 0, 0)], float)
        floats[L.QUATERNION] = np.array([*(b.orientation for b in bodies), (1, 0, 0, 0)], float)
        twists = [*(b.velocity + b.angular_velocity for b in bodies), (0,) * 6]
        floats[L.VELOCITY] = np.array(twists, float)
        floats[L.POSITION_START] = floats[L.POSITION].copy()
        floats[L.QUATERNION_START] = floats[L.QUATERNION].copy()
        floats[L.MASS] = np.array([b.mass for b in bodies])
        floats[L.INERTIA] = np.array([b.inertia for b in bodies])
        mass = np.zeros((nb, 6, 6))
        mass[:, [0, 1, 2], [0, 1, 2]] = floats[L.MASS][:, None]
        floats[L.MASS_BLOCK] = mass
        floats[L.ROTATION] = np.tile(np.eye(3).ravel(), nb + 1)
        joined = {body for _, _, bodies_of in builder.groups for body in bodies_of}
        self.ints[L.BODY_FREE_I] = np.array([k not in joined for k in range(nb)], dtype=int)

    def _counts(self) -> None:
        """How many there are of everything, and the nodes of the factorisation."""
        builder, count = self.builder, np.zeros(D.Count.INTS, int)
        for key, items in (
            (L.JOINTS, builder.joint_records),
            (L.COORDINATES, builder.coordinate_ints),
            (L.COUPLINGS, builder.couplings),
            (L.FORCES, builder.forces),
            (L.INPUTS, builder.input_values),
            (L.GROUPS, self.nodes),
            (L.CONTACTS, builder.contact_records),
            (L.WHEELS, builder.wheel_records),
        ):
            count[key] = len(items)
        count[L.BODIES] = builder.nb
        count[L.ROWS], count[L.CHANNELS] = self.structure.rows, self.structure.channel_rows
        self.ints[L.COUNT_I] = count
        nodes = zip(self.starts, self.nodes, strict=True)
        self.ints[L.GROUP_I] = _flat(
            [[r, len(b), start, *b, *[0] * (4 - len(b))] for start, (_, r, b) in nodes], int
        )

    def _room(self) -> None:
        """Zeros for what every step writes."""
        builder, structure, floats, ints = self.builder, self.structure, self.floats, self.ints
        nb, nr, nc, nf = builder.nb, structure.rows, structure.channel_rows, len(builder.forces)
        rows = (L.IMPULSE, L.COMPLIANCE, L.BIAS, L.ERROR, L.EXCESS, L.CORRECTION_IMPULSE)
        channels = (L.CHANNEL_IMPULSE, L.FREE, L.CHANNEL_COMPLIANCE, L.CHANNEL_BIAS)
        for size, arrays in (
            (6 * nb, (L.APPLIED, L.MOMENTUM, L.NOTHING)),
            (6 * (nb + 1), (L.CORRECTION, L.VELOCITY_START)),
            (nr, rows),
            (nc, channels),
            (12 * len(builder.coordinate_ints), (L.COORDINATE_JAC,)),
            (len(builder.coordinate_ints), (L.COORDINATE_RATE,)),
            (structure.jac_size + 36, (L.JACOBIAN,)),  # the last is the ground's
            (structure.scalars + nc + 9, (L.SCRATCH,)),  # or a rotation matrix
            (max(nc, 1) ** 2, (L.DELASSUS,)),
            (D.WRENCHES * nf, (L.FORCE_WRENCH,)),
            (nr + nc + nf + 2, (L.WORK_DONE,)),
            (D.Point.FLOATS * len(builder.points), (L.POINT,)),
            (12, (L.FRAME,)),
        ):
            for k in arrays:
                floats[k] = np.zeros(size)
        ints[L.CHANNEL_ACTIVE_I] = np.zeros(nc, int)
        ints[L.CHANNEL_LIVE_I] = np.ones(nc, int)

    def _contacts(self) -> None:
        """Arrays of wheels, rigid contacts, their surfaces and their friction."""
        builder, floats, ints, structure = self.builder, self.floats, self.ints, self.structure
        nc, first, channels = structure.channel_rows, structure.channel_offset, structure.channels
        ng = len(builder.groups)
        parent, partner = np.full(nc, -1), np.full(nc, -1)
        lower, upper, coefficient = np.zeros(nc), np.zeros(nc), np.zeros(nc)
        for group, row, normal, mu in builder.friction:
            parent[first[group] + row] = first[group] + normal
            coefficient[first[group] + row] = mu
            upper[first[group] + normal] = np.inf
        for group, one, two in builder.cones:
            partner[first[group] + one] = first[group] + two
        ints[L.CHANNEL_PARENT_I], ints[L.CHANNEL_PARTNER_I] = parent, partner
        floats[L.CHANNEL_LOWER], floats[L.CHANNEL_UPPER] = lower, upper
        floats[L.CHANNEL_COEFFICIENT] = coefficient
        soft = np.zeros(nc, int)
        for group, _, _ in builder.points:
            soft[first[group] : first[group] + 3] = 1
        ints[L.CHANNEL_SOFT_I] = soft
        ints[L.WHEEL_I] = _flat(
            [
                [b, s, first[g], structure.jac_offset[ng + g], channels[g][0], trails]
                for (b, s, g, trails), _ in builder.wheel_records
            ],
            int,
        )
        floats[L.WHEEL_DATA] = _padded([f for _, f in builder.wheel_records], D.Wheel.FLOATS)
        floats[L.WHEEL_STATE] = np.zeros(D.WheelFrame.FLOATS * len(builder.wheel_records))
        shapes = [[*i[:5], first[i[5]], *i[6:]] for i, _ in builder.contact_records]
        ints[L.CONTACT_I] = _flat(shapes, int)
        floats[L.CONTACT_DATA] = _padded([f for _, f in builder.contact_records], D.Shape.FLOATS)
        ints[L.SURFACE_I] = _flat(builder.surfaces, int)
        floats[L.SURFACE_DATA] = np.array(builder.surface_numbers)
        points = [(self.places[ng + g], a, b) for g, a, b in builder.points]
        ints[L.PLACE_I] = _flat([[place[a], place[b]] for place, a, b in points], int)
        make_friction(nc, floats, ints)


def _padded(rows: Any, size: int) -> np.ndarray:
    """Records of floats, each filled up with zeros."""
    return _flat([[*row, *[0.0] * (size - len(row))] for row in rows], float)


def _flat(rows: Any, kind: Any) -> np.ndarray:
    return np.asarray(rows, dtype=kind).reshape(-1)
