"""Elimination order of the bodies and positions of the factor's blocks, computed once per pattern.

The order is that of ``mlcp.kkt.ordering.least_first`` (a test compares them). P is the plan, a
``structured_layout.BodyOrder``.
"""

from mlcp.jit import kernel


@kernel
def couplings(n, row_start, row_block, P):
    """Set P.where to 1 for two bodies coupled by a row, else 0; set P.degree."""
    nb, where, degree = P.nb, P.where, P.degree
    for x in range(nb * nb):
        where[x] = 0
    for k in range(nb):
        degree[k] = 0
    for i in range(n):
        for a in range(row_start[i], row_start[i + 1]):
            for c in range(row_start[i], row_start[i + 1]):
                p, q = row_block[a], row_block[c]
                if p != q and where[p * nb + q] == 0:
                    where[p * nb + q] = 1
                    degree[p] += 1


@kernel
def place_blocks(P):
    """Replace the bodies in P.rows by their positions, ascending; set P.where to the blocks' numbers."""
    nb, position, start, where, rows = P.nb, P.position, P.start, P.where, P.rows
    for t in range(nb):
        where[t * nb + t] = t
        for r in range(start[t], start[t + 1]):  # insertion sort by position
            p = position[rows[r]]
            s = r
            while s > start[t] and rows[s - 1] > p:
                rows[s] = rows[s - 1]
                s -= 1
            rows[s] = p
        for r in range(start[t], start[t + 1]):
            where[rows[r] * nb + t] = nb + r


@kernel
def order_bodies(n, row_start, row_block, bounded, P):
    """Compute the minimum-degree elimination order and the positions of the factor's blocks.

    Arguments:
        n: number of rows; row i acts on the bodies row_block[row_start[i] : row_start[i + 1]].
        bounded: indices of the rows with a bound, whose bodies, if few, are eliminated last: reduction
            to these rows is then cheap.
        P: a ``structured_layout.BodyOrder`` of nb bodies, filled; column t has blocks with the later
            positions rows[start[t] : start[t + 1]], diagonal blocks have the numbers 0 .. nb - 1.
    Returns: number of blocks.
    """
    nb, order, position, start, where, rows = P.nb, P.order, P.position, P.start, P.where, P.rows
    last, degree = P.last, P.degree
    mark_last(bounded, bounded.shape[0], row_start, row_block, last, nb)
    couplings(n, row_start, row_block, P)
    for k in range(nb):
        position[k] = -1
    filled = 0
    for t in range(nb):
        best = -1
        for k in range(nb):
            if position[k] < 0 and (
                best < 0 or last[k] < last[best] or (last[k] == last[best] and degree[k] < degree[best])
            ):
                best = k
        order[t] = best
        position[best] = t
        start[t] = filled
        for j in range(nb):
            if where[best * nb + j] != 0 and position[j] < 0:
                rows[filled] = j
                filled += 1
        for r in range(start[t], filled):
            a = rows[r]
            degree[a] -= 1
            for s in range(start[t], filled):
                c = rows[s]
                if a != c and where[a * nb + c] == 0:
                    where[a * nb + c] = 1
                    degree[a] += 1
    start[nb] = filled
    place_blocks(P)
    return nb + filled


@kernel
def mark_last(bounded, m, row_start, row_block, last, nb):
    """Set ``last`` to 1 for the bodies of the m bounded rows if they are at most half of all; else to
    0."""
    for k in range(nb):
        last[k] = 0
    marked = 0
    for j in range(m):
        for x in range(row_start[bounded[j]], row_start[bounded[j] + 1]):
            marked += 1 - last[row_block[x]]
            last[row_block[x]] = 1
    if 2 * marked > nb:
        for k in range(nb):
            last[k] = 0
