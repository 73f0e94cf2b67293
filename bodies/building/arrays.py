"""The flat arrays of a model, from a builder's records."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlcp.compiled.records import Records
from mlcp.kkt import Structure

from ..kernels import codes
from ..kernels import records as D
from ..memory.soil import room_to_solve
from .builder import Builder
from .zeros import jac_zeros, mass_zeros

#: Settings of a model; a simulation replaces step, tolerance and projections by its own.
SETTINGS = {
    "step": 1e-3,
    "tolerance": 1e-7,
    "projections": 3,
    "recovery": 0.2,
    "bounce_speed": 0.01,
    "friction_tolerance": 1e-9,
    "solver_tolerance": 1e-10,
}


class Arrays:
    """The arrays of a model except those of wheels on soil and of the elimination order.

    Attributes:
        structure: graph of the system matrix, for the factorisation.
        places: for each node (joint, coupling, contact or wheel), the index of each body's block in the
            flat Jacobian, by body number; the ground has a dummy block.
        values: arrays and records of ``kernels.data.RunData`` by name; all other arrays are zeros.
        sizes: the numbers (of bodies, rows, ...) by which ``RunData`` declares its arrays' sizes.
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
        #: The elimination order's tables ("plan", "panels") are empty and the rows' numerical
        #: compliances ("scale") 0 here: they are computed later, in the closed pose.
        self.values: dict[str, Any] = {"plan": (), "panels": (), "oil": None}
        self.values["scale"] = np.zeros(2 * self.structure.rows)
        self.sizes: dict[str, int] = {}
        self._joints()
        self._couplings()
        self._forces_and_inputs()
        self._bodies()
        self._counts()
        self._contacts()

    def _joints(self) -> None:
        """Add the records of the joints, and the marks of rows whose error is an angle."""
        builder, structure = self.builder, self.structure
        found, angular = [], np.zeros(structure.rows, int)
        for g, (joint, _) in enumerate(builder.joint_records):
            a, b = builder.body[joint.body_a], builder.body[joint.body_b]
            row = int(structure.row_offset[g])
            found.append([joint.kind, a, b, self.places[g][a], self.places[g][b], row])
            angular[row + joint.linear_rows : row + joint.rows] = 1
        self.values["joints"] = _records(D.JointRecord, found, [r for _, r in builder.joint_records])
        self.values["angular"] = angular

    def _couplings(self) -> None:
        """Add the records of couplings and coordinates, with the couplings' signals and tables."""
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
                self.values["angular"][row] = 1
        self.values |= {
            "couplings": _records(D.CouplingRecord, ints, floats),
            "coordinates": _records(
                D.CoordinateRecord, builder.coordinate_ints, builder.coordinate_floats
            ),
            "coordinate": [builder.start_value(k) for k in range(len(builder.coordinate_ints))],
        }

    def _forces_and_inputs(self) -> None:
        """Add the records of forces and inputs, and the tables of all elements."""
        builder, sizes = self.builder, [len(t) for t in self.builder.tables]
        table = np.concatenate([*builder.tables, np.zeros((1, 2))])
        places = list(zip(np.cumsum([0, *sizes])[:-1], sizes, strict=True))
        self.values |= {
            "forces": _records(D.ForceRecord, *([f[k] for f in builder.forces] for k in range(2))),
            "input": builder.input_values,
            "sources": _records(D.InputSource, builder.input_tables),
            "tables": _records(D.TablePlace, places),
            "table_x": table[:, 0],
            "table_y": table[:, 1],
        }

    def _bodies(self) -> None:
        """Add masses, initial poses and velocities (the ground is the last body), gravity and
        settings.
        """
        nb, bodies = self.builder.nb, self.builder.mechanism.bodies
        clock = D.ClockRecord(gravity=self.builder.mechanism.gravity.acceleration, **SETTINGS)
        position = np.array([*(b.position for b in bodies), (0, 0, 0)], float)
        quaternion = np.array([*(b.orientation for b in bodies), (1, 0, 0, 0)], float)
        twists = [*(b.velocity + b.angular_velocity for b in bodies), (0,) * 6]
        masses, mass = np.array([b.mass for b in bodies]), np.zeros((nb, 6, 6))
        mass[:, [0, 1, 2], [0, 1, 2]] = masses[:, None]
        joined = {body for _, _, bodies_of in self.builder.groups for body in bodies_of}
        self.values |= {
            "clock": clock,
            "position": position,
            "position_start": position,
            "quaternion": quaternion,
            "quaternion_start": quaternion,
            "velocity": np.array(twists, float),
            "mass": masses,
            "inertia": np.array([b.inertia for b in bodies]),
            "mass_block": mass,
            "rotation": np.tile(np.eye(3).ravel(), nb + 1),
            "body_free": [k not in joined for k in range(nb)],
        }

    def _counts(self) -> None:
        """Add the numbers of all parts, and the nodes of the factorisation."""
        builder, structure = self.builder, self.structure
        counts = {
            "bodies": builder.nb,
            "joints": len(builder.joint_records),
            "coordinates": len(builder.coordinate_ints),
            "couplings": len(builder.couplings),
            "forces": len(builder.forces),
            "inputs": len(builder.input_values),
            "rows": structure.rows,
            "channels": structure.channel_rows,
            "groups": len(self.nodes),
            "contacts": len(builder.contact_records),
            "wheels": len(builder.wheel_records),
        }
        nodes = zip(self.starts, self.nodes, strict=True)
        groups = [[r, len(b), start, *b, *[0] * (4 - len(b))] for start, (_, r, b) in nodes]
        self.values |= {"count": D.Count(**counts), "groups": _records(D.Group, groups)}
        self.sizes = {
            **counts,
            "points": len(builder.points),
            "jacobian": structure.jac_size,
            "scalars": structure.scalars,
            "soil_wheels": 0,
            "soil_rows": 0,
        }

    def _contacts(self) -> None:
        """Add the records of wheels, rigid contacts, their surfaces and their friction."""
        builder, structure = self.builder, self.structure
        nc, first, channels = structure.channel_rows, structure.channel_offset, structure.channels
        ng = len(builder.groups)
        parent, partner, soft = np.full(nc, -1), np.full(nc, -1), np.zeros(nc, int)
        upper, coefficient = np.zeros(nc), np.zeros(nc)
        for group, row, normal, mu in builder.friction:
            parent[first[group] + row] = first[group] + normal
            coefficient[first[group] + row] = mu
            upper[first[group] + normal] = np.inf
        for group, one, two in builder.cones:
            partner[first[group] + one] = first[group] + two
        for group, _, _ in builder.points:
            soft[first[group] : first[group] + 3] = 1
        wheels = [
            [b, s, first[g], structure.jac_offset[ng + g], channels[g][0], trails]
            for (b, s, g, trails), _ in builder.wheel_records
        ]
        shapes = [[*i[:5], first[i[5]], *i[6:]] for i, _ in builder.contact_records]
        points = [(self.places[ng + g], a, b) for g, a, b in builder.points]
        self.values |= {
            "channels": {
                "parent": parent,
                "partner": partner,
                "proximal": soft,
                "upper": upper,
                "coefficient": coefficient,
                "live": np.ones(nc, int),
            },
            "wheels": _records(D.WheelGeometry, wheels, [f for _, f in builder.wheel_records]),
            "shapes": _records(D.ShapeRecord, shapes, [f for _, f in builder.contact_records]),
            "surfaces": _records(D.SurfaceRecord, builder.surfaces),
            "surface_data": builder.surface_numbers,
            "point_places": _records(D.PointPlace, [[place[a], place[b]] for place, a, b in points]),
            "contact": None,
            "hard": room_to_solve(nc),
            "mixed": None,
        }


def _records(kind: Any, ints: Any, floats: Any = None) -> Records:
    """Records from rows of integers and of floats, padded with zeros."""
    made = Records.of(kind, len(ints))
    for k, row in enumerate(ints):
        made.ints[k, : len(row)] = row
    for k, row in enumerate(floats or ()):
        made.floats[k, : len(row)] = row
    return made
