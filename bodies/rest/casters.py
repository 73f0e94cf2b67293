"""Casters: single wheels whose steering hinge is free, so that only their lateral force aligns them."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from ..body import GROUND
from ..joints import Revolute
from ..mechanism import Mechanism


def casters(mechanism: Mechanism) -> set[str]:
    """Names of casters: single wheels connected to the rest of the vehicle only by a hinge with a steep
    axis and without motor, spring, stop or gear."""
    named = [_words(element) for element in mechanism.elements]
    found: set[str] = set()
    for joint in mechanism.elements:
        if not isinstance(joint, Revolute) or GROUND in (joint.body_a, joint.body_b):
            continue
        axis = np.asarray(joint.axis, float)
        # least cosine of the angle between a steering hinge and the vertical
        steep = abs(axis[2]) >= 0.7 * np.linalg.norm(axis)
        if not steep or any(joint.name in words for words in named):
            continue
        for body, other in ((joint.body_b, joint.body_a), (joint.body_a, joint.body_b)):
            hanging = _reached(mechanism, body, joint)
            wheels = [wheel.name for wheel in mechanism.wheels if wheel.body in hanging]
            if len(wheels) == 1 < len(mechanism.wheels) and other not in hanging:
                found.update(wheels)
    return found


def _words(element: Any) -> set[str]:
    """Texts in the fields of an element except its own name, such as names of joints; of the name of a
    coordinate, as "hinge.angle", its joint's."""
    values = (getattr(element, f.name) for f in fields(element) if f.name != "name")
    flat = (word for value in values for word in (value if isinstance(value, tuple) else (value,)))
    return {word.partition(".")[0] for word in flat if isinstance(word, str)}


def _reached(mechanism: Mechanism, body: str, without: Any) -> set[str]:
    """Names of ``body`` and of all bodies connected to it by elements other than ``without``, but not
    through the ground."""
    pairs = [
        (element.body_a, element.body_b)
        for element in mechanism.elements
        if element is not without and hasattr(element, "body_a") and hasattr(element, "body_b")
    ]
    found, new = set[str](), {body}
    while new:
        found |= new
        new = {b for pair in pairs if found & set(pair) for b in pair} - found - {GROUND}
    return found
