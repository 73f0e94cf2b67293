"""Prediction of a joint's drift in a step, to which exact velocity constraints lead.

Rows are linear in the velocities, but poses move along circles. If two bodies spin at different rates
about a common axis n while n itself turns with the angular velocity a (perpendicular to n), their axes
diverge: each moves by ``h (S(x) a x n + C(x) a)``, x its spin angle, ``S = sin x / x`` and
``C = (1 - cos x) / x`` (first order in h |a|). A crankshaft in a pitching vehicle drifts by 1e-6 rad in
every millisecond. The predicted drift enters the bias, so that the velocities correct it in the step.
"""

from __future__ import annotations

from mlcp.compiled.branches import every, where
from mlcp.jit import kernel
from mlcp.kernels.elementary import sin_cos

from .ends import angular_velocity, axis_a, cross, dot
from .rotation import perpendicular

SERIES_BELOW = 0.1  # [rad] limit of the series, exact to 1e-10 of the drift below it


@kernel
def along_and_aside(x):
    """``sin x / x`` and ``(1 - cos x) / x``."""
    y, small = x * x, abs(x) < SERIES_BELOW
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
    """Add the predicted drift to the bias of a joint's two rows of parallel axes, from its row i on."""
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
