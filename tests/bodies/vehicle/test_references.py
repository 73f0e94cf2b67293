"""Parts that do not fit together: messages in the words of the vehicle's file."""

import dataclasses

import pytest

from bodies import MechanismError, vehicle
from tests.refusals import refusals


def with_field(name, kind, field, wrong):
    found = vehicle.read(name)
    (part,) = (p for p in found.parts if type(p).__name__ == kind)
    return found.with_part(type(part), part.name, **{field: wrong})


test_the_part_its_field_and_the_nearest_name = refusals(
    (("tractor", "BeamSteering", "axle", "rear"), "'steering': axle: 'rear' is unknown; known: front"),
    (("tractor", "BeamSteering", "on", "fram"), "on: 'fram' is unknown; did you mean 'frame'"),
    (("truck", "DragLinkSteering", "axle", "frnt"), "axle: 'frnt' is unknown; did you mean 'front'"),
    (("forwarder", "ArticulatedSteering", "rear", "rear fram"), "rear.*did you mean 'rear frame'"),
    (("hmmwv", "CombustionEngine", "on", "fram"), "on: 'fram' is unknown; did you mean 'frame'"),
    (("truck", "DragLinkSteering", "arm_end", (7.5e-7, 0.645, 0.81)), "7.5e-07 m .* no drag link"),
    (("hmmwv", "PropellerShaft", "end", (0, 0, 0.12)), "ends of 'propeller shaft front half' coincide"),
    of=lambda given: with_field(*given).mechanism(),
    error=MechanismError,
)


def test_a_trailer_alone_is_refused_with_the_way_to_tow_it():
    trailer = vehicle.read("trailer")
    with pytest.raises(MechanismError, match=r"'trailer' is towed.*mechanism\(towing="):
        trailer.mechanism()
    assert vehicle.read("hmmwv").mechanism(towing=(trailer,)).wheels[4:]


def test_a_trailer_stays_behind_a_vehicle_elsewhere():
    """A trailer 15 m beside its towing vehicle was coupled by an arm of this length."""
    ahead = dataclasses.replace(vehicle.read("hmmwv"), origin=(10.0, 5.0, 0.4243))
    trailer = vehicle.read("trailer")
    with pytest.raises(
        MechanismError, match=r"'trailer': its hitch lies 11.* m from the wheels of 'hmm"
    ):
        ahead.mechanism(towing=(trailer,))
    x, y, z = trailer.origin
    there = dataclasses.replace(trailer, origin=(x + 10.0, y + 5.0, z))
    assert ahead.mechanism(towing=(there,)).wheels[4:]
    with pytest.raises(
        MechanismError, match=r"vehicle 'trailer': origin \[m\] must be 3 finite numbers"
    ):
        ahead.mechanism(towing=(dataclasses.replace(trailer, origin=(4.8, 5.0)),))
