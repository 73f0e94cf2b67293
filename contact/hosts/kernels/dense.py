"""Compiled step of ``GenericHost``: mobility of the channels, contact solve, change of velocities.

A channel is a contact velocity, four a wheel; its mobility is computed from the host's mass matrix and
Jacobian. A step is one call, which takes the memory of ``GenericHost`` as one address. A returned code
is ``DONE`` or an error code, here or in ``layout``.
"""

import math

from numba import carray, types

from mlcp.compiled.borrowed import borrowed_viewer
from mlcp.compiled.bundles import Bundle, array, inner, record, table
from mlcp.compiled.records import Record, integer
from mlcp.jit import c_entry, kernel, part

from . import layout as L
from .algebra import channel_rows, constrain, factor, mobility_of, multiply, solve_rows
from .exchange import Exchange, solve_ground

RESPOND = 1 << 16  # further stage of a call: change of the host's velocities by the impulses
FREE = 1 << 17  # further stage of a call: v_free from the forces, ``v + h M^-1 f``
# Error codes: an input is not finite; rows of E are dependent; 100 + k: pivot of freedom k not positive
NOT_FINITE, REPEATED = 98, 99


class DenseOptions(Record):
    """Number of constraints in a host's step."""

    constraints = integer("number of active rows of E")


class Constraints(Bundle):
    """Bilateral rows ``E v+ + soft p = const`` with their impulses p."""

    rows = table("", "E, (ne, n)")
    soft = array("1/kg", "compliance, (ne,)")
    response = table("", "M^-1 E', (n, ne)")
    delassus = table("1/kg", "E M^-1 E' + soft, (ne, ne)")
    reduced = table("", "inverse of delassus times E M^-1 A', (ne, C)")


class Plant(Bundle):
    """Arrays of a host with n freedoms, and of its ground with C channels."""

    options = record(DenseOptions, "options of the step")
    ground = inner(Exchange, "the wheels' contacts")
    jacobian = table("", "J: the wheels' twists over the velocities, (6 W, n)")
    mass = table("kg", "M, (n, n)")
    velocity = array("m/s", "velocity at the start of the step")
    free = array("m/s", "velocity at the end of the step without ground forces")
    force = array("N", "generalised force, from which the stage FREE computes ``free``")
    channels = table("", "A: channel velocities over the freedoms, (C, n)")
    factor = table("", "factor of M, (n, n)")
    response = table("", "M^-1 A' with constraints, (n, C)")
    constraints = inner(Constraints, "bilateral rows")
    impulse = array("N s", "generalised impulse of the ground")
    change = array("m/s", "change of the velocities by the ground's impulse")


plant_at = borrowed_viewer(Plant)


@kernel
def copied(plant, by_force):
    """Copy M to the memory of its factor; return a sum of M, J, v and ``v_free`` (``by_force``: the
    forces instead), which is finite only if all these inputs are."""
    M, H, J, n = plant.mass, plant.factor, plant.jacobian, len(plant.velocity)
    total = 0.0
    for k in range(n):
        total += plant.velocity[k] + (plant.force[k] if by_force else plant.free[k])
        for j in range(n):
            total += M[k, j]
            H[k, j] = M[k, j]
    for r in range(J.shape[0]):
        for k in range(n):
            total += J[r, k]
    return total


@kernel
def prepare(plant, by_force):
    """Compute ``B = A X``, ``u = A v``, ``u_free = A v_free`` of the channels; return a code.

    A: Jacobian of the channels; X: M^-1 A' after elimination of the bilateral rows E (``constrain``).
    ``by_force``: compute ``v_free = v + h M^-1 force`` first. Only the lower triangle of M is read.
    """
    ground, A, H, X = plant.ground, plant.channels, plant.factor, plant.response
    n, count, v, v_free = len(plant.velocity), A.shape[0], plant.velocity, plant.free
    if not math.isfinite(copied(plant, by_force)):
        return NOT_FINITE
    code = factor(H, n, False)
    if code >= 0:
        return 100 + code
    if by_force:
        for k in range(n):
            X[k, 0] = ground.step[0] * plant.force[k]
        solve_rows(H, n, X, 1)
        for k in range(n):
            v_free[k] = v[k] + X[k, 0]
    channel_rows(ground.map, plant.jacobian, A)
    for k in range(n):
        for c in range(count):
            X[k, c] = A[c, k]
    solve_rows(H, n, X, count)
    if plant.options.constraints > 0:
        E, Y = plant.constraints.rows, plant.constraints.response
        for k in range(n):
            for c in range(E.shape[0]):
                Y[k, c] = E[c, k]
        solve_rows(H, n, Y, E.shape[0])
        if constrain(plant.constraints, X, n, count) >= 0:
            return REPEATED
    mobility_of(A, X, ground.mobility)
    multiply(A, v, ground.u)
    multiply(A, v_free, ground.u_free)
    return L.DONE


@kernel
def respond(plant):
    """Set the generalised impulse ``A' q`` and the change of the velocities ``X q``, with the channels'
    impulses q, the channels' Jacobian A, and X = M^-1 A'."""
    A, X, q = plant.channels, plant.response, plant.ground.impulses
    for k in range(len(plant.impulse)):
        total, moved = 0.0, 0.0
        for c in range(len(q)):
            total += A[c, k] * q[c]
            moved += X[k, c] * q[c]
        plant.impulse[k], plant.change[k] = total, moved


@part
def run(plant, stages):
    """Run the given stages: contact points, mobility, solve, response; returns a code."""
    if stages & L.DETECT:
        code = solve_ground(plant.ground, L.DETECT)
        if code == L.DONE:
            code = prepare(plant, stages & FREE != 0)
        if code != L.DONE:
            return code
    code = solve_ground(plant.ground, stages & (L.CHECK | L.SOLVE | L.REPORT))
    if code == L.DONE and stages & RESPOND:
        respond(plant)
    return code


@c_entry(types.int64(types.CPointer(types.int64), types.int64), "mlcp", "contact")
def generic_step(places, stages):
    """Run the stages on a generic host's memory at ``places`` (``Borrowed.address``); returns a code."""
    return run(plant_at(carray(places, (1,))), stages)
