"""Build the arrays of the contact kernels from the descriptions of the wheels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlcp.compiled.records import Records
from mlcp.kernels.numbered import work_length

from .grounds import count_of_mixtures, grounds_of, most_soils, soils_of
from .kernels.laws.lateral import CROLLA, LATERAL_FLOATS, NONE
from .kernels.laws.law import LAW_FLOATS
from .kernels.wheel import layout as at
from .kernels.wheel.data import Contact, Wheel, WheelStep
from .normal import series_table
from .wheel import WheelContact


def describe_wheels(
    wheels: Sequence[WheelContact], grounds: Sequence[Any]
) -> tuple[dict[str, Any], int]:
    """Return the arrays of the kernels' class ``kernels.wheel.data.Wheels`` by name, and the number of
    rows of the contact problem that belong to wheels."""
    count = len(wheels)
    each = Records.of(Wheel, count)
    lateral, found, tables, deepest, first, row = [], [], [], [], [], 0
    laws, sides = [], []
    for i, wheel in enumerate(wheels):
        first.append(len(found))
        spin = False
        for there in soils_of(wheel, grounds[i]):
            law, side = there.ground_law, there.lateral
            table, end = series_table(there.tyre, there.bearing)
            tables.append(table)
            deepest.append(end)
            law.check(there.tyre, there.ground)
            p = np.asarray(law.parameters(there.tyre, there.ground))
            found.append(p)
            spin = spin or law.pushes(p)
            laws.append(law.number)
            sideways = np.zeros(LATERAL_FLOATS)
            if side is not None:
                sideways = side.parameters(there.tyre, there.lateral_ground)
            lateral.append(sideways)
            sides.append(NONE if side is None else side.number)
        for of_each in (tables, deepest, found, laws, lateral, sides):
            # append the entries that each step overwrites with parameters interpolated between two
            # cone indices
            of_each += of_each[-1:] * count_of_mixtures(grounds[i])
        made = each[i]
        made.channel, made.row = i * at.CHANNELS, row
        made.scheme = at.IMPLICIT if wheel.scheme.repeats else at.KEPT
        if wheel.lugre:
            made.scheme = at.LUGRE
        made.line, made.static_friction = (
            wheel.scheme.number,
            int(wheel.scheme.static_friction and not wheel.lugre),
        )
        made.smooth_slip, made.ellipse = int(wheel.slip == "smooth"), int(wheel.ellipse)
        shared = wheel.ellipse and wheel.lateral is not None
        made.sliding = int(shared and wheel.combination == "sliding")
        made.spin_row, made.lateral_row = row + at.ROWS if spin else -1, -1
        row += at.ROWS + int(spin)
        if wheel.lateral is not None:
            made.lateral_row = row
            made.side_by_load = int(any(side != CROLLA for side in sides[first[-1] :]))
            row += 2
        made.softens, made.ploughs = int(wheel.softens), int(wheel.ploughs)
        made.digs, made.tyre_stiffness = int(wheel.slip_sinkage), wheel.tyre.stiffness
        made.v_0, made.v_min, made.eta_n = wheel.v_0, wheel.v_min, wheel.damping_time
        made.resists = 1.0
        made.relaxes, made.relaxation = int(wheel.relaxation_length > 0.0), wheel.relaxation_length
        if wheel.lugre is not None:
            made.sigma_0, made.sigma_1, made.sigma_2, made.stribeck_velocity, made.stribeck_angle = (
                wheel.lugre.numbers()
            )
    longest = max(LAW_FLOATS, *(p.size for p in found))
    parameters = np.zeros((len(found), longest))
    side = np.zeros((len(found), max(p.size for p in lateral)))
    for i, (p, side_parameters) in enumerate(zip(found, lateral, strict=True)):
        parameters[i, : p.size], side[i, : side_parameters.size] = p, side_parameters
    now = Records.of(WheelStep, count)
    now.share[:] = 1.0
    most = max(most_soils(terrain) for terrain in grounds)
    variant, weight = np.zeros((count, most), dtype=np.int64), np.zeros((count, most))
    variant[:, 0], weight[:, 0] = first, 1.0
    arrays = dict(
        each=each, laws=np.array(laws), sides=np.array(sides), law=parameters, lateral=side,
        normal=np.stack(tables),
        deepest=np.array(deepest), variant=variant, weight=weight, now=now,
    )  # fmt: skip
    return arrays, row


def number_rows(wheels: Any, wheel_rows: int, extra: int) -> dict[str, NDArray[Any]]:
    """Return, for each row of the contact problem, the numbers of the channel (contact velocity) on
    which it acts and of the channel that it subtracts (-1: none): wheels' rows, then the host's own;
    and the work array of the solvers."""
    count, rows = len(wheels), wheel_rows + extra
    channel, minus = np.zeros(rows, dtype=np.int64), np.full(rows, -1, dtype=np.int64)
    own = np.array([at.NORMAL, at.SLIDING, at.SLIDING, at.CENTRE])  # channel of each row of a wheel
    for i in range(count):
        wheel = wheels[i]
        first, at_wheel, sideways = wheel.row, wheel.channel, wheel.lateral_row
        channel[first : first + at.ROWS] = at_wheel + own
        if wheel.spin_row >= 0:  # the spin row acts on omega r = v_x - v_t
            channel[wheel.spin_row] = at_wheel + at.CENTRE
            minus[wheel.spin_row] = at_wheel + at.SLIDING
        if sideways >= 0:
            channel[sideways : sideways + 2] = at_wheel + at.LATERAL
    channel[wheel_rows:] = count * at.CHANNELS + np.arange(extra)
    return dict(channel=channel, minus=minus, work=np.zeros(work_length(rows)))


def set_rasters(described: dict[str, Any], each: Any) -> None:
    """Count the leading law parameters that vary with the cone index, for each wheel on a raster.

    A step interpolates only these parameters between two tabulated cone indices.
    """
    for i in range(len(each)):
        under = each[i]
        if under.levels_of_strength > 0:
            first = under.first_variant + (1 + under.patches) * under.levels
            for name, table in (("law_floats", "law"), ("lateral_floats", "lateral")):
                rows = described[table][first : under.between]
                changed = np.flatnonzero((rows != rows[0]).any(axis=0))
                setattr(under, name, int(changed.max(initial=-1)) + 1)


def contact_memory(
    wheels: Sequence[WheelContact], terrains: Sequence[Any], extra: int, settings: Any
) -> tuple[Any, int]:
    """Allocate the memory of a contact problem with ``extra`` rows of the host; return it and the number
    of rows that belong to wheels."""
    described, wheel_rows = describe_wheels(wheels, terrains)
    rows = number_rows(described["each"], wheel_rows, extra)
    grounds = grounds_of(wheels, terrains)
    set_rasters(described, grounds["each"])
    count = len(wheels)
    sizes = {"wheels": count, "rows": wheel_rows + extra, "channels": at.CHANNELS * count + extra}
    data = Contact.made(sizes, wheels=described, rows=rows, grounds=grounds, settings=settings)
    return data, wheel_rows
