"""Gaussian elimination with partial pivoting, of one system or of several side by side (lanes)."""

from mlcp.compiled.branches import as_many, some, where
from mlcp.jit import kernel


@kernel
def swap_rows(matrix, x, k, n, p):
    """Swap rows k and p of the matrix from column k on, and of x; p may differ from lane to lane."""
    for c in range(k, n):
        above = matrix[k * n + c]
        matrix[k * n + c] = matrix[p * n + c]
        matrix[p * n + c] = above
    above = x[k]
    x[k] = x[p]
    x[p] = above


@kernel
def solve_general(matrix, x, n):
    """Solve matrix x = y in place, x (n,) holding y, then the solution; matrix (n n,) by rows.

    Returns: True if no pivot vanishes; for lanes a mask of these truth values.
    """
    solved = as_many(0.0, x[0]) == 0.0
    for k in range(n):
        p, most = as_many(k, x[0]), abs(matrix[k * n + k])
        for r in range(k + 1, n):
            here = abs(matrix[r * n + k])
            p, most = where(here > most, r, p), where(here > most, here, most)
        sound = most > 1e-14
        solved = solved & sound
        if not some(solved):
            return solved
        if some(most > abs(matrix[k * n + k])):
            swap_rows(matrix, x, k, n, p)
        own = where(sound, matrix[k * n + k], 1.0)
        for r in range(k + 1, n):
            factor = matrix[r * n + k] / own
            counts = factor != 0.0
            if some(counts):
                for c in range(k + 1, n):
                    a = r * n + c
                    matrix[a] = where(counts, matrix[a] - factor * matrix[k * n + c], matrix[a])
                x[r] = where(counts, x[r] - factor * x[k], x[r])
    for r in range(n - 1, -1, -1):
        total = x[r]
        for c in range(r + 1, n):
            total -= matrix[r * n + c] * x[c]
        own = matrix[r * n + r]
        x[r] = total / where(own != 0.0, own, 1.0)
    return solved
