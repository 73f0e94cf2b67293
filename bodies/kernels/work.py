"""Work booked by element: ``p . J (v_start + v_end)/2`` per row, summed over the run."""

from __future__ import annotations

from mlcp.jit import kernel

from . import layout as L


@kernel
def book_work(F, N):
    """Add the work of the step to every row, channel, and to gravity with the applied wrenches.

    Exact for constant M: with the impulses of all rows the sum over everything is the change of
    the kinetic energy. Order in ``WORK_DONE``: rows, channels, gravity and applied wrenches.
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
    h = S[L.STEP]
    total = 0.0
    for i in range(nb):
        for k in range(6):
            force = f[6 * i + k]
            if k < 3:
                force += mass[i] * S[L.GX + k]
            total += force * (v0[6 * i + k] + v1[6 * i + k])
    W[nr + nc] += 0.5 * h * total
