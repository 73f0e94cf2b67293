"""Gaussian elimination of eight matrices at once (lanes): bits as of one alone, results as of NumPy."""

import numpy as np

from mlcp.compiled.branches import bits
from mlcp.compiled.bundles import Bundle, array
from mlcp.compiled.lanes import lane_viewer
from mlcp.jit import kernel
from mlcp.kernels.partial_pivoting import solve_general
from tests.mlcp.test_lanes import WIDTH, side_by_side

N = 7


class System(Bundle):
    matrix = array("-", "by rows")
    x = array("-", "right-hand side and solution")


eight = lane_viewer(System, WIDTH)


@kernel
def solve_eight(F, table):
    system = eight(F, table)
    return bits(solve_general(system.matrix, system.x, N))


def systems(rng):
    """Systems as in a step: dense rows, rows with a single entry, zeros on the diagonal."""
    A = rng.normal(size=(WIDTH, N, N)) * rng.choice([0.0, 1.0, 1e-3], (WIDTH, N, N), p=[0.3, 0.4, 0.3])
    for matrix in A[:4]:
        for row in rng.choice(N, 3, replace=False):
            matrix[row] = np.eye(N)[row]
    A[1] = A[1][rng.permutation(N)]
    A[5] = np.eye(N)[::-1]
    A[6, :, 3] = A[6, :, 2]  # equal columns: system 6 is singular
    return A, rng.normal(size=(WIDTH, N))


def test_each_lane_has_its_own_pivots_and_the_bytes_of_one():
    rng, found = np.random.default_rng(3), 0
    table = System.pack(matrix=np.zeros(N * N), x=np.zeros(N)).N
    first_of_x = table[2]
    for _ in range(200):
        A, b = systems(rng)
        floats = [System.pack(matrix=A[k].reshape(-1), x=b[k]).F for k in range(WIDTH)]
        F = side_by_side(floats)
        solved = solve_eight(F, table)
        x = F.reshape(-1, WIDTH)[first_of_x : first_of_x + N].T
        for k in range(WIDTH):
            alone, matrix = b[k].copy(), A[k].reshape(-1).copy()
            ok = solve_general(matrix, alone, N)
            assert bool((solved >> k) & 1) == ok
            if ok:
                found += 1
                assert x[k].tobytes() == alone.tobytes()
                if np.linalg.cond(A[k]) < 1e6:
                    assert np.allclose(x[k], np.linalg.solve(A[k], b[k]), rtol=1e-8)
        assert not (solved >> 6) & 1
    assert found > 1000
