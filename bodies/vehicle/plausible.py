"""Checks whether a vehicle's numbers are plausible: distances of bodies, loads of springs."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mlcp.warned import SentenceWarning

from .. import checks
from ..body import inertia_matrix
from ..driveline.outside_table import line
from ..forces import SpringDamper
from .part import Assembly
from .rolling import axle_of

SHORTEST_SPRING = 0.5  # [-] length over free length at which a spring must carry its load
LEAST_LOAD_RATIO = 0.2  # [-] least spring force over wheel load; below 1: levers change the force


class UnlikelyVehicle(SentenceWarning):
    """An implausible number in a vehicle's file; the message names the part and the number."""


def check_places(who: str, assembly: Assembly, owners: Mapping[str, str]) -> None:
    """Warn of bodies far from the wheels, or with a radius of gyration beyond the vehicle's size; raise
    MechanismError for bodies still farther away.

    Arguments: who: name of the vehicle in messages; owners: part of each body to be checked.

    Raises:
        MechanismError: naming the part, the body and its position.
    """
    for body in assembly.bodies:
        if body.name not in owners or not assembly.wheels:
            continue
        outside, span = outside_of(assembly.wheels, body.position)
        gyration = math.sqrt(np.linalg.eigvalsh(inertia_matrix(body.name, body.inertia))[-1] / body.mass)
        if gyration > 1.5 * span:
            warnings.warn(
                f"{who}: {owners[body.name]}: body {body.name!r} of {body.mass:g} kg has a radius of "
                f"gyration of {gyration:.3g} m, its wheels span {span:.3g} m; is its mass in kg?",
                UnlikelyVehicle,
                stacklevel=4,
            )
        if outside <= 1.5 * span:
            continue
        x, y, z = (float(v) for v in body.position - assembly.origin)
        sentence = (
            f"{who}: {owners[body.name]}: body {body.name!r} has its centre at "
            f"({x:.4g}, {y:.4g}, {z:.4g}) m, {outside:.3g} m from where the wheels are, which span "
            f"{span:.3g} m"
        )
        if outside > (largest := 5.0 * span):
            raise checks.MechanismError(f"{sentence}; it must lie within {largest:.3g} m.")
        warnings.warn(f"{sentence}; is that meant?", UnlikelyVehicle, stacklevel=4)


def check_hitch(who: str, ball: Any, leading: Sequence[Assembly]) -> None:
    """Raise MechanismError if a trailer's hitch is far from all wheels before it.

    Arguments: who: name of the trailer in messages; ball: position of the hitch [m], world axes;
    leading: towing vehicle, and trailers between.
    """
    wheels = [wheel for assembly in leading for wheel in assembly.wheels]
    outside, span = outside_of(wheels, ball) if wheels else (0.0, 0.0)
    if outside > 1.5 * span:
        raise checks.MechanismError(
            f"{who}: its hitch lies {outside:.3g} m from the wheels of {leading[0].name!r}; shift the "
            "origin [m] of a trailer with that of its towing vehicle."
        )


def outside_of(wheels: Sequence[Any], place: Any) -> tuple[float, float]:
    """Distance [m] of a point from the box around the centres of wheels, and the vehicle's size [m], the
    box's diagonal, at least 2 m."""
    centres = np.array([wheel.centre for wheel in wheels])
    low, high = centres.min(axis=0), centres.max(axis=0)
    outside = np.maximum(0.0, np.maximum(low - place, place - high))
    return float(np.linalg.norm(outside)), max(2.0, float(np.linalg.norm(high - low)))


def wheel_loads(assembly: Assembly, gravity: float) -> dict[str, float]:
    """Estimated static loads of the wheels [N]: of all loads in equilibrium with the weight, those with
    the least sum of squares."""
    mass = np.array([body.mass for body in assembly.bodies])
    at = np.array([body.position for body in assembly.bodies])
    centre = mass @ at / mass.sum()
    arms = np.array([np.subtract(wheel.centre, centre)[:2] for wheel in assembly.wheels])
    rows = np.vstack([np.ones(len(arms)), arms.T])
    loads = np.linalg.lstsq(rows, np.array([mass.sum() * gravity, 0.0, 0.0]), rcond=None)[0]
    return {w.name: float(f) for w, f in zip(assembly.wheels, loads, strict=True)}


def check_springs(who: str, assembly: Assembly, parts: Any, gravity: float) -> None:
    """Check that the springs carry a fifth of their wheels' loads at half their free length or in the
    described pose, and there do not pull as much.

    Raises:
        MechanismError: naming the part, the force of its springs and the load of their wheels.
    """
    if not assembly.wheels or gravity == 0.0:
        return
    springs = {e.name: e for e in assembly.elements if isinstance(e, SpringDamper)}
    for wheel, load in wheel_loads(assembly, gravity).items():
        spring = springs.get(f"{wheel} spring")
        if spring is None or not spring.spring_table or spring.free_length is None or load <= 0.0:
            continue
        free, length = spring.free_length, spring.described_length
        at_rest, most = (-line(spring.spring_table, x - free) for x in (length, SHORTEST_SPRING * free))
        if max(most, at_rest) >= LEAST_LOAD_RATIO * load > -at_rest:
            continue
        part = next((p.who for p in parts if p.name == axle_of(wheel)), f"wheel {wheel!r}")
        if max(most, at_rest) < LEAST_LOAD_RATIO * load:
            says = f"pushes with {most:.4g} N at most, pressed to {SHORTEST_SPRING:g} of its free length"
        else:
            says = f"pulls with {-at_rest:.4g} N in the described pose, at a length of {length:.4g} m"
        raise checks.MechanismError(
            f"{who}: {part}: its spring {says}, and its wheel carries about {load:.4g} N; check "
            "spring_table (elongation, tension: a pressed spring has both below 0) and free_length."
        )
