"""A gearbox with automatic shifts: its input signal is the engaged gear, its constraint row models the
clutch of this gear."""

import math

from mlcp.compiled.branches import where
from mlcp.jit import kernel

from ...kernels.codes import DOWNSHIFT
from ...kernels.combination import bounded_row, combine
from ...kernels.tables import value_at


@kernel
def shifted(run, it, gear):
    """Gear after a possible shift from the forward gear ``gear``, by the two shift lines."""
    throttle = min(max(run.input[it.signal[1]], 0.0), 1.0)
    speed = run.coordinate_rate[it.term[3]]
    up, _ = value_at(run, it.table[1], throttle)
    down, _ = value_at(run, it.table[1], throttle + DOWNSHIFT)
    own, _ = value_at(run, it.table[0], gear)
    below, _ = value_at(run, it.table[0], max(gear - 1.0, 1.0))
    higher = (own * speed > up) & (gear < it.p[0])
    lower = (below * speed < down) & (gear > 1.0)
    return where(higher, gear + 1.0, where(lower, gear - 1.0, gear))


@kernel
def row(it, run):
    """Shift if a shift line is crossed; write the row ``v_in - ratio v_out = 0`` (v_in, v_out: speeds of
    input and output shaft), whose impulse is bounded by the capacity of the gear's clutch."""
    place = it.signal[0]
    gear = min(max(math.floor(run.input[place] + 0.5), -1.0), it.p[0])
    if run.sources[place].table < 0:
        gear = where(gear >= 1.0, shifted(run, it, max(gear, 1.0)), gear)
        run.input[place] = gear
    ratio, _ = value_at(run, it.table[0], gear)
    combine(run, it, ratio)
    bound = where(ratio != 0.0, run.clock.step * it.p[1], 0.0)
    bounded_row(run, it, 0.0, -bound, bound)
