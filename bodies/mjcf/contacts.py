"""Ground, wheels and rigid contacts as geoms; only explicit pairs of geoms have contact."""

from __future__ import annotations

from typing import Any

import numpy as np

from contact.rigid import Ball, Box, HeightField, Plane, Sphere
from contact.terrain import SmoothHeightField

from .. import checks
from ..body import GROUND
from .document import Document
from .dynamics import TreeDynamics
from .geometry import quaternion_to, text

CONTACT_IMPEDANCE = 0.2  # [-] impedance d of an elastic contact; it scales the mass by 1/(1 - d) = 1.25


def wheel(document: Document, w: Any, tree: TreeDynamics, step: float) -> None:
    """Add a wheel on hard ground: a disc-like ellipsoid and one contact pair with its ground.

    MuJoCo's contact is a spring ``k_m`` and damper ``b_m`` per unit of mass in series with a
    regularisation ``R = (1 - d)/d A``; d: impedance, A: inverse mass that MuJoCo assumes at the contact.
    A stiffness k in N/m therefore needs ``k_m = k (1 - d) A`` (``solref`` in its direct form). MuJoCo's
    convex friction cone lifts a sliding wheel; a larger option ``impratio`` reduces this.
    """
    if w.soil is not None:
        raise checks.MechanismError(
            f"wheel {w.name!r}: to_mjcf cannot export soil, MuJoCo has none; give the wheel hard "
            "ground (soil=None) for the export."
        )
    g = document.geometry
    axis = g.direction_in(w.body, g.direction_of(w.body, w.spin_axis))
    centre = g.point_in(w.body, g.point_of(w.body, w.centre))
    document.add_to(
        w.body,
        "geom",
        name=w.name,
        type="ellipsoid",
        pos=text(centre),
        quat=text(quaternion_to(axis)),
        contype="0",
        conaffinity="0",
        size=text((w.radius, w.radius, 0.5 * w.width)),
        rgba="0.2 0.2 0.2 1",
    )
    if w.lateral == "slip angle":
        document.notes.append(
            f"wheel {w.name!r}: its force over the slip angle becomes dry friction sideways; lateral = "
            "'coulomb' is the same here."
        )
    # [1/s] rate at which static friction stops sliding; a larger rate lifts the wheel
    stick = -CONTACT_IMPEDANCE * min(1e3, 1.0 / step)
    scale = (1.0 - CONTACT_IMPEDANCE) * tree.inverse_weight(w.body)
    if w.rolling:
        document.notes.append(
            f"wheel {w.name!r}: rolling resistance acts at the centre here, in MuJoCo as a moment "
            "in the contact; the same for a free-rolling wheel."
        )
    document.add(
        "contact",
        "pair",
        name=w.name,
        geom1=surface(document, w.ground, GROUND),
        geom2=w.name,
        condim="6" if w.rolling else "3",
        friction=friction(w.friction, w.rolling * w.radius),
        solref=text((-w.stiffness * scale, -w.damping * scale)),
        solimp=text((CONTACT_IMPEDANCE, CONTACT_IMPEDANCE, 1e-3)),
        solreffriction=text((0.0, stick)),
    )


def friction(sliding: float, rolling: float = 0.0) -> str:
    """Attribute ``friction`` of a contact pair: coefficients of sliding [-], torsion and rolling [m]."""
    least = 1e-5  # [m] least torsional and rolling friction in MuJoCo
    return text((sliding, sliding, least, rolling or least, rolling or least))


def rigid(document: Document, c: Any) -> None:
    """Add a rigid contact: shape, surface and their contact pair."""
    g = document.geometry
    centre = np.zeros(3) if c.position is None else g.point_in(c.body, g.point_of(c.body, c.position))
    size = {Sphere: c.shape.size[:1], Box: c.shape.size}.get(type(c.shape), c.shape.size[:2])
    document.add_to(
        c.body,
        "geom",
        name=c.name,
        type=type(c.shape).__name__.lower(),
        pos=text(centre),
        size=text(size),
        contype="0",
        conaffinity="0",
        rgba="0.5 0.6 0.7 1",
    )
    document.add(
        "contact",
        "pair",
        name=c.name,
        geom1=surface(document, c.surface, c.body_b),
        geom2=c.name,
        condim="3",
        friction=friction(c.friction),
    )
    if c.restitution:
        document.notes.append(
            f"contact {c.name!r}: restitution {c.restitution:g} is left out, "
            "MuJoCo has none; its bounce is that of a soft contact."
        )
    if c.friction_model == "box":
        document.notes.append(f"contact {c.name!r}: friction 'box' becomes MuJoCo's cone.")


def surface(document: Document, s: Any, owner: str) -> str:
    """Name of a surface's geom on the body ``owner``; the geom is added at the first call."""
    g = document.geometry
    if (owner, s) in document.surfaces:
        return document.surfaces[owner, s]
    given = owner, s
    if isinstance(s, SmoothHeightField):  # has a row of heights for each y, not for each x
        s = HeightField(s.origin, s.spacing, s.grid.T.tolist())
    name = f"{owner} {type(s).__name__.lower()} {len(document.surfaces) + 1}"
    document.surfaces[given] = name
    common = {"name": name, "contype": "0", "conaffinity": "0", "rgba": "0.75 0.72 0.66 1"}
    if isinstance(s, Plane):
        normal = g.direction_in(owner, g.direction_of(owner, s.normal))
        document.add_to(
            owner,
            "geom",
            type="plane",
            size="100 100 1",
            pos=text(g.point_in(owner, g.point_of(owner, s.point))),
            quat=text(quaternion_to(normal)),
            **common,
        )
    elif isinstance(s, Ball):
        document.add_to(
            owner,
            "geom",
            type="sphere",
            size=text(s.radius),
            pos=text(g.point_in(owner, g.point_of(owner, s.centre))),
            **common,
        )
    elif isinstance(s, HeightField):
        _height_field(document, s, name, common)
    else:
        raise checks.MechanismError(
            f"to_mjcf: ground {type(s).__name__} of {type(s).__module__} is neither a plane, a height"
            " field nor a ball."
        )
    return name


def _height_field(document: Document, s: HeightField, name: str, common: dict[str, str]) -> None:
    """Add a height field; a row of MuJoCo's heights is along x, and the row of the largest y is
    first."""
    z = np.asarray(s.heights)
    reach = 0.5 * np.array(s.spacing) * (np.array(z.shape) - 1)
    low, rise = float(z.min()), float(np.ptp(z))
    document.add(
        "asset",
        "hfield",
        name=name,
        nrow=str(z.shape[1]),
        ncol=str(z.shape[0]),
        size=text((*reach, rise or 1e-6, 1.0)),
        elevation=text(z.T[::-1].ravel()),
    )
    document.add_to(
        GROUND,
        "geom",
        type="hfield",
        hfield=name,
        pos=text((*(np.array(s.origin) + reach), low)),
        **common,
    )
    document.notes.append(
        f"{name}: MuJoCo splits each cell of a height field into two triangles "
        "and ends at its edge; ours is bilinear (bicubic for one of contact.terrain) and goes on."
    )
