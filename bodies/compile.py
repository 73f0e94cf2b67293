"""From a description to a model: ``compile(mechanism)``."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlcp.structured import Structure

from .builder import COORDINATE_CODES, Builder
from .forces import SpringDamper
from .joints import Coupling, Joint
from .kernels import codes
from .kernels import layout as L
from .mechanism import Mechanism
from .model import Model, pack
from .places import make_friction
from .planning import finish_model
from .soil import soil_arrays
from .state import State


def compile(mechanism: Mechanism, *, close: bool = False) -> Model:
    """Compile a mechanism to flat arrays.

    The initial pose is projected onto the joints. If it is off by more than 1e-3 m or rad that is
    an error which names the worst joint, unless ``close`` asks to close the assembly.

    Raises:
        MechanismError: what the description cannot mean.
        NotClosed: the joints do not close, by how much.
    """
    builder = Builder(mechanism)
    for element in mechanism.elements:
        if isinstance(element, Joint):
            builder.add_joint(element)
        elif isinstance(element, SpringDamper):
            record = builder.frames(
                element.body_a,
                element.body_b,
                element.position,
                element.position_b,
                (0, 0, 1),
                (0, 0, 1),
            )
            builder.add_coordinate(
                f"{element.name}.length",
                COORDINATE_CODES["length"],
                element.body_a,
                element.body_b,
                record,
            )
    for wheel in sorted(mechanism.wheels, key=lambda wheel: wheel.soil is None):
        builder.add_wheel(wheel)  # those on soil first
    for element in mechanism.elements:
        if isinstance(element, Coupling):
            builder.add_coupling(element)
        elif not isinstance(element, Joint):
            builder.add_force(element)
    for contact in mechanism.contacts:
        builder.add_contact(contact)
    return finish_model(_model(builder), close)


def _model(builder: Builder) -> Model:
    """All arrays, the elimination order still missing."""
    m = builder.mechanism
    structure = Structure(
        builder.nb,
        tuple((r, tuple(b)) for _, r, b in builder.groups),
        tuple((r, tuple(b)) for _, r, b in builder.channels),
    )
    places = _places(builder, structure)
    floats: list[Any] = [np.zeros(0)] * L.N_FLOATS
    ints: list[Any] = [np.zeros(0, int)] * L.N_INTS
    nr, nc, ng = structure.rows, structure.channel_rows, len(builder.groups)

    joint_ints, angular = [], np.zeros(nr, int)
    for g, (joint, _) in enumerate(builder.joint_records):
        a, b = builder.body[joint.body_a], builder.body[joint.body_b]
        row = int(structure.row_offset[g])
        joint_ints.append([joint.kind, a, b, places[g][a], places[g][b], row])
        angular[row + joint.linear_rows : row + joint.rows] = 1
    coupling_ints, coupling_floats = [], []
    for coupling, bounded, k in builder.couplings:
        g = ng + k if bounded else k
        row = int(structure.channel_offset[k] if bounded else structure.row_offset[k])
        size = int(structure.jac_offset[g + 1] - structure.jac_offset[g])
        record = builder.coupling_record(
            coupling, row, int(structure.jac_offset[g]), size, places[g], builder.start_value
        )
        coupling_ints.append(record[0])
        coupling_floats.append(record[1])
        if not bounded and builder.coordinate_ints[record[0][9]][0] == codes.ANGLE:
            angular[row] = 1

    count = np.zeros(L.N_COUNTS, int)
    for key, value in (
        (L.BODIES, builder.nb),
        (L.JOINTS, len(joint_ints)),
        (L.COORDINATES, len(builder.coordinate_ints)),
        (L.COUPLINGS, len(coupling_ints)),
        (L.FORCES, len(builder.forces)),
        (L.INPUTS, len(builder.input_values)),
        (L.ROWS, nr),
        (L.CHANNELS, nc),
        (L.GROUPS, len(builder.groups) + len(builder.channels)),
        (L.CONTACTS, len(builder.contact_records)),
        (L.WHEELS, len(builder.wheel_records)),
    ):
        count[key] = value
    ints[L.COUNT_I] = count
    ints[L.JOINT_I] = _flat(joint_ints, int)
    ints[L.COORDINATE_I] = _flat(builder.coordinate_ints, int)
    ints[L.COUPLING_I] = _flat(coupling_ints, int)
    ints[L.FORCE_I] = _flat([f[0] for f in builder.forces], int)
    ints[L.INPUT_TABLE_I] = _flat(builder.input_tables, int)
    sizes = [len(t) for t in builder.tables]
    ints[L.TABLE_I] = _flat(list(zip(np.cumsum([0, *sizes])[:-1], sizes, strict=True)), int)
    ints[L.ROW_ANGULAR_I] = angular
    ints[L.CHANNEL_ACTIVE_I] = np.zeros(nc, int)
    ints[L.CHANNEL_LIVE_I] = np.ones(nc, int)

    scalar = np.zeros(L.N_SCALARS)
    scalar[L.STEP] = 1e-3
    scalar[L.GX : L.GX + 3] = m.gravity.acceleration
    scalar[L.TOLERANCE] = 1e-7
    scalar[L.PROJECTIONS] = 3
    scalar[L.RECOVERY] = 0.2
    scalar[L.BOUNCE_SPEED] = 0.01
    scalar[L.FRICTION_TOLERANCE] = 1e-9
    scalar[L.SOLVER_TOLERANCE] = 1e-10
    nb, bodies = builder.nb, m.bodies
    floats[L.SCALAR] = scalar
    floats[L.POSITION] = np.array([*(b.position for b in bodies), (0, 0, 0)], float)
    floats[L.QUATERNION] = np.array([*(b.orientation for b in bodies), (1, 0, 0, 0)], float)
    floats[L.VELOCITY] = np.array([*(b.velocity + b.angular_velocity for b in bodies), (0,) * 6], float)
    floats[L.POSITION_START] = floats[L.POSITION].copy()
    floats[L.QUATERNION_START] = floats[L.QUATERNION].copy()
    floats[L.COORDINATE] = np.array(
        [builder.start_value(k) for k in range(len(builder.coordinate_ints))]
    )
    floats[L.INPUT] = np.array(builder.input_values)
    for k in (L.APPLIED, L.MOMENTUM, L.NOTHING):
        floats[k] = np.zeros(6 * nb)
    for k in (L.CORRECTION, L.VELOCITY_START):
        floats[k] = np.zeros(6 * (nb + 1))
    for k in (L.IMPULSE, L.COMPLIANCE, L.BIAS, L.ERROR, L.EXCESS, L.CORRECTION_IMPULSE):
        floats[k] = np.zeros(nr)
    for k in (
        L.CHANNEL_IMPULSE,
        L.FREE,
        L.CHANNEL_COMPLIANCE,
        L.CHANNEL_BIAS,
        L.CHANNEL_LOWER,
        L.CHANNEL_UPPER,
    ):
        floats[k] = np.zeros(nc)
    floats[L.MASS] = np.array([b.mass for b in bodies])
    floats[L.INERTIA] = np.array([b.inertia for b in bodies])
    floats[L.JOINT_DATA] = _padded([r for _, r in builder.joint_records], L.JOINT_FLOATS)
    floats[L.COORDINATE_DATA] = _flat(builder.coordinate_floats, float)
    floats[L.COUPLING_DATA] = _flat(coupling_floats, float)
    floats[L.FORCE_DATA] = _padded([f for _, f in builder.forces], L.FORCE_FLOATS)
    table = np.concatenate([*builder.tables, np.zeros((1, 2))])
    floats[L.TABLE_X], floats[L.TABLE_Y] = table[:, 0], table[:, 1]
    rotation = np.tile(np.eye(3).ravel(), nb + 1)
    floats[L.ROTATION] = rotation
    floats[L.COORDINATE_JAC] = np.zeros(12 * len(builder.coordinate_ints))
    floats[L.COORDINATE_RATE] = np.zeros(len(builder.coordinate_ints))
    mass = np.zeros((nb, 6, 6))
    mass[:, [0, 1, 2], [0, 1, 2]] = floats[L.MASS][:, None]
    floats[L.MASS_BLOCK] = mass
    floats[L.JACOBIAN] = np.zeros(structure.jac_size + 36)
    floats[L.SCRATCH] = np.zeros(structure.scalars + nc)
    floats[L.DELASSUS] = np.zeros(max(nc, 1) ** 2)
    floats[L.FORCE_WRENCH] = np.zeros(L.FORCE_WRENCHES * len(builder.forces))
    floats[L.WORK_DONE] = np.zeros(nr + nc + len(builder.forces) + 1)
    ints[L.GROUP_I] = _flat(
        [
            [r, len(b), structure.jac_offset[g], *b, *[0] * (4 - len(b))]
            for g, (_, r, b) in enumerate(builder.groups + builder.channels)
        ],
        int,
    )
    joined = {body for _, _, bodies_of in builder.groups for body in bodies_of}
    ints[L.BODY_FREE_I] = np.array([k not in joined for k in range(nb)], dtype=int)
    _contact_arrays(builder, structure, places, floats, ints)
    soil_arrays(m, nc, floats, ints)
    F, N = pack(floats, ints)
    return Model(
        mechanism=m,
        floats=F,
        ints=N,
        body_index={k: v for k, v in builder.body.items() if v < nb},
        coordinate_index=builder.coordinate_names,
        input_index=builder.inputs,
        rows={n: (int(structure.row_offset[k]), r) for k, (n, r, _) in enumerate(builder.groups)},
        channels={
            n: (int(structure.channel_offset[k]), r) for k, (n, r, _) in enumerate(builder.channels)
        },
        structure=structure,
        plan=None,
        initial=State(np.zeros(0), np.zeros(0, int), np.zeros(0, int), np.zeros(0), 0.0, ""),
        joint_order=tuple(j for j, _ in builder.joint_records),
        coupling_order=tuple(c for c, _, _ in builder.couplings),
        force_order=tuple(builder.force_names),
    )


def _contact_arrays(
    builder: Builder,
    structure: Structure,
    places: list[dict[int, int]],
    floats: list[Any],
    ints: list[Any],
) -> None:
    """Arrays of wheels, rigid contacts, their surfaces and their friction."""
    ng, nc, first = len(builder.groups), structure.channel_rows, structure.channel_offset
    channels = structure.channels
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
            [b, s, first[g], structure.jac_offset[ng + g], channels[g][0]]
            for (b, s, g), _ in builder.wheel_records
        ],
        int,
    )
    floats[L.WHEEL_DATA] = _flat(
        [f + [0.0] * (L.WHEEL_FLOATS - len(f)) for _, f in builder.wheel_records], float
    )
    floats[L.WHEEL_STATE] = np.zeros(L.WHEEL_STATE_FLOATS * len(builder.wheel_records))
    ints[L.CONTACT_I] = _flat([[*i[:5], first[i[5]], *i[6:]] for i, _ in builder.contact_records], int)
    floats[L.CONTACT_DATA] = _flat(
        [f + [0.0] * (L.CONTACT_FLOATS - len(f)) for _, f in builder.contact_records], float
    )
    ints[L.SURFACE_I] = _flat(builder.surfaces, int)
    floats[L.SURFACE_DATA] = np.array(builder.surface_numbers)
    ints[L.PLACE_I] = _flat([[places[ng + g][a], places[ng + g][b]] for g, a, b in builder.points], int)
    floats[L.POINT] = np.zeros(L.POINT_FLOATS * len(builder.points))
    floats[L.FRAME] = np.zeros(12)
    make_friction(nc, floats, ints)


def _places(builder: Builder, structure: Structure) -> list[dict[int, int]]:
    """Per node: body number -> start of its Jacobian block; the ground's is the dummy area."""
    places = []
    for g, (_, rows, bodies) in enumerate(builder.groups + builder.channels):
        start = int(structure.jac_offset[g])
        place = {b: start + 6 * rows * s for s, b in enumerate(bodies)}
        place[builder.nb] = structure.jac_size
        places.append(place)
    return places


def _padded(rows: Any, size: int) -> np.ndarray:
    """Records of floats, each filled up with zeros."""
    return _flat([[*row, *[0.0] * (size - len(row))] for row in rows], float)


def _flat(rows: Any, kind: Any) -> np.ndarray:
    return np.asarray(rows, dtype=kind).reshape(-1)
