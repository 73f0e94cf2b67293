"""Shipped machines with hydraulic cylinders."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .checks import checked
from .hydraulics.circuit import Circuit
from .mounting import with_signals
from .signals import Signal

if TYPE_CHECKING:
    from .mechanism import Mechanism

SHIPPED = Path(__file__).parent / "hydraulics"


@checked
def backhoe(signals: Mapping[str, Signal] | None = None, **circuit: Any) -> Mechanism:
    """Backhoe of a loader of some 8 t, mounted on the ground: 16 bodies, five cylinders, 4 degrees of
    freedom.

    The swing axis is at the origin, x outward, z up. The data are our estimates, not measurements.

    Arguments:
        signals: schedules instead of the backhoe's inputs: "swing lever" (positive: to the left), "boom
            lever" (up), "crowd lever" (in), "bucket lever" (curl), all from -1 to 1; "load", weight in
            the bucket [N]; "digging force" on the bucket's tip, perpendicular to the bucket and against
            the curl [N].
        circuit: fields of the backhoe's :class:`Circuit`: ``pumps``, ``integration``, ``fluid``, ...

    Raises:
        UnknownName: a signal whose name is no input. MechanismError: a field that the circuit refuses.
    """
    from .files import read_mechanism

    found = read_mechanism(SHIPPED / "backhoe.toml")
    elements = [
        dataclasses.replace(e, **circuit) if isinstance(e, Circuit) else e for e in found.elements
    ]
    return with_signals(dataclasses.replace(found, elements=tuple(elements)), signals or {})


@checked
def backhoe_loader(signals: Mapping[str, Signal] | None = None, **contact: Any) -> Mechanism:
    """The shipped vehicle "backhoe_loader": the backhoe on a tractor with stabilisers on the soil.

    The brakes are closed and the gearbox is in neutral (inputs "brake" and "gear").

    Arguments:
        signals: schedules instead of inputs of tractor or backhoe, by name.
        contact: contact of wheels and stabilisers, as in :func:`bodies.vehicle.load`:
            ``regularisation``, ``cone_index`` [Pa], ...

    Raises:
        UnknownName: a signal whose name is no input.
    """
    from . import vehicle

    return vehicle.load("backhoe_loader", controls=signals, **contact)
