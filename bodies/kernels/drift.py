"""Prediction of a revolute joint's angular drift in a step; exact velocity constraints do not prevent
it.

The rows are linear in the velocities, but the bodies turn by finite angles. If two bodies spin at
different rates about a common axis n while n itself turns with the angular velocity a (perpendicular to
n), the axes of the two bodies diverge: in a step of length h the axis of a body moves by
``h (S cross(a, n) + C a)``, ``S = sin x / x``, ``C = (1 - cos x) / x`` (first order in h |a|), x: spin
angle of the body in the step. A crankshaft in a pitching vehicle drifts by 1e-6 rad in every
millisecond. The predicted drift enters the bias of the rows, so that the velocities of the step already
correct it.
"""

from mlcp.compiled.branches import every, where
from mlcp.jit import kernel
from mlcp.kernels.elementary import sin_cos

from .ends import angular_velocity, axis_a, cross, dot
from .rotation import perpendicular


@kernel
def along_and_aside(x):
    """``S = sin x / x`` and ``C = (1 - cos x) / x`` of the module's equation; x: spin angle [rad]."""
    # below 0.1 rad S and C by power series, with an error below 2e-10
    y, small = x * x, abs(x) < 0.1
    along = 1.0 - y * (1.0 / 6.0 - y / 120.0)
    aside = x * (0.5 - y * (1.0 / 24.0 - y / 720.0))
    if every(small):
        return along, aside
    angle = where(small, 1.0, x)
    sine, cosine = sin_cos(angle)
    along = where(small, along, sine / angle)
    return along, where(small, aside, (1.0 - cosine) / angle)


@kernel
def predict_tilt(joint, run, i):
    """Add the predicted drift to the biases of rows i and i + 1 of a joint, which keep its axes
    parallel."""
    v, B, h, r = run.velocity, run.bias, run.clock.step, joint.row + i
    n = axis_a(joint.ends, run.rotation, 2)
    wa = angular_velocity(v, joint.ends.a)
    wb = angular_velocity(v, joint.ends.b)
    along_a, aside_a = along_and_aside(h * dot(n, wa))
    along_b, aside_b = along_and_aside(h * dot(n, wb))
    along, aside = along_b - along_a, aside_b - aside_a
    c = cross(n, wa)
    tx, ty, tz, ux, uy, uz = perpendicular(n[0], n[1], n[2])
    t, u = (tx, ty, tz), (ux, uy, uz)
    B[r] += along * dot(t, wa) + aside * dot(t, c)
    B[r + 1] += along * dot(u, wa) + aside * dot(u, c)
