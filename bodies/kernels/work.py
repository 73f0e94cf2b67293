"""Work booked by element: ``p . J (v_start + v_end)/2`` per row, summed over the run."""

from __future__ import annotations

from mlcp.jit import kernel

from .forces import force_work


@kernel
def book_work(run):
    """Add the work of the step to every row, channel, force element, and to gravity and applied.

    Exact for constant M: the sum over everything is the change of the kinetic energy. Order in
    ``WORK_DONE``: rows, channels, force elements, gravity with the applied wrenches.
    """
    count, groups = run.count, run.groups
    J, W = run.jacobian, run.work_done
    v0, v1 = run.velocity_start, run.velocity
    p, q = run.impulse, run.channel_impulse
    nr, nc, nb = count.rows, count.channels, count.bodies
    row = 0
    for g in range(len(groups)):
        group = groups[g]
        rows = group.rows
        for r in range(rows):
            u = 0.0
            for s in range(group.bodies):
                a, b = group.jac + 6 * (rows * s + r), 6 * group.body[s]
                for k in range(6):
                    u += J[a + k] * (v0[b + k] + v1[b + k])
            W[row] += 0.5 * u * (p[row] if row < nr else q[row - nr])
            row += 1
    forces = run.forces
    for m in range(len(forces)):
        it = forces[m]
        force_work(it.kind, it, run, m, nr + nc + m)
    total, mass, f, clock = 0.0, run.mass, run.applied, run.clock
    for i in range(nb):
        for k in range(6):
            force = f[6 * i + k]
            if k < 3:
                force += mass[i] * clock.gravity[k]
            total += force * (v0[6 * i + k] + v1[6 * i + k])
    W[nr + nc + len(forces)] += 0.5 * clock.step * total
