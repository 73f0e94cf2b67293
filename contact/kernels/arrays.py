"""The flat arrays of the contact solve, bundled so that a kernel's arguments can be read.

Named tuples of arrays: Numba passes them into compiled code as they are. Columns: ``layout``.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Wheels(NamedTuple):
    """The wheels: what describes them (constant in a run) and what a step works with."""

    ints: Any  # (wheels, WHEEL_INTS) int64
    floats: Any  # (wheels, WHEEL_FLOATS)
    law: Any  # (variants, longest) parameters of the ground law, for each wheel and soil of its
    lateral: Any  # (variants, LATERAL_FLOATS) of the lateral law
    table: Any  # (variants, points, 2) normal force over compression [N]
    deepest: Any  # (variants,) compression at the end of the table [m]
    variant: Any  # (wheels, most) int64: the soils that each wheel stands on
    weight: Any  # (wheels, most) and their weights, which sum to 1; a 0 ends the list
    now: Any  # (wheels, WHEEL_WORK) linearisation point and bracket
    bristle: Any  # (wheels, BRISTLES) LuGre's state [m]


class Rows(NamedTuple):
    """The rows of the reduced problem, its dense form and its solution."""

    channel: Any  # (rows,) int64: the channel each row acts on
    minus: Any  # (rows,) int64: a channel that counts negative for the row, -1: none
    e: Any  # (rows,) compliance [1/kg]
    bias: Any  # (rows,) [m/s]
    lower: Any  # (rows,) [N s]
    upper: Any  # (rows,) [N s]
    z: Any  # (rows,) impulses, warm start and solution [N s]
    active: Any  # (rows,) int64: -1 at lower, 0 free, 1 at upper
    A: Any  # (rows, rows) [1/kg]
    b: Any  # (rows,) [m/s]
    work: Any  # workspace of the direct solver
    q: Any  # (channels,) channel impulses [N s]
    u: Any  # (channels,) end-of-step channel velocities [m/s]
    report: Any  # (REPORT,) residual, passes, missed, agreement


class Grounds(NamedTuple):
    """What lies under the wheels where it varies. Columns: ``ground``."""

    ints: Any  # (wheels, GROUND_INTS) int64
    floats: Any  # (wheels, GROUND_FLOATS)
    patches: Any  # (patches, PATCH_FLOATS)
    memory: Any  # what wheels have left behind, flat: part of the state
    rut: Any  # (wheels,) depth of the rut that each wheel stands in [m]
