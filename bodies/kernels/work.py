"""Work of every element since the start of a run [J]: in each step a row adds ``p J (v + v+)/2``.

p: impulse of the row; J: its Jacobian; v, v+: velocities at the start and at the end of the step.
"""

from mlcp.compiled.lazy import INT, bundle, lazy
from mlcp.jit import kernel

from .data import RunData
from .forces import force_work, torque_of_turning
from .rotation import rotate_back, rotation_matrix


@lazy(INT(bundle(RunData)), "mlcp", "contact", "bodies")
def record_work(run):
    """Call :func:`add_work`; compiled only when a run records the work of its elements."""
    add_work(run)
    return 0


@kernel
def add_work(run):
    """Add the work of all rows, channels (contact coordinates), force elements, gravity and applied
    wrenches in the step.

    The total is the change of the kinetic energy. Order in ``work_done``: rows, channels, force
    elements, gravity with the applied wrenches, and :func:`work_of_turning`.
    """
    count, groups = run.count, run.groups
    J, W = run.jacobian, run.work_done
    v0, v1 = run.velocity_start, run.velocity
    p, q = run.impulse, run.channels.impulse
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
    W[nr + nc + len(forces) + 1] += work_of_turning(run)


@kernel
def spin_energy(inertia, R, i, m, w):
    """Rotational energy ``w' R I R' w / 2`` [J] of body i; I: its inertia in body axes.

    ``w[6 i:]``: velocity and angular velocity of the body; ``R[m:]``: its rotation matrix.
    """
    x, y, z = rotate_back(R, m, w[6 * i + 3], w[6 * i + 4], w[6 * i + 5])
    a = 9 * i
    return 0.5 * (
        x * (inertia[a] * x + inertia[a + 1] * y + inertia[a + 2] * z)
        + y * (inertia[a + 3] * x + inertia[a + 4] * y + inertia[a + 5] * z)
        + z * (inertia[a + 6] * x + inertia[a + 7] * y + inertia[a + 8] * z)
    )


@kernel
def work_of_turning(run):
    """Work of the gyroscopic impulses plus the energy change by the rotation of the inertias [J].

    Each of the two terms is of first order in the step length, their sum of third order, since a
    gyroscopic torque does no work.
    """
    total, v0, v1 = 0.0, run.velocity_start, run.velocity
    before = run.scratch  # rotation matrix of a body at the start of the step
    for i in range(run.count.bodies):
        rotation_matrix(run.quaternion_start, 4 * i, before, 0)
        g = torque_of_turning(i, run, before, 0, v0)
        for k in range(3):
            total += 0.5 * g[k] * (v0[6 * i + 3 + k] + v1[6 * i + 3 + k])
        total += spin_energy(run.inertia, run.rotation, i, 9 * i, v1)
        total -= spin_energy(run.inertia, before, i, 0, v1)
    return total
