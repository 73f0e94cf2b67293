"""A torque converter, linearised as a damper at the start of the step.

The damper acts along ``s = w_pump - R w_turbine``; w_pump, w_turbine: speeds; R: torque ratio; T_pump:
torque of the pump.
"""

from mlcp.compiled.branches import where
from mlcp.jit import kernel

from ...kernels.combination import LEAST_DAMPING, combine
from ...kernels.tables import value_at

SAME = 1.0 - 1e-6  # largest speed ratio at which T_pump / s is evaluated: at the ratio 1 it is 0/0


@kernel
def damper_of(run, it, pump, turbine):
    """``(R, T_pump / s)`` at the speeds ``pump`` and ``turbine`` [rad/s], ``s = pump - R turbine``.

    R: torque ratio; T_pump: torque of the pump [N m].
    """
    driven = (abs(pump) >= abs(turbine)) | (pump * turbine < 0.0)
    fast, slow = where(driven, pump, turbine), where(driven, turbine, pump)
    turns = fast != 0.0
    ratio = where(turns, slow / where(turns, fast, 1.0), 0.0)
    at = min(max(ratio, 0.0), SAME)
    capacity, _ = value_at(run, it.table[0], at)
    more, _ = value_at(run, it.table[1], at)
    more = where(driven, more, 1.0)
    lost = 1.0 - min(ratio, at) * more  # lost fraction of the power; above 1 for opposite rotations
    share = where(driven, 1.0, it.p[0])
    return more, share * capacity * abs(fast) / max(lost, 1.0 - SAME)


@kernel
def row(it, run):
    """Write the row of the damper, ``s+ + p / (h c) = 0``.

    s+: s at the end of the step; p: impulse; h: step length; c: ``T_pump / s`` at the step's start.
    """
    rate = run.coordinate_rate
    ratio, damping = damper_of(run, it, rate[it.term[0]], rate[it.term[3]])
    combine(run, it, ratio)
    run.compliance[it.row] = 1.0 / (run.clock.step * max(damping, LEAST_DAMPING))
    run.bias[it.row] = 0.0
