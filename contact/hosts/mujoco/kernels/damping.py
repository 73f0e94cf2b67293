"""What MuJoCo's integrators make of damping: a correction of the mobility.

After its constraints MuJoCo solves ``(M + h D) a' = M a``, so the channels see ``A K^-1 M`` of an
acceleration instead of A, with K = M + h D. Since ``K^-1 M = 1 - K^-1 h D``, only the freedoms that
D touches come in: of K^-1 A' and of the response without damping.
"""

from __future__ import annotations

from mlcp.jit import kernel, part

from .elimination import (
    PIVOT_FLOOR,
    add_products,
    add_seen,
    backward_panel,
    clear,
    eliminate,
    forward_panel,
    lay_channels,
)
from .vector import WIDTH, load, plus, store


@kernel
def add_damper(damping, n, jacobian, r, scale):
    """``scale g g'`` of row g of a Jacobian into the entries of D that the plan lists."""
    D, entry_of, J, column = damping.values, damping.entry_of, jacobian.values, jacobian.column
    first = jacobian.first[r]
    end = first + jacobian.count[r]
    for m in range(first, end):
        g = scale * J[m]
        for p in range(first, end):
            if column[p] <= column[m]:
                D[entry_of[column[m] * n + column[p]]] += g * J[p]


@part
def read_dampers(step):
    """D of joints, and what tendons and actuators have within the pattern of M.

    Returns whether all of it is listed in the plan; what MuJoCo drops goes to the last place but one.
    """
    damping, n = step.damping, len(step.order)
    D, entry_of, joints = damping.values, damping.entry_of, damping.joints
    clear(D)
    for k in range(n):
        D[entry_of[k * n + k]] += joints[k]
    for t in range(len(damping.terms)):
        term = damping.terms[t]
        if term.actuator == 0:
            add_damper(damping, n, step.tendons, term.row, term.scale)
        elif term.low < damping.force[term.row] < term.high:
            add_damper(damping, n, step.actuators, term.row, term.scale)
    return D[len(D) - 1] == 0.0


@kernel
def damped_response(step, h):
    """``(M + h D)^-1 A'`` at the places where it is needed."""
    damping, M = step.damping, step.host.mass
    factor, panels, mass_slot = damping.factor, damping.panels, damping.mass_slot
    K, least, D, slot = factor.values, factor.least, damping.values, damping.slot
    clear(K)
    for m in range(len(M)):
        K[mass_slot[m]] = M[m]
    for k in range(len(least)):
        least[k] = PIVOT_FLOOR * K[k]
    for e in range(len(slot)):
        K[slot[e]] += h * D[e]
    # The halves of a body that was split for a loop can cancel in M; the loop's rows, which are
    # not in here, are what moves them, and no damper does.
    eliminate(factor, True)
    lay_channels(panels, step.paths, step.channels)
    for p in range(len(panels.reach_at) - 1):
        forward_panel(factor, panels, p)
        backward_panel(factor, damping.needed_k, panels, p, damping.response)


@kernel
def damper_forces(damping, n, h):
    """``T = - h D Q`` and ``t = - h D a`` at the damped freedoms."""
    T, t, Q, free = damping.force_columns, damping.force_free, damping.seen, damping.seen_free
    D, rows, columns, support = damping.values, damping.row, damping.column, damping.support
    clear(T)
    clear(t)
    count = len(support)
    for e in range(len(rows)):
        r, c, f = rows[e], columns[e], -h * D[e]
        k, m = support[r], support[c]
        t[r] += f * free[m]
        if r != c:
            t[c] += f * free[k]
        for p in range(len(damping.panels.reach_at) - 1):
            to, at = WIDTH * count * p, WIDTH * n * p
            store(T, to + WIDTH * r, plus(load(T, to + WIDTH * r), f, load(Q, at + WIDTH * m)))
            if r != c:
                store(T, to + WIDTH * c, plus(load(T, to + WIDTH * c), f, load(Q, at + WIDTH * k)))


@kernel
def damp(damping, n, B, a):
    """``B += X' T``, ``a += X' t``."""
    X, T, support, counting = (
        damping.response,
        damping.force_columns,
        damping.support_k,
        damping.counting,
    )
    panels, count, wide = len(damping.panels.reach_at) - 1, len(support), len(a)
    for i in range(panels):
        left = X[WIDTH * n * i :]
        for j in range(panels):
            to = B[WIDTH * (wide * i + j) :]
            add_products(left, support, T[WIDTH * count * j :], counting, to, wide)
        add_seen(left, support, damping.force_free, counting, a[WIDTH * i :])
