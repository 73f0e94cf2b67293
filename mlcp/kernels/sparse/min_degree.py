"""Order of elimination of a sparse symmetric matrix: approximate minimum degree on a quotient graph.

An eliminated row becomes an *element*: the list of rows that its elimination has coupled. A row's list
holds the elements that contain the row, then its other neighbours. The row of the least degree is
eliminated next; its element absorbs the elements that contained it. Rows with equal lists are merged.
Q is the ``Quotient`` graph.
Source: Amestoy, Davis & Duff, An approximate minimum degree ordering algorithm, SIAM J. Matrix Anal.
    Appl. 17 (1996).
Differs from the source: lists are copied to a second store where the first is full; dense rows are no
    special case.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from mlcp.jit import kernel, part


class Quotient(NamedTuple):
    """Quotient graph of the rows not yet eliminated and of the elements; arrays of int64."""

    store: Any  # the lists, one after the other; two stores of ``room`` each
    at: Any  # (n,) start of each list
    elements: Any  # (n,) number of elements at the start of a row's list
    length: Any  # (n,) length of the whole list
    size: Any  # (n,) number of rows merged in a row, itself included; 0 if merged or eliminated
    degree: Any  # (n,) degree of a row; number of rows of an element
    live: Any  # (n,) 1 for an element that no later element has absorbed, else 0
    mark: Any  # (n,) value of the mark counter when the row or element was last marked
    head: Any  # (n,) for each degree the first row in the list of its rows, -1 for none
    after: Any  # (n,) next row in the list of rows of the same degree, -1 for none
    before: Any  # (n,) previous row in this list; for a row in a bucket the bucket's number
    follows: Any  # (n,) next of the rows merged with a row, -1 for none
    last: Any  # (n,) last of the rows merged with a row; the row itself if there are none
    # (n,) base + number of an element's rows outside the element formed in this step. base grows with
    # every step: a number below base is of an earlier step.
    outside: Any
    bucket: Any  # (n,) first row of each bucket, -1 for none; sum of a row's list modulo n: its bucket
    free: Any  # (4,) end of the lists, start and end of the store in use, mark counter


@part
def quotient_of(ints, n, room):
    """Make a ``Quotient`` on parts of the scratch array ``ints``."""
    o = 14 * n + 4
    return Quotient(
        ints[o : o + 2 * room], ints[:n], ints[n : 2 * n], ints[2 * n : 3 * n], ints[3 * n : 4 * n],
        ints[4 * n : 5 * n], ints[5 * n : 6 * n], ints[6 * n : 7 * n], ints[7 * n : 8 * n],
        ints[8 * n : 9 * n], ints[9 * n : 10 * n], ints[10 * n : 11 * n], ints[11 * n : 12 * n],
        ints[12 * n : 13 * n], ints[13 * n : 14 * n], ints[14 * n : o],
    )  # fmt: skip


@kernel
def put_in(Q, i):
    """Insert row i into the list of its degree."""
    d = Q.degree[i]
    first = Q.head[d]
    Q.after[i], Q.before[i], Q.head[d] = first, -1, i
    if first >= 0:
        Q.before[first] = i


@kernel
def take_out(Q, i):
    """Remove row i from the list of its degree."""
    after, before = Q.after[i], Q.before[i]
    if after >= 0:
        Q.before[after] = before
    if before >= 0:
        Q.after[before] = after
    else:
        Q.head[Q.degree[i]] = after


@kernel
def begin_graph(Q, start, column, n, room):
    """Set the rows' lists from a symmetric pattern (start, column by rows), without its diagonal."""
    end = 0
    for i in range(n):
        Q.at[i], Q.elements[i], Q.size[i], Q.live[i], Q.mark[i] = end, 0, 1, 0, 0
        Q.head[i], Q.bucket[i], Q.follows[i], Q.last[i], Q.outside[i] = -1, -1, -1, i, 0
        for x in range(start[i], start[i + 1]):
            if column[x] != i:
                Q.store[end] = column[x]
                end += 1
        Q.length[i] = Q.degree[i] = end - Q.at[i]
    for i in range(n - 1, -1, -1):
        put_in(Q, i)
    Q.free[0], Q.free[1], Q.free[2], Q.free[3] = end, 0, room, 1


@kernel
def make_room(Q, n, room):
    """Copy the lists in use to the other store."""
    end = room if Q.free[1] == 0 else 0
    Q.free[1], Q.free[2] = end, end + room
    for i in range(n):
        if Q.size[i] > 0 or Q.live[i] == 1:
            first = Q.at[i]
            Q.at[i] = end
            for x in range(first, first + Q.length[i]):
                Q.store[end] = Q.store[x]
                end += 1
    Q.free[0] = end


@kernel
def gather(Q, p, mark):
    """Turn row p into the element of its neighbours; mark these and remove them from the lists by
    degree."""
    end = Q.free[0]
    first, joined, many = end, 0, Q.elements[p]
    for k in range(many + 1):
        begin, stop = Q.at[p] + many, Q.at[p] + Q.length[p]
        if k < many:
            e = Q.store[Q.at[p] + k]
            begin, stop, Q.live[e] = Q.at[e], Q.at[e] + Q.length[e], 0
        for x in range(begin, stop):
            j = Q.store[x]
            if Q.size[j] > 0 and Q.mark[j] != mark:
                Q.mark[j] = mark
                take_out(Q, j)
                Q.store[end] = j
                end += 1
                joined += Q.size[j]
    Q.free[0] = end
    Q.at[p], Q.length[p], Q.elements[p], Q.degree[p], Q.live[p] = first, end - first, 0, joined, 1


