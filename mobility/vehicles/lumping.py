"""Lumped vehicle from a vehicle's file."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bodies import vehicle as vehicles
from bodies.vehicle import (
    AutomaticTransmission,
    ClutchAndGearbox,
    CombustionEngine,
    FinalDrive,
    HubDrives,
    Vehicle,
)
from contact import WheelContact, checks
from mlcp.kinds import checked

from .powertrain import GearStage, gears_of, hub_stage
from .suspension import AXLES, Give, axle_compliance, carried, supports
from .twist import body_of, twisted
from .vehicle import Axle, LumpedVehicle


@checked
def lumped(
    vehicle: str | Path | Vehicle,
    *,
    transfers: Sequence[float] = (),
    allowed_gears: Sequence[int] = (),
    **changes: Any,
) -> LumpedVehicle:
    """Make the lumped vehicle of a described vehicle.

    Arguments:
        vehicle: name of a shipped vehicle, a file, or a ``bodies.vehicle.Vehicle``.
        transfers: permitted ratios of the transfer case [-], each above 0; default: that of the file.
        allowed_gears: numbers of the permitted gears, from 1; default: all.
        changes: fields of ``LumpedVehicle`` that are not in the file, such as ``drag_area`` [m^2].

    Lockable and torque-sensing differentials are taken as open. Hub drives are taken as a shaft of all
    driven wheels with the sum of their torques; they also brake, with their torque at standstill.

    Raises:
        ValueError: a vehicle without a supported axle, or without engine, gearbox and final drive or hub
            drives; two different wheels on an axle, a bogie with unequal levers; names the part.
    """
    described = vehicle if isinstance(vehicle, Vehicle) else vehicles.read(vehicle)
    found = _parts_of(described)
    drives, hubs, axles, driven = found.drives, found.hubs, found.axles, found.driven
    mechanism = described.mechanism()
    masses = np.array([b.mass for b in mechanism.bodies])
    places = np.array([b.position for b in mechanism.bodies])
    centre = masses @ places / masses.sum()
    where = {b.name: np.array(b.position) - centre for b in mechanism.bodies}
    origin = described.origin[0] - centre[0]
    contacts = {axle.name: _contact(described, axle.name) for axle in axles}
    reference = reference_axle(described, [a.name for a in axles if a.name in driven])
    usual, first = contacts[reference], drives.get(reference)
    gravity = float(np.linalg.norm(described.gravity.acceleration))
    made_axles, lowest, brakes = [], [], 0.0
    for axle in axles:
        part, contact, drive = axle.part, contacts[axle.name], drives.get(axle.name)
        left, right = (where[f"{axle.name}_{side} wheel"] for side in ("left", "right"))
        on = drive is not None and drive.on == body_of(part)
        pieces = [drive.pinion, *([drive.output] * 2 if drive.output else [])] if drive and on else []
        springs = axle_compliance(part, contact.tyre.radius, drive=sum(piece.mass for piece in pieces))
        lowest.append(0.5 * (left + right)[2] - contact.tyre.radius)
        pressed = carried(part) + springs.unsprung * gravity
        made_axles.append(
            Axle(
                0.5 * (left + right)[0] if axle.along is None else axle.along + origin,
                0.5 * abs(left - right)[1],
                axle.name in driven,
                springs,
                None if contact == usual else contact,
                _ratio(drive, first, contact.tyre.radius / usual.tyre.radius),
                _reaching(lowest[-1], pressed, springs, contact) if np.isfinite(pressed) else None,
            )
        )
        capacity = getattr(part, "brake_capacity", 0.0)
        brakes += 2.0 * capacity * usual.tyre.radius / contact.tyre.radius
    radii = {name: contact.tyre.radius for name, contact in contacts.items()}
    gears, gearing = _gears(described, found, reference, radii, transfers, allowed_gears)
    if hubs:
        brakes += float(gears[0].torque[0])  # hub drives brake by a backward command
    fields: dict[str, Any] = {
        "name": described.name,
        "mass": float(masses.sum()),
        "height": -float(np.mean(lowest)),
        "axles": tuple(made_axles),
        "contact": usual,
        "gears": gears,
        "brakes": brakes,
        "open_axles": not hubs and all(p.differential != "locked" for p in drives.values()),
        "gravity": gravity,
        "gearing": gearing,
    }
    known = LumpedVehicle.__dataclass_fields__
    for name in changes:
        checks.known("field of LumpedVehicle", name, known)
    made = LumpedVehicle(**(fields | changes))
    if "height" not in changes:  # above the wheels' lowest points, whose mean is weighted by the loads
        made = dataclasses.replace(made, height=-float(made.loads @ np.array(lowest)) / made.weight)
    parts = [axle.part for axle in axles]
    return twisted(at_rest(made, parts), described, parts)


class _Parts(NamedTuple):
    """Parts of a vehicle that a map needs."""

    drives: dict[str, FinalDrive]  # final drives by the names of their axles
    hubs: list[HubDrives]
    axles: list[Any]  # each a ``Support``
    engines: list[CombustionEngine]
    boxes: list[Any]
    driven: set[str]  # names of the driven axles


def _parts_of(described: Vehicle) -> _Parts:
    """Axles and drives of a vehicle; ValueError for a missing one."""
    drives = {p.name: p for p in described.parts if isinstance(p, FinalDrive)}
    hubs = [p for p in described.parts if isinstance(p, HubDrives)]
    axles = [s for p in described.parts if isinstance(p, AXLES) for s in supports(p)]
    engines = [p for p in described.parts if isinstance(p, CombustionEngine)]
    boxes = [p for p in described.parts if isinstance(p, ClutchAndGearbox | AutomaticTransmission)]
    driven = {axle for hub in hubs for axle in hub.axles} if not engines else set(drives)
    for found, what in (
        (axles, "axle on double wishbones, rigid, on trailing arms or bogies, rocking or on its frame"),
        (engines or hubs, "engine and no hub drives"),
        (boxes or not engines, "gearbox"),
        ([a for a in axles if a.name in driven], "final drive" if engines else "driven axle"),
    ):
        if not found:
            raise ValueError(f"vehicle {described.name!r} has no {what}: a map needs one")
    if engines and hubs:
        raise ValueError(
            f"vehicle {described.name!r} has an engine and hub drives: a map needs one kind"
        )
    return _Parts(drives, hubs, axles, engines, boxes, driven)


def _gears(
    described: Vehicle,
    parts: _Parts,
    reference: str,
    radii: dict[str, float],
    transfers: Sequence[float],
    allowed: Sequence[int],
) -> tuple[tuple[GearStage, ...], str]:
    """Stages of the gearbox or of the hub drives, and their description; radii: of the tyres [m]."""
    if parts.hubs:
        _no_gears(described, transfers, allowed, 0)
        return (hub_stage(parts.hubs, radii, radii[reference]),), "hub drives"
    box, main = parts.boxes[0], parts.drives[reference]
    ratios = tuple(float(ratio) for ratio in transfers)
    _no_gears(described, transfers, allowed, len(box.ratios))
    others = [d for d in parts.drives.values() if d is not main]
    gears = gears_of(parts.engines[0], box, [main, *others], ratios, allowed)
    numbers = ", ".join(map(str, allowed or range(1, len(box.ratios) + 1)))
    ranges = " and ".join(f"{ratio:g}" for ratio in ratios or (box.transfer_ratio,))
    return gears, f"gears {numbers}, transfer ratio {ranges}"


def at_rest(made: LumpedVehicle, parts: Sequence[Any]) -> LumpedVehicle:
    """Vehicle with its springs linearised at the axle loads on the level."""
    axles = []
    for axle, part, load in zip(made.axles, parts, made.loads, strict=True):
        if not np.isfinite(axle.give.stiffness):
            axles.append(axle)
            continue
        contact, unsprung = axle.contact or made.contact, axle.give.unsprung
        known = axle_compliance(part, contact.tyre.radius, float(load) - unsprung * made.gravity)
        axles.append(dataclasses.replace(axle, give=dataclasses.replace(known, unsprung=unsprung)))
    return dataclasses.replace(made, axles=tuple(axles))


def reference_axle(described: Vehicle, driven: Sequence[str]) -> str:
    """Driven axle of the reference wheels: those with the tyre that the file gives for all wheels."""
    usual = [name for name in driven if _contact(described, name) == described.wheel]
    return (usual or driven)[0]


def _no_gears(
    described: Vehicle, transfers: Sequence[float], allowed: Sequence[int], gears: int
) -> None:
    """Raise ValueError for ratios of a transfer case and gears that the vehicle cannot have."""
    if not gears and (transfers or allowed):
        raise ValueError(f"vehicle {described.name!r} has hub drives and no gears to choose from")
    for ratio in transfers:
        checks.positive("lumped", "transfers", ratio)
    for gear in allowed:
        checks.known(f"gear of {described.name!r}", str(gear), [str(k) for k in range(1, gears + 1)])


def _ratio(drive: FinalDrive | None, first: FinalDrive | None, larger: float) -> float:
    """Final-drive ratio of an axle over that of the reference axle [-]; for hub drives the ratio of the
    wheels' radii, ``larger``, since all wheels have one speed over ground.
    """
    if first is None:
        return larger
    return 1.0 if drive is None else abs(drive.ratio / first.ratio)


def _contact(described: Vehicle, axle: str) -> WheelContact:
    left, right = (described.rolling(f"{axle}_{side}").contact for side in ("left", "right"))
    if left != right:
        raise ValueError(
            f"vehicle {described.name!r} has two different wheels on its axle {axle!r}: a map needs "
            "them alike"
        )
    return left


def _reaching(lowest: float, pressed: float, springs: Give, contact: WheelContact) -> float:
    """Load [N] of an axle whose undeflected tyres would reach down to the height ``lowest`` [m].

    The ground is at height 0. ``pressed``: load of the axle in the pose of the description [N]. Only
    the differences of ``lowest`` between the axles matter.
    """
    wheel = 0.5 * pressed
    flat, more = contact.static_compression(wheel), contact.static_compression(1.1 * wheel)
    yields = 1.0 / springs.stiffness + (more - flat) / (0.1 * pressed)
    return pressed - (lowest + flat) / yields
