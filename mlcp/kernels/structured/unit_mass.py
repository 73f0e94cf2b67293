"""Structured rows in velocities scaled to unit masses.

With M = U'U and Y = J U^-1 the matrix A = J M^-1 J' + diag(e) is Y Y' + diag(e): the masses are not
needed further. Row i has six numbers in Y for each of its bodies, as in J. R: the rows, ``BodyRows``.
"""

import numpy as np

from mlcp.jit import kernel
from mlcp.kernels.structured.blocks import BB, B, factor_diagonal


@kernel
def factor_masses(mass, factor, nb):
    """Write Cholesky factors of M's nb blocks to ``factor``; False if one is not positive definite."""
    for k in range(nb * BB):
        factor[np.uint64(k)] = mass[np.uint64(k)]
    for k in range(nb):
        if not factor_diagonal(factor, k * BB):
            return False
    return True


@kernel
def unit_mass_rows(n, row_start, row_block, J, factor, e, Y, a):
    """Compute Y_i = J_i U^-1 for all rows, and a_i = Y_i Y_i' + e_i, the diagonal of A."""
    for i in range(n):
        total = e[i]
        for x in range(row_start[i], row_start[i + 1]):
            at, j = row_block[x] * BB, x * B
            y0 = J[np.uint64(j)] * factor[np.uint64(at)]
            y1 = J[np.uint64(j + 1)] - factor[np.uint64(at + 1)] * y0
            y1 *= factor[np.uint64(at + 7)]
            y2 = J[np.uint64(j + 2)] - factor[np.uint64(at + 2)] * y0
            y2 = (y2 - factor[np.uint64(at + 8)] * y1) * factor[np.uint64(at + 14)]
            y3 = J[np.uint64(j + 3)] - factor[np.uint64(at + 3)] * y0
            y3 = y3 - factor[np.uint64(at + 9)] * y1 - factor[np.uint64(at + 15)] * y2
            y3 *= factor[np.uint64(at + 21)]
            y4 = J[np.uint64(j + 4)] - factor[np.uint64(at + 4)] * y0
            y4 = y4 - factor[np.uint64(at + 10)] * y1 - factor[np.uint64(at + 16)] * y2
            y4 = (y4 - factor[np.uint64(at + 22)] * y3) * factor[np.uint64(at + 28)]
            y5 = J[np.uint64(j + 5)] - factor[np.uint64(at + 5)] * y0
            y5 = y5 - factor[np.uint64(at + 11)] * y1 - factor[np.uint64(at + 17)] * y2
            y5 = y5 - factor[np.uint64(at + 23)] * y3 - factor[np.uint64(at + 29)] * y4
            y5 *= factor[np.uint64(at + 35)]
            Y[np.uint64(j)], Y[np.uint64(j + 1)], Y[np.uint64(j + 2)] = y0, y1, y2
            Y[np.uint64(j + 3)], Y[np.uint64(j + 4)], Y[np.uint64(j + 5)] = y3, y4, y5
            total += y0 * y0 + y1 * y1 + y2 * y2 + y3 * y3 + y4 * y4 + y5 * y5
        a[i] = total


@kernel
def row_times(first, last, row_block, Y, v):
    """Scalar product Y_i v of row i, which has the blocks first .. last - 1 of Y; v (6 nb,)."""
    total = 0.0
    for x in range(first, last):
        j, y = row_block[x] * B, x * B
        total += (
            Y[np.uint64(y)] * v[np.uint64(j)]
            + Y[np.uint64(y + 1)] * v[np.uint64(j + 1)]
            + Y[np.uint64(y + 2)] * v[np.uint64(j + 2)]
            + Y[np.uint64(y + 3)] * v[np.uint64(j + 3)]
            + Y[np.uint64(y + 4)] * v[np.uint64(j + 4)]
            + Y[np.uint64(y + 5)] * v[np.uint64(j + 5)]
        )
    return total


@kernel
def add_transposed(first, last, row_block, Y, p, v):
    """Add Y_i' p to v (6 nb,) for row i, which has the blocks first .. last - 1 of Y."""
    for x in range(first, last):
        j = row_block[x] * B
        for c in range(B):
            v[np.uint64(j + c)] += Y[np.uint64(x * B + c)] * p


@kernel
def velocities(R, z, v):
    """Compute v = Y' z, the velocities (6 nb,) due to the impulses z (n,)."""
    for x in range(v.shape[0]):
        v[x] = 0.0
    for i in range(R.n):
        if z[i] != 0.0:
            add_transposed(R.start[i], R.start[i + 1], R.block, R.Y, z[i], v)


@kernel
def row_velocities(R, z, v, w):
    """Compute w = Y v + e z + b, the velocities (n,) of the rows R."""
    for i in range(R.n):
        w[i] = row_times(R.start[i], R.start[i + 1], R.block, R.Y, v) + R.e[i] * z[i] + R.b[i]
