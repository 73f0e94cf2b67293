"""A simple, independent solution of the structured problem: Gaussian elimination with pivoting.

Extended precision (80 bit if available), no structure, rows and columns scaled first.
"""

import numpy as np


def solve(K, right):
    """Solve ``K x = right`` by Gauss with partial pivoting in extended precision."""
    A = np.column_stack([K, right]).astype(np.longdouble)
    n = len(K)
    scale = 1 / np.sqrt(np.abs(A[:, :n]).max(axis=1))
    A *= scale[:, None]
    A[:, :n] *= scale
    for k in range(n):
        best = k + int(np.argmax(np.abs(A[k:, k])))
        A[[k, best]] = A[[best, k]]
        A[k + 1 :] -= np.outer(A[k + 1 :, k] / A[k, k], A[k])
    x = A[:, n:]
    for k in range(n - 1, -1, -1):
        x[k] = (x[k] - A[k, k + 1 : n] @ x[k + 1 :]) / A[k, k]
    return (x * scale[:, None]).astype(float)


def dense_mass(problem):
    """Dense block-diagonal mass matrix M."""
    nb = problem.structure.blocks
    dense = np.zeros((6 * nb, 6 * nb))
    for b, block in enumerate(problem.mass.reshape(nb, 6, 6)):
        dense[6 * b : 6 * (b + 1), 6 * b : 6 * (b + 1)] = block
    return dense


def reduced(problem):
    """Dense solution as (B, u_free, function from q to (v, p)).

    Channel velocities: u = u_free + B q, with channel impulses q; v: body velocities, p: row impulses.
    """
    rows, channels = problem.structure.dense_rows(problem.jac)
    K = np.block([[dense_mass(problem), rows.T], [rows, -np.diag(problem.applied_compliance)]])
    C = np.hstack([channels, np.zeros((len(channels), problem.structure.rows))])
    x = solve(K, np.column_stack([np.r_[problem.momentum, -problem.bias], C.T]))
    nv = 6 * problem.structure.blocks

    def back(q):
        y = x[:, 0] + x[:, 1:] @ q
        return y[:nv], -y[nv:]

    return C @ x[:, 1:], C @ x[:, 0], back