@kernel
def count_outside(Q, p, base):
    """Set Q.outside of each element that shares a row with element p to base + its number of other
    rows."""
    for x in range(Q.at[p], Q.at[p] + Q.length[p]):
        i = Q.store[x]
        for y in range(Q.at[i], Q.at[i] + Q.elements[i]):
            e = Q.store[y]
            if Q.live[e] == 1:
                if Q.outside[e] < base:
                    Q.outside[e] = base + Q.degree[e]
                Q.outside[e] -= Q.size[i]


@kernel
def prune(Q, i, p, mark, base):
    """Remove from row i's list the neighbours and elements contained in element p, and add p.

    Returns: (number of rows outside p in the list, where a row in two elements counts twice; sum of the
        list's entries, which is the same for equal lists).
    """
    first, stop = Q.at[i], Q.at[i] + Q.length[i]
    end, rows, total = first, 0, p
    for y in range(first, first + Q.elements[i]):
        e = Q.store[y]
        if Q.live[e] == 1 and Q.outside[e] > base:
            Q.store[end] = e
            end, rows, total = end + 1, rows + Q.outside[e] - base, total + e
        else:
            Q.live[e] = 0
    others = end
    for y in range(first + Q.elements[i], stop):
        j = Q.store[y]
        if Q.size[j] > 0 and Q.mark[j] != mark:
            Q.store[end] = j
            end, rows, total = end + 1, rows + Q.size[j], total + j
    Q.store[end] = Q.store[others]
    Q.store[others] = p
    Q.elements[i], Q.length[i] = others - first + 1, end - first + 1
    return rows, total


@kernel
def join(Q, i, j):
    """Merge row j in row i of the quotient graph: both will be eliminated at the same time."""
    Q.size[i] += Q.size[j]
    Q.size[j] = 0
    Q.follows[Q.last[i]] = j
    Q.last[i] = Q.last[j]


@kernel
def join_equal(Q, i, n):
    """Merge in row i the later rows of its bucket that have an equal list."""
    mark = Q.free[3] = Q.free[3] + 1
    for x in range(Q.at[i], Q.at[i] + Q.length[i]):
        Q.mark[Q.store[x]] = mark
    last, j = i, Q.after[i]
    while j >= 0:
        equal = Q.length[j] == Q.length[i] and Q.elements[j] == Q.elements[i]
        x = Q.at[j]
        while equal and x < Q.at[j] + Q.length[j]:
            equal = Q.mark[Q.store[x]] == mark
            x += 1
        if equal:
            join(Q, i, j)
            Q.after[last] = Q.after[j]
        else:
            last = j
        j = Q.after[j]


@kernel
def eliminate_pivot(Q, p, base, gone, n):
    """Eliminate row p, which becomes an element; return the number of rows eliminated so far, which was
    ``gone``. base: see ``Quotient.outside``."""
    mark = Q.free[3] = Q.free[3] + 1
    own, Q.size[p] = Q.size[p], 0
    gather(Q, p, mark)
    count_outside(Q, p, base)
    end = Q.at[p] + Q.length[p]
    for x in range(Q.at[p], end):
        i = Q.store[x]
        Q.degree[i], total = prune(Q, i, p, mark, base)
        if Q.degree[i] == 0:  # element p contains all neighbours of i
            own, Q.degree[p] = own + Q.size[i], Q.degree[p] - Q.size[i]
            Q.follows[Q.last[p]], Q.last[p], Q.size[i] = i, Q.last[i], 0
        else:
            Q.before[i] = total % n
            Q.after[i], Q.bucket[total % n] = Q.bucket[total % n], i
    for x in range(Q.at[p], end):
        i = Q.store[x]
        if Q.size[i] > 0:
            first = Q.bucket[Q.before[i]]
            Q.bucket[Q.before[i]] = -1
            while first >= 0:
                join_equal(Q, first, n)
                first = Q.after[first]
    gone += own
    end, first = Q.at[p], Q.at[p]
    for x in range(first, first + Q.length[p]):
        i = Q.store[x]
        if Q.size[i] > 0:
            Q.store[end] = i
            end += 1
            Q.degree[i] = min(Q.degree[i] + Q.degree[p], n - gone) - Q.size[i]
            put_in(Q, i)
    Q.length[p], Q.free[0] = end - first, end
    return gone


@kernel
def order_rows(start, column, n, room, ints, order):
    """Write to ``order`` (n,) the rows of a symmetric pattern in the order of their elimination.

    Arguments:
        start (n + 1,), column: the pattern by rows, both triangles.
        room: length of each of the two stores, at least 2 n plus the number of entries off the diagonal.
        ints: int64 scratch of length ``order_length(n, room)``.
    """
    Q = quotient_of(ints, n, room)
    begin_graph(Q, start, column, n, room)
    gone, least, at = 0, 0, 0
    while gone < n:
        while Q.head[least] < 0:
            least += 1
        p = Q.head[least]
        take_out(Q, p)
        if Q.free[0] + n > Q.free[2]:
            make_room(Q, n, room)
        gone = eliminate_pivot(Q, p, (at + 1) * (n + 1), gone, n)
        least, i = 0, p
        while i >= 0:
            order[at] = i
            at += 1
            i = Q.follows[i]


def order_length(n: int, room: int) -> int:
    """Length of the int64 scratch of ``order_rows``."""
    return 14 * n + 4 + 2 * room
