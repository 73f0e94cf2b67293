"""Whether a vehicle's numbers can be meant: bodies near its wheels, springs that carry their share."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from mlcp.warned import SentenceWarning

from .. import checks
from ..forces import SpringDamper
from .part import Assembly
from .rolling import axle_of

FAR, TOO_FAR = 1.5, 5.0  # spans of the wheels that a body may lie outside of them: warned, refused
LEAST_SPAN = 2.0  # [m]
SHORTEST = 0.5  # of its free length: shorter no spring is pressed in use
WEAK = 0.2  # share of its wheel's load that a spring must be able to carry, whatever its lever


class UnlikelyVehicle(SentenceWarning):
    """A vehicle's file says what hardly any vehicle has; the message says which part and what."""


def check_places(who: str, assembly: Assembly, owners: Mapping[str, str]) -> None:
    """Refuse bodies far from all wheels, and warn of those that lie oddly far.

    Arguments: who: the vehicle, as messages name it; owners: of each body to look at, its part.

    Raises:
        MechanismError: naming the part, the body and where it lies.
    """
    if not assembly.wheels:
        return
    centres = np.array([wheel.centre for wheel in assembly.wheels])
    low, high = centres.min(axis=0), centres.max(axis=0)
    span = max(LEAST_SPAN, float(np.linalg.norm(high - low)))
    for body in assembly.bodies:
        if body.name not in owners:
            continue
        place = np.array(body.position)
        outside = float(np.linalg.norm(np.maximum(0.0, np.maximum(low - place, place - high))))
        if outside <= FAR * span:
            continue
        x, y, z = (float(v) for v in place - assembly.origin)
        sentence = (
            f"{who}: {owners[body.name]}: body {body.name!r} has its centre at "
            f"({x:.4g}, {y:.4g}, {z:.4g}) m, {outside:.3g} m from where the wheels are, which span "
            f"{span:.3g} m"
        )
        if outside > TOO_FAR * span:
            raise checks.MechanismError(f"{sentence}; it must lie within {TOO_FAR * span:.3g} m.")
        warnings.warn(f"{sentence}; is that meant?", UnlikelyVehicle, stacklevel=4)


def shares(assembly: Assembly, gravity: float) -> dict[str, float]:
    """Loads of the wheels [N] that balance the weight, the smallest ones in the mean square."""
    mass = np.array([body.mass for body in assembly.bodies])
    at = np.array([body.position for body in assembly.bodies])
    centre = mass @ at / mass.sum()
    arms = np.array([np.subtract(wheel.centre, centre)[:2] for wheel in assembly.wheels])
    rows = np.vstack([np.ones(len(arms)), arms.T])
    loads = np.linalg.lstsq(rows, np.array([mass.sum() * gravity, 0.0, 0.0]), rcond=None)[0]
    return {w.name: float(f) for w, f in zip(assembly.wheels, loads, strict=True)}


def check_springs(who: str, assembly: Assembly, parts: Any, gravity: float) -> None:
    """Refuse springs of wheels that cannot carry them, however far they are pressed.

    Raises:
        MechanismError: naming the part, what its springs push with and what their wheels carry.
    """
    if not assembly.wheels or gravity == 0.0:
        return
    springs = {e.name: e for e in assembly.elements if isinstance(e, SpringDamper)}
    for wheel, load in shares(assembly, gravity).items():
        spring = springs.get(f"{wheel} spring")
        if spring is None or not spring.spring_table or spring.free_length is None or load <= 0.0:
            continue
        free, length = spring.free_length, spring.described_length
        at_rest, most = (-tension(spring.spring_table, x - free) for x in (length, SHORTEST * free))
        if max(most, at_rest) >= WEAK * load > -at_rest:
            continue
        part = next((p.who for p in parts if p.name == axle_of(wheel)), f"wheel {wheel!r}")
        if max(most, at_rest) < WEAK * load:
            says = f"pushes with {most:.4g} N at most, pressed to {SHORTEST:g} of its free length"
        else:
            says = f"pulls with {-at_rest:.4g} N in the described pose, at a length of {length:.4g} m"
        raise checks.MechanismError(
            f"{who}: {part}: its spring {says}, and its wheel carries about {load:.4g} N; check "
            "spring_table (elongation, tension: a pressed spring has both below 0) and free_length."
        )


def tension(table: Any, elongation: float) -> float:
    """Of a spring's table at an elongation [m], its end slopes going on [N]."""
    x, y = np.transpose(table)
    k = int(np.clip(np.searchsorted(x, elongation) - 1, 0, len(x) - 2))
    slope = (y[k + 1] - y[k]) / (x[k + 1] - x[k])
    return float(y[k] + slope * (elongation - x[k])) if math.isfinite(slope) else float(y[k])
