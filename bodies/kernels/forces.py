"""Right-hand side ``M v + h f`` of the equations of motion, with an implicit gyroscopic torque.

M: mass matrix; v: velocities at the start of the step; h: step length; f: forces without a row.
"""

from mlcp.compiled.choice import choice
from mlcp.compiled.lazy import INT, bundle, lazy, record
from mlcp.jit import kernel

from .codes import FORCES
from .data import RunData
from .gyroscopic import conserving_impulse, gyroscopic_impulse
from .records import ForceRecord
from .rotation import rotate, rotate_back

_FILES = [f"bodies.forces.kernels.{name}" for name in FORCES]
DRAFT = FORCES.index("draft")
force_impulse = choice(_FILES, "impulse", "it, run, m")
force_work = choice(_FILES, "work", "it, run, m, place")


@lazy(INT(INT, record(ForceRecord), bundle(RunData), INT), "mlcp", "contact", "bodies")
def force_element(kind, it, run, m):
    """Add the impulse of a force element; compiled only when a machine has a force element."""
    force_impulse(kind, it, run, m)
    return 0


@kernel
def torque_of_turning(i, run, R, m, v):
    """Angular impulse of body i's gyroscopic torque in the step [N m s], world axes.

    R[m:]: rotation matrix of the body.
    """
    bx, by, bz = rotate_back(R, m, v[6 * i + 3], v[6 * i + 4], v[6 * i + 5])
    if run.body_free[i] == 1:
        gx, gy, gz = conserving_impulse(run.inertia, 9 * i, bx, by, bz, run.clock.step)
    else:
        gx, gy, gz = gyroscopic_impulse(run.inertia, 9 * i, bx, by, bz, run.clock.step)
    return rotate(R, m, gx, gy, gz)


@kernel
def assemble_momentum(run):
    """Write ``M v + h f`` of every body; f: gravity, applied wrench and gyroscopic torque."""
    n = run.count.bodies
    mass, R, v = run.mass, run.rotation, run.velocity
    f, P = run.applied, run.momentum
    M, clock = run.mass_block, run.clock
    h = clock.step
    for i in range(n):
        o, m = 6 * i, 9 * i
        for k in range(3):
            P[o + k] = mass[i] * (v[o + k] + h * clock.gravity[k]) + h * f[o + k]
        wx, wy, wz = v[o + 3], v[o + 4], v[o + 5]
        gx, gy, gz = torque_of_turning(i, run, R, m, v)
        a = 36 * i + 21
        P[o + 3] = M[a] * wx + M[a + 1] * wy + M[a + 2] * wz + gx + h * f[o + 3]
        P[o + 4] = M[a + 6] * wx + M[a + 7] * wy + M[a + 8] * wz + gy + h * f[o + 4]
        P[o + 5] = M[a + 12] * wx + M[a + 13] * wy + M[a + 14] * wz + gz + h * f[o + 5]


@kernel
def add_forces(run):
    """Add the impulses of the force elements to ``M v + h f``; store each for the energy account."""
    forces, M = run.forces, run.mass_block
    for m in range(len(forces)):
        it = forces[m]
        if it.kind == DRAFT:  # clear the damping that the draft wrote to the mass block in the last step
            for r in range(3):
                for k in range(3, 6):
                    M[36 * it.target + 6 * r + k] = M[36 * it.target + 6 * k + r] = 0.0
    for m in range(len(forces)):
        it = forces[m]
        force_element(it.kind, it, run, m)
