"""An electric motor: the linearised torque of an engine, mirrored for a command below 0."""

from mlcp.compiled.branches import where
from mlcp.jit import kernel

from ...kernels.combination import combine, force_row, signal
from .engine import engine_line, rotor_admittance


@kernel
def row(it, run):
    """Write the row of a motor's linearised torque; for a negative command the signs of torque and speed
    are reversed."""
    _, v = combine(run, it, 1.0)
    command = min(max(signal(run, it), -1.0), 1.0)
    sign = where(command < 0.0, -1.0, 1.0)
    f, c = engine_line(run, it, sign * command, sign * v, rotor_admittance(run, it.term[0]))
    force_row(run, it, -sign * f, 0.0, c, v)
