"""Checks of figures of Peiret et al.: sums of the stresses (Fig 1), linearisations through points of
the ground law (Fig 3).
"""

from __future__ import annotations

import numpy as np

from ..verdict import Check
from . import linearisations, wheel_forces


def checks() -> list[Check]:
    """All checks of the figures, in the order of the figures."""
    return [add_up(), *touch(), *meet()]


def add_up() -> Check:
    """Fig 1: compare sums of the drawn stresses (Peiret et al., eqs 13 and 14) with the law's
    integrals.
    """
    off = {
        name: abs(total / law - 1.0)
        for name, (total, law) in wheel_forces.sums(wheel_forces.contact()).items()
    }
    worst = max(off, key=lambda name: off[name])
    text = f"at most {off[worst]:.0e} apart ({worst})"
    return Check("the stresses drawn add up to the forces of the law", text, off[worst] < 1e-5)


def touch() -> list[Check]:
    """Fig 3: check that each line passes through the law's curve at the present slip, as tangent or
    secant."""
    rim, slip = linearisations.RIM, linearisations.SLIP
    there, near = float(linearisations.law((1.0 - slip) * rim, rim)), 1e-5
    at = -slip * rim
    ratio = {s: linearisations.present_line(s) for s in linearisations.THREE}
    difference = max(abs(float(line(at)) - there) for line in ratio.values())
    slope = np.diff(linearisations.law((1.0 - slip - np.array([-near, near])) * rim, rim))[0] / (
        2.0 * near
    )
    local, secant = (
        float(np.diff(ratio[s](at - np.array([-near, near]) * rim))[0]) / (2.0 * near)
        for s in ("local", "global")
    )
    smooth = there - linearisations.R_0
    return [
        Check(
            "every line goes through the law at the present slip",
            f"within {difference:.0e}",
            difference < 1e-6,
        ),
        Check(
            "local has the law's slope there, global that of the secant from the origin",
            f"{local:.5f} of {slope:.5f}; {secant:.5f} of {smooth / slip:.5f}",
            abs(local / slope - 1.0) < 1e-4 and abs(secant * slip / smooth - 1.0) < 1e-4,
        ),
    ]


def meet() -> list[Check]:
    """Fig 3: check that a step ends where the scheme's line meets the wheel's line; with "implicit" this
    point is on the law's curve.
    """
    ends, off = 0.0, {}
    for scheme in linearisations.SHOWN:
        one = linearisations.steps(scheme, **linearisations.SMALL)[0]
        own, law = linearisations.own_line(np.array([one.v_t]), one)
        ends = max(ends, abs(float(own[0]) - one.force) / one.load)
        if scheme != "set-valued":
            ends = max(ends, abs(float(one.line(np.array([one.v_t]))[0]) - one.force) / one.load)
        off[scheme] = abs(one.force / one.load - float(law[0]))
    text = ", ".join(f"{scheme} {value:.1e}" for scheme, value in off.items())
    return [
        Check("a step ends where its line meets the wheel's own", f"within {ends:.0e}", ends < 1e-6),
        Check(
            "implicit ends on the law, set-valued far from it",
            f"off the law by {text}",
            off["implicit"] < 1e-6 and off["set-valued"] > 0.1,
        ),
    ]
