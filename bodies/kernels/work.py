"""Work booked by element: ``p . J (v_start + v_end)/2`` per row, summed over the run."""

from __future__ import annotations

from mlcp.jit import kernel

from . import codes
from . import layout as L


@kernel
def book_work(F, N):
    """Add the work of the step to every row, channel, force element, and to gravity and applied.

    Exact for constant M: the sum over everything is the change of the kinetic energy. Order in
    ``WORK_DONE``: rows, channels, force elements, gravity with the applied wrenches.
    """
    count, G = L.ints(N, L.COUNT_I), L.ints(N, L.GROUP_I)
    J, W = L.floats(F, N, L.JACOBIAN), L.floats(F, N, L.WORK_DONE)
    v0, v1 = L.floats(F, N, L.VELOCITY_START), L.floats(F, N, L.VELOCITY)
    p, q = L.floats(F, N, L.IMPULSE), L.floats(F, N, L.CHANNEL_IMPULSE)
    mass, f = L.floats(F, N, L.MASS), L.floats(F, N, L.APPLIED)
    S = L.floats(F, N, L.SCALAR)
    nr, nc, nb = count[L.ROWS], count[L.CHANNELS], count[L.BODIES]
    row = 0
    for g in range(count[L.GROUPS]):
        o = L.GROUP_INTS * g
        rows, bodies, start = G[o], G[o + 1], G[o + 2]
        for r in range(rows):
            u = 0.0
            for s in range(bodies):
                a, b = start + 6 * (rows * s + r), 6 * G[o + 3 + s]
                for k in range(6):
                    u += J[a + k] * (v0[b + k] + v1[b + k])
            W[row] += 0.5 * u * (p[row] if row < nr else q[row - nr])
            row += 1
    nf, T, of = count[L.FORCES], L.ints(N, L.FORCE_I), L.ints(N, L.COORDINATE_I)
    P, K = L.floats(F, N, L.FORCE_DATA), L.floats(F, N, L.FORCE_WRENCH)
    for m in range(nf):
        target = T[L.FORCE_INTS * m + 1]
        u = 0.0
        if T[L.FORCE_INTS * m] == codes.DRAG:
            for k in range(3):
                v, wind = v1[6 * target + k], P[L.FORCE_FLOATS * m + 1 + k]
                u -= K[L.FORCE_WRENCHES * m] * (v - wind) * (v0[6 * target + k] + v)
            W[nr + nc + m] += 0.5 * u
            continue
        a, b = of[L.COORDINATE_INTS * target + 1], of[L.COORDINATE_INTS * target + 2]
        for k in range(6):
            if a < nb:
                u += K[L.FORCE_WRENCHES * m + k] * (v0[6 * a + k] + v1[6 * a + k])
            if b < nb:
                u += K[L.FORCE_WRENCHES * m + 6 + k] * (v0[6 * b + k] + v1[6 * b + k])
        W[nr + nc + m] += 0.5 * u
    h = S[L.STEP]
    total = 0.0
    for i in range(nb):
        for k in range(6):
            force = f[6 * i + k]
            if k < 3:
                force += mass[i] * S[L.GX + k]
            total += force * (v0[6 * i + k] + v1[6 * i + k])
    W[nr + nc + nf] += 0.5 * h * total
