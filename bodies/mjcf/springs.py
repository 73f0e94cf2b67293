"""Springs and dampers, linear and tabulated, as properties of MuJoCo's joints and tendons."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

from .. import checks
from . import drives
from .document import Document
from .geometry import text
from .scalars import combined, joint_of, offset

UNREACHABLE = 1e6  # [m or rad] end of a dead band that no deflection reaches


def spring(document: Document, coupling: Any) -> None:
    """Add a spring-damper of the tension ``f = k (x - rest) + c v + table(x - rest) + table(v)``.

    x, v: coordinate or sum of coordinates, and its rate; k, c: linear stiffness and damping.

    The linear terms become stiffness and damping of a joint or tendon. A spring table becomes a sum of
    tendons that act only on one side of a kink (springs with a dead band), without approximation. A
    damper table becomes a damping of its least slope, implicit in MuJoCo, and an actuator for the
    remainder, whose control a drive interpolates before every step.
    """
    c = coupling
    terms = c.terms()
    stiffness, damping, rest = c.numbers()[:3]
    rest_here = rest - offset(document, terms)
    joint = joint_of(document, terms[0][0]) if len(terms) == 1 else None
    spring_table, damper_table = c.tables() or ((), ())
    if joint is not None and not spring_table and not damper_table:
        document.joint_spring(joint, stiffness, rest_here, damping)
        return
    bands: list[Any] = dead_bands(spring_table) if spring_table else [(0.0, 0.0)]
    (base, constant), *kinks = bands
    k = stiffness + base
    attributes = {}
    if k and not constant:
        # a springlength of exactly -1 means "the length in the initial pose" in MuJoCo
        attributes = {
            "stiffness": text(k),
            "springlength": text(rest_here if rest_here != -1.0 else -1.0 - 1e-12),
        }
    base_damping, rest_table = dissipative(damper_table)
    if damping + base_damping:
        attributes["damping"] = text(damping + base_damping)
    main = combined(document, c.who, c.name, terms, **attributes)
    if constant:  # tension = constant + k (x - rest), for any sign of k
        document.actuator(
            f"{c.name} preload",
            tendon=main,
            gainprm="0",
            biastype="affine",
            biasprm=text((k * rest_here - constant, -k, 0.0)),
        )
    for n, (at, more, beyond) in enumerate(kinks):
        band = (-UNREACHABLE, rest_here + at) if beyond else (rest_here + at, UNREACHABLE)
        if len(terms) == 1 and joint is None:
            band = (max(band[0], 0.0), band[1])
        if band[1] < band[0] or (joint is None and len(terms) == 1 and band[1] < 0.0):
            raise checks.MechanismError(
                f"{c.who}: to_mjcf cannot place the kink of spring_table at {at:g}: the length "
                "there would be negative; shorten the table."
            )
        law = {"stiffness": text(more), "springlength": text(band)}
        combined(document, c.who, f"{c.name} kink {n + 1}", terms, **law)
    if rest_table:
        name = f"{c.name} damper table"
        document.actuator(name, tendon=main, gainprm="1")
        document.drives.append(partial(drives.damper, name, rest_table))


def dissipative(table: tuple[tuple[float, float], ...]) -> tuple[float, tuple]:
    """Least slope of a damper table (at least 0), and the table of the remaining force, () if it is
    zero."""
    if not table:
        return 0.0, ()
    least = max(min((b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(table)), 0.0)
    rest = tuple((v, f - least * v) for v, f in table)
    scale = max(abs(f) for _, f in table)
    return least, rest if max(abs(f) for _, f in rest) > 1e-12 * scale else ()


def dead_bands(table: tuple[tuple[float, float], ...]) -> list:
    """A piecewise linear f(x) as the sum of ``constant + base x`` and springs with dead bands.

    Returns ``[(base, constant), (x_i, stiffness, beyond), ...]``: at a kink x_i with increasing slope a
    spring that pulls for x > x_i (``beyond`` true), at a kink with decreasing slope a spring that pushes
    for x < x_i.
    """
    x = [p[0] for p in table]
    slope = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(table)]
    kinks = [(x[i + 1], abs(s1 - s0), s1 > s0) for i, (s0, s1) in enumerate(pairwise(slope)) if s1 != s0]
    base = slope[0] - sum(k for _, k, beyond in kinks if not beyond)
    constant = table[0][1] - base * x[0]
    constant -= sum(k * (x[0] - at) for at, k, beyond in kinks if not beyond)
    scale = max(abs(p[1]) for p in table)
    return [(base, constant if abs(constant) > 1e-12 * scale else 0.0), *kinks]
