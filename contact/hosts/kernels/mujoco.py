"""Compiled part of the MuJoCo adapter: the mobility of one of its steps, from its own arrays.

MuJoCo solves for the acceleration against quadratic rows, ``(M + E) a = f + J_e' D a_ref`` with
``E = J_e' D J_e`` over the active rows, and takes joint damping implicitly in one of two ways:

    integrator discrete             (M + h D_v + h^2 K + E) a = ...,      v+ = v + h a
    Euler, implicit, implicitfast   (M + E) a = ...,  (M + h D_v) a' = M a,  v+ = v + h a'

so the mobility is ``(M + h D_v + h^2 K + E)^-1`` or ``(M + h D_v)^-1 M (M + E)^-1``.
"""

from __future__ import annotations

import math

from contact.kernels import layout as at
from mlcp.jit import entry_point, kernel

from .algebra import factor, seen, solve_rows, through

# Kinds of rows, as MuJoCo numbers them (mjtConstraint).
EQUALITY, FRICTION_DOF, FRICTION_TENDON = 0, 1, 2


@kernel
def twist_rows(rows, wheels, xanchor, cdof, subtree_com, dof_parent, A):
    """The channels' rows over MuJoCo's freedoms: walk from each wheel to the root of its tree.

    ``wheels`` (W, 3): joint, last freedom, root body. ``cdof``: rotation, then velocity of the point
    that sits at the root's centre of mass.
    """
    A[:] = 0.0
    for i in range(wheels.shape[0]):
        joint, k, root = wheels[i, 0], wheels[i, 1], wheels[i, 2]
        dx = xanchor[joint, 0] - subtree_com[root, 0]
        dy = xanchor[joint, 1] - subtree_com[root, 1]
        dz = xanchor[joint, 2] - subtree_com[root, 2]
        while k >= 0:
            x, y, z = cdof[k, 0], cdof[k, 1], cdof[k, 2]
            vx = cdof[k, 3] + y * dz - z * dy
            vy = cdof[k, 4] + z * dx - x * dz
            vz = cdof[k, 5] + x * dy - y * dx
            for c in range(at.CHANNELS * i, at.CHANNELS * (i + 1)):
                A[c, k] = (
                    rows[c, 0] * vx + rows[c, 1] * vy + rows[c, 2] * vz
                    + rows[c, 3] * x + rows[c, 4] * y + rows[c, 5] * z
                )  # fmt: skip
            k = dof_parent[k]


@kernel
def add_active_rows(row, nefc, efc_J, nnz, adr, col, D, aref, floss, a, H, X, C):
    """Add every active row's ``D J'J`` to H and its force at a = 0 to column C of X.

    Active as at the last acceleration a: equalities always, unilateral rows when violated, dry
    friction while it sticks; sliding friction is a known force.
    """
    sparse, n = nnz.shape[0] > 0, H.shape[0]
    for r in range(nefc):
        first = adr[r] if sparse else r * n
        count = nnz[r] if sparse else n
        kind, weight, goal = row[r], D[r], aref[r]
        if kind != EQUALITY:
            excess = -goal
            for m in range(count):
                excess += efc_J[first + m] * a[col[first + m] if sparse else m]
            if kind == FRICTION_DOF or kind == FRICTION_TENDON:
                if weight * abs(excess) > floss[r]:
                    force = math.copysign(floss[r], -excess)
                    for m in range(count):
                        X[col[first + m] if sparse else m, C] += efc_J[first + m] * force
                    continue
            elif excess >= 0.0:
                continue
        for m in range(count):
            f = weight * efc_J[first + m]
            if f != 0.0:
                k = col[first + m] if sparse else m
                X[k, C] += f * goal
                for p in range(count):
                    j = col[first + p] if sparse else p
                    if j <= k:
                        H[k, j] += f * efc_J[first + p]


@entry_point("mlcp", "contact")
def prepare(source_hash):
    def prepare(
        h, merged, damping, stiffness, rows, wheels, xanchor, cdof, subtree_com, dof_parent,
        M, M_nnz, M_adr, M_col, v, smooth, a_last,
        kind, efc_J, nnz, adr, col, D, aref, floss,
        A, H, K, X, Y, v_free, B, u, u_free,
    ):  # fmt: skip
        """Fill in A, X (n, C + 1; the last column is the free acceleration), B, u, u_free.

        ``merged``: 1 for the integrator "discrete". Returns -1, or the freedom whose pivot fails.
        """
        source_hash
        n, C = v.shape[0], A.shape[0]
        twist_rows(rows, wheels, xanchor, cdof, subtree_com, dof_parent, A)
        damped = False
        for k in range(n):
            for j in range(n):
                H[k, j] = 0.0
            for m in range(M_adr[k], M_adr[k] + M_nnz[k]):
                H[k, M_col[m]] = M[m]
            for c in range(C):
                X[k, c] = A[c, k]
            X[k, C] = smooth[k]
            more = h * damping[k] + h * h * stiffness[k] * merged
            if more != 0.0:
                if merged == 1:
                    H[k, k] += more
                    X[k, C] -= h * stiffness[k] * v[k]
                else:
                    damped = True
        if damped:
            for k in range(n):
                for j in range(k + 1):
                    K[k, j] = H[k, j]
        add_active_rows(kind, kind.shape[0], efc_J, nnz, adr, col, D, aref, floss, a_last, H, X, C)
        code = factor(H, n)
        if code >= 0:
            return code
        solve_rows(H, n, X, C + 1)
        if damped:  # (M + h D)^-1 M X = X - (M + h D)^-1 h D X
            for k in range(n):
                K[k, k] += h * damping[k]
                for c in range(C + 1):
                    Y[k, c] = h * damping[k] * X[k, c]
            code = factor(K, n)
            if code >= 0:
                return code
            solve_rows(K, n, Y, C + 1)
            for k in range(n):
                for c in range(C + 1):
                    X[k, c] -= Y[k, c]
        for k in range(n):
            v_free[k] = v[k] + h * X[k, C]
        seen(A, n, X, C, B)
        through(A, n, C, v, u)
        through(A, n, C, v_free, u_free)
        return -1

    return prepare


@entry_point("mlcp", "contact")
def push(source_hash):
    def push(h, A, q, force):
        """Add the ground's generalised force ``A' q / h``."""
        source_hash
        for c in range(q.shape[0]):
            f = q[c] / h
            if f != 0.0:
                for k in range(force.shape[0]):
                    force[k] += f * A[c, k]

    return push
