"""The quarter vehicle's step, compiled: detect, assemble, factor, solve contacts, integrate, record.

Velocities v = (v_x, v_z, omega); the inverse inertia is diagonal, so that "factor" is a division.
Five channels: the wheel's four (the lateral one is idle in the plane) and the brake.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from contact.kernels import layout as at
from contact.kernels import reduced
from contact.kernels.data import contact_of
from contact.kernels.slip import slip_state
from mlcp.jit import entry_point, kernel

from ..kernels.tables import schedule

BRAKE = at.CHANNELS  # the brake's channel
CHANNELS = at.CHANNELS + 1

# Columns of one record.
COLUMNS = (
    "time", "x", "z", "v_x", "v_z", "omega", "sliding_velocity", "slip", "load", "traction",
    "resistance", "drive_torque", "brake_torque", "pull", "residual", "passes", "missed",
    "agreement", "rolling_moment",
)  # fmt: skip


class Model(NamedTuple):
    """Constants of a quarter vehicle."""

    mass: Any  # (3,) m, m, I_y [kg, kg, kg m^2]
    weight: Any  # (2,) gravity along and normal to the ground [N]
    radius: Any  # (1,) [m]
    pull: Any  # (1,) [N s^2/m^2]
    brake: Any  # (1,) [N m]
    v_0: Any  # (1,) [m/s]
    torque_time: Any  # (n,) points of the schedule [s]
    torque: Any  # (n,) [N m]
    torque_hold: Any  # (1,) int64: 1 keeps each value until the next


class Motion(NamedTuple):
    """What a step changes, and its working arrays."""

    time: Any  # (1,) [s]
    position: Any  # (3,) x [m], z [m] of the wheel centre, wheel angle [rad]
    velocity: Any  # (3,) v_x, v_z [m/s], omega [rad/s]
    free: Any  # (3,) velocities at the end of the step without ground and brake
    inverse: Any  # (3,) inverse inertia of the step [1/kg, 1/kg, 1/(kg m^2)]
    applied: Any  # (2,) drive torque [N m], pull [N]
    gap: Any  # (1,) [m]
    B: Any  # (CHANNELS, CHANNELS) [1/kg]
    u: Any  # (CHANNELS,) channel velocities at the start of the step
    u_free: Any  # (CHANNELS,) and at its end without ground and brake


@kernel
def detect(model, motion):
    """Gap between the undeformed tyre and the ground [m]."""
    motion.gap[0] = motion.position[1] - model.radius[0]


@kernel
def assemble(h, model, motion):
    """Forces and free velocities; the pull at the start of the step, never enough to reverse."""
    v, free, inverse = motion.velocity, motion.free, motion.inverse
    points = model.torque.shape[0]
    middle = motion.time[0] + 0.5 * h
    torque = schedule(model.torque_time, model.torque, 0, points, model.torque_hold[0], middle)
    pull = min(model.pull[0] * abs(v[0]), model.mass[0] / h) * v[0]
    inverse[0] = 1.0 / model.mass[0]
    inverse[1] = 1.0 / model.mass[1]
    inverse[2] = 1.0 / model.mass[2]
    free[0] = v[0] + h * inverse[0] * (model.weight[0] - pull)
    free[1] = v[1] + h * inverse[1] * model.weight[1]
    free[2] = v[2] + h * inverse[2] * torque
    motion.applied[0], motion.applied[1] = torque, pull


@kernel
def to_channels(v, r, u):
    """Channel velocities u = J_c v."""
    u[at.NORMAL] = v[1]
    u[at.SLIDING] = v[0] - r * v[2]
    u[at.LATERAL] = 0.0
    u[at.CENTRE] = v[0]
    u[BRAKE] = v[2]


@kernel
def factor(h, model, motion, rows):
    """Inverse inertia seen by the channels, B = J_c M^-1 J_c', and the brake's bounds."""
    B, inverse, r = motion.B, motion.inverse, model.radius[0]
    to_channels(motion.velocity, r, motion.u)
    to_channels(motion.free, r, motion.u_free)
    B[at.NORMAL, at.NORMAL] = inverse[1]
    B[at.SLIDING, at.SLIDING] = inverse[0] + r * r * inverse[2]
    B[at.CENTRE, at.CENTRE] = inverse[0]
    B[at.SLIDING, at.CENTRE] = B[at.CENTRE, at.SLIDING] = inverse[0]
    B[BRAKE, BRAKE] = inverse[2]
    B[BRAKE, at.SLIDING] = B[at.SLIDING, BRAKE] = -r * inverse[2]
    brake = rows.lower.shape[0] - 1  # the last row; a wheel has as many as its law needs
    rows.lower[brake], rows.upper[brake] = -h * model.brake[0], h * model.brake[0]


@kernel
def integrate(h, model, motion, rows):
    """Velocities with the channel impulses, then positions (semi-implicit Euler)."""
    q, v, free, inverse = rows.q, motion.velocity, motion.free, motion.inverse
    v[0] = free[0] + inverse[0] * (q[at.SLIDING] + q[at.CENTRE])
    v[1] = free[1] + inverse[1] * q[at.NORMAL]
    v[2] = free[2] + inverse[2] * (q[BRAKE] - model.radius[0] * q[at.SLIDING])
    for i in range(3):
        motion.position[i] += h * v[i]
    motion.time[0] += h


@kernel
def record(h, model, motion, contact, out):
    """Write one record; forces are those that acted during the step, at its end."""
    v, q, report = motion.velocity, contact.rows.q, contact.rows.report
    v_t = v[0] - model.radius[0] * v[2]
    slip, _, _ = slip_state(v_t, v[0], model.v_0[0])
    out[0] = motion.time[0]
    out[1], out[2] = motion.position[0], motion.position[1]
    out[3], out[4], out[5] = v[0], v[1], v[2]
    out[6], out[7] = v_t, slip
    rolling = contact.wheels.now[0, at.ROLLING]
    out[8], out[9] = q[at.NORMAL] / h, (q[at.SLIDING] + rolling) / h
    out[10] = (rolling - q[at.CENTRE]) / h
    out[11], out[12], out[13] = motion.applied[0], -q[BRAKE] / h, motion.applied[1]
    for i in range(at.REPORT):
        out[14 + i] = report[i]
    out[14 + at.REPORT] = -model.radius[0] * rolling / h


@kernel
def prepare(h, model, motion, rows):
    """The stages before the contacts: detect, assemble, factor."""
    detect(model, motion)
    assemble(h, model, motion)
    factor(h, model, motion, rows)


@entry_point("mlcp", "contact", "bodies")
def run(source_hash):
    def run(h, steps, every, solver, model, motion, F, N, out):
        """Take ``steps`` steps, a record every ``every``-th; returns (missed steps, worst residual)."""
        source_hash
        contact = contact_of(F, N)
        rows, report = contact.rows, contact.rows.report
        missed, worst = 0, 0.0
        for k in range(steps):
            prepare(h, model, motion, rows)
            reduced.solve_reduced(
                h, solver, contact.settings, motion.gap, motion.B, motion.u, motion.u_free,
                contact.wheels, rows,
            )  # fmt: skip
            integrate(h, model, motion, rows)
            missed += int(report[at.MISSED])
            worst = max(worst, report[at.RESIDUAL])
            if (k + 1) % every == 0:
                record(h, model, motion, contact, out[(k + 1) // every - 1])
        return missed, worst

    return run


@entry_point("mlcp", "contact", "bodies")
def before_contacts(source_hash):
    def before_contacts(h, model, motion, F, N):
        source_hash
        prepare(h, model, motion, contact_of(F, N).rows)

    return before_contacts


@entry_point("mlcp", "contact", "bodies")
def after_contacts(source_hash):
    def after_contacts(h, model, motion, F, N, out):
        source_hash
        contact = contact_of(F, N)
        integrate(h, model, motion, contact.rows)
        record(h, model, motion, contact, out)

    return after_contacts
