"""Lumped vehicle from a vehicle's file."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bodies import vehicle as vehicles
from bodies.vehicle import (
    AutomaticTransmission,
    ClutchAndGearbox,
    CombustionEngine,
    FinalDrive,
    Vehicle,
)
from contact import WheelContact, checks
from mlcp.kinds import checked

from ..kernels.balance import GRAVITY
from .powertrain import gears_of
from .suspension import AXLES, Give, carried, give
from .twist import body_of, twisted
from .vehicle import Axle, LumpedVehicle


@checked
def lumped(vehicle: str | Path | Vehicle, **changes: Any) -> LumpedVehicle:
    """Make the lumped vehicle of a described vehicle.

    Arguments:
        vehicle: name of a shipped vehicle, a file, or a ``bodies.vehicle.Vehicle``.
        changes: fields of ``LumpedVehicle`` that are not in the file, such as ``drag_area`` [m^2].

    Lockable and torque-sensing differentials are taken as open.

    Raises:
        ValueError: a vehicle without a supported axle, engine, gearbox or final drive, or with two
            different wheels on an axle; names the part.
    """
    described = vehicle if isinstance(vehicle, Vehicle) else vehicles.read(vehicle)
    drives = {p.name: p for p in described.parts if isinstance(p, FinalDrive)}
    parts = [p for p in described.parts if isinstance(p, AXLES)]
    engines = [p for p in described.parts if isinstance(p, CombustionEngine)]
    boxes = [p for p in described.parts if isinstance(p, ClutchAndGearbox | AutomaticTransmission)]
    for found, what in (
        (parts, "axle on double wishbones, rigid, on trailing arms, rocking or mounted to its frame"),
        (engines, "engine"),
        (boxes, "gearbox"),
        ([p for p in parts if p.name in drives], "final drive"),
    ):
        if not found:
            raise ValueError(f"vehicle {described.name!r} has no {what}: a map needs one")
    mechanism = described.mechanism()
    masses = np.array([b.mass for b in mechanism.bodies])
    places = np.array([b.position for b in mechanism.bodies])
    centre = masses @ places / masses.sum()
    where = {b.name: np.array(b.position) - centre for b in mechanism.bodies}
    contacts = [_contact(described, p.name) for p in parts]
    first = first_drive(described, parts, drives)
    usual = _contact(described, first.name)
    axles, lowest = [], []
    for part, contact in zip(parts, contacts, strict=True):
        left, right = (where[f"{part.name}_{side} wheel"] for side in ("left", "right"))
        drive = drives.get(part.name)
        on = drive is not None and drive.on == body_of(part)
        pieces = [drive.pinion, *([drive.output] * 2 if drive.output else [])] if drive and on else []
        springs = give(part, contact.tyre.radius, drive=sum(piece.mass for piece in pieces))
        lowest.append(0.5 * (left + right)[2] - contact.tyre.radius)
        pressed = carried(part) + springs.unsprung * GRAVITY
        axles.append(
            Axle(
                0.5 * (left + right)[0],
                0.5 * abs(left - right)[1],
                drive is not None,
                springs,
                None if contact == usual else contact,
                abs(drive.ratio / first.ratio) if drive else 1.0,
                _reaching(lowest[-1], pressed, springs, contact) if np.isfinite(pressed) else None,
            )
        )
    fields: dict[str, Any] = {
        "name": described.name,
        "mass": float(masses.sum()),
        "height": -float(np.mean(lowest)),
        "axles": tuple(axles),
        "contact": usual,
        "gears": gears_of(
            engines[0], boxes[0], [first, *(d for d in drives.values() if d is not first)]
        ),
        "brakes": sum(
            2.0 * p.brake_capacity * usual.tyre.radius / c.tyre.radius
            for p, c in zip(parts, contacts, strict=True)
        ),
        "open_axles": all(p.differential != "locked" for p in drives.values()),
    }
    known = LumpedVehicle.__dataclass_fields__
    for name in changes:
        checks.known("field of LumpedVehicle", name, known)
    made = LumpedVehicle(**(fields | changes))
    if "height" not in changes:  # from the line through the wheels' lowest points
        made = dataclasses.replace(made, height=-float(made.loads @ np.array(lowest)) / made.weight)
    return twisted(at_rest(made, parts), described, parts)


def at_rest(made: LumpedVehicle, parts: Sequence[Any]) -> LumpedVehicle:
    """Vehicle with its springs linearised at the axle loads on the level."""
    axles = []
    for axle, part, load in zip(made.axles, parts, made.loads, strict=True):
        if not np.isfinite(axle.give.stiffness):
            axles.append(axle)
            continue
        contact, unsprung = axle.contact or made.contact, axle.give.unsprung
        known = give(part, contact.tyre.radius, float(load) - unsprung * GRAVITY)
        axles.append(dataclasses.replace(axle, give=dataclasses.replace(known, unsprung=unsprung)))
    return dataclasses.replace(made, axles=tuple(axles))


def first_drive(described: Vehicle, parts: Sequence[Any], drives: Mapping[str, Any]) -> Any:
    """Final drive of the reference wheels: those with the tyre that the file gives for all wheels."""
    driven = [p.name for p in parts if p.name in drives]
    usual = [name for name in driven if _contact(described, name) == described.wheel]
    return drives[(usual or driven)[0]]


def _contact(described: Vehicle, axle: str) -> WheelContact:
    left, right = (described.rolling(f"{axle}_{side}").contact for side in ("left", "right"))
    if left != right:
        raise ValueError(
            f"vehicle {described.name!r} has two different wheels on its axle {axle!r}: a map needs "
            "them alike"
        )
    return left


def _reaching(lowest: float, pressed: float, springs: Give, contact: WheelContact) -> float:
    """Load [N] of an axle lowered onto tyres with lowest points at ``lowest`` [m].

    ``pressed``: first guess [N]. For several axles only the differences of ``lowest`` matter.
    """
    wheel = 0.5 * pressed
    flat, more = contact.static_compression(wheel), contact.static_compression(1.1 * wheel)
    yields = 1.0 / springs.stiffness + (more - flat) / (0.1 * pressed)
    return pressed - (lowest + flat) / yields
