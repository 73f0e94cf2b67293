"""Residual and solution of a complementarity problem by definition, independent of the package."""

import itertools

import numpy as np


def data(problem):
    """Arrays of a problem: matrix A, vector b, lower and upper bounds."""
    return problem.dense_A, problem.b, problem.lower, problem.upper


def scaled(A, b, lower, upper):
    """The problem with unit diagonal (a zero one stays) and max |b| = 1 (a zero b stays)."""
    s = np.array([np.sqrt(abs(A[i, i])) if A[i, i] != 0 else 1.0 for i in range(len(b))])
    A, b = A / np.outer(s, s), b / s
    beta = max(abs(b)) if len(b) and max(abs(b)) > 0 else 1.0
    return A, b / beta, lower * s / beta, upper * s / beta, s / beta


def at_rest(z, w, lower, upper):
    """Whether rows of unit diagonal rest at a bound: w has the bound's sign, z is within |w| of it."""
    return (w > 0) & (z - lower <= w) | (w < 0) & (upper - z <= -w)


def sizes(A, b, lower, upper, z, links=None):
    """Size of each row, the scale of its residual (docs/solvers.md), at unit diagonal of A.

    It is the largest of |b_i|, the row's forced |z_i| (bounds without 0) and contributions of rows j.
    If a_ii, a_jj are not 0, row j contributes |a_ij| h_j, at most its own size; h_j: its |bound| if it
    rests there, else the larger of |z_j| and 1e-5 of its size. If a_ii or a_jj is zero, it contributes
    |a_ij z_j| unless |z_j| is above 1e5 times the value that a row could cause (``makes``), and at
    least 1e-5 |a_ij| times this value.
    links (rows, bodies): norms of a structured row's Y = J M^(-1/2) on each body, in place of |a_ij|.
    Returns: (sizes, lower limit of each |z|).
    """
    n, w, blind = len(b), A @ z + b, np.diag(A) == 0
    exact = (w >= 0) & (z == lower) | (w <= 0) & (z == upper)
    rests = np.where(blind, exact, at_rest(z, w, lower, upper))
    held = np.where(rests & ~blind, abs(np.where(w > 0, lower, upper)), abs(z))
    forced, off = abs(np.clip(0.0, lower, upper)), abs(A)
    size = np.where(blind, abs(b), np.maximum(abs(b), forced))
    full = rests.copy()  # rows j whose |a_ij z_j| counts where a_ii or a_jj is zero
    pairs = ~blind[:, None] & ~blind[None, :]
    for _ in range(40 * n if n else 0):
        before = size, full
        hand = np.where(rests, held, np.maximum(abs(z), 1e-5 * size))
        if links is None:
            capped = np.where(off != 0, np.minimum(off * hand, size), 0.0)
            got = np.where(pairs, capped, np.where(full, off * held, 0.0))
        else:
            given = links * hand[:, None]
            got = np.minimum(
                links * given.max(axis=0), np.where(given > 0, size[:, None], 0.0).max(axis=0)
            )
        size = np.maximum(size, got.max(axis=1, initial=0.0))
        reach = makes(off, size, forced)
        full = full | (abs(z) <= 1e5 * reach)
        if np.array_equal(size, before[0]) and np.array_equal(full, before[1]):
            break  # sizes no longer change
    least = np.ones(n)
    if blind.any():
        least = makes(off[~rests], size[~rests], forced)
        other = makes(off[rests], np.where(b[rests] != 0, abs(b[rests]), np.nan), np.inf, np.fmin)
        lifted = (other < np.inf) & (least <= np.maximum(abs(z) * (1 + 1e-12), 1e-20 * other))
        least = np.where(lifted, np.maximum(least, other), least)
        least = np.where(least == 0, np.where(reach > 0, reach, 1.0), least)
        faint = np.where(~pairs & ~rests[None, :], 1e-5 * off * least, 0.0)
        size = np.maximum(size, faint.max(axis=1, initial=0.0))
    return size, least


def makes(off, size, start, better=np.fmax):
    """Largest (``np.fmin``: smallest) |z_j| = size_i / |a_ij| that a row i could cause, or ``start``."""
    with np.errstate(divide="ignore", invalid="ignore"):
        could = np.where(off != 0, size[:, None] / off, np.nan)
    return better(better.reduce(np.vstack([could, np.full(off.shape[1], np.nan)]), axis=0), start)


def natural_residual(A, b, lower, upper, z, links=None):
    """max |z - clip(z - (A z + b))| / size, in rows of unit diagonal; 1 for a violated row of size 0.

    For a row of zero diagonal: w / size, or the distance of z to the bound over its lower limit of |z|
    (see ``sizes``) if that is smaller.
    """
    s = np.array([np.sqrt(abs(A[i, i])) if A[i, i] != 0 else 1.0 for i in range(len(b))])
    A, b, lower, upper, z = A / np.outer(s, s), b / s, lower * s, upper * s, z * s
    w = A @ z + b
    size, least = sizes(A, b, lower, upper, z, links)
    worst = 0.0
    for i in range(len(b)):
        if A[i, i] == 0.0:
            own = w[i] / size[i] if size[i] > 0 else np.sign(w[i])
            r = abs(max(min(own, (z[i] - lower[i]) / least[i]), (z[i] - upper[i]) / least[i]))
        else:
            gap = abs(z[i] - np.clip(z[i] - w[i], lower[i], upper[i]))
            r = gap / size[i] if size[i] > 0 else float(gap > 0)
        worst = max(worst, r)
    return worst


def own_terms(A, b, lower, upper, z):
    """Largest |w_i| that must be 0, over |b_i| + sum |a_ij z_j|, without the rules of ``sizes``."""
    worst = 0.0
    for i in range(len(b)):
        terms = abs(b[i]) + float(np.sum(np.abs(A[i] * z)))
        w = float(np.sum(A[i] * z)) + b[i]
        if lower[i] < z[i] < upper[i] or (z[i] == lower[i] and w < 0) or (z[i] == upper[i] and w > 0):
            worst = max(worst, abs(w) / terms if terms > 0 else float(w != 0))
    return worst


def rounding(A, b, lower, upper, z):
    """Largest difference of two correctly rounded evaluations of the residual at z."""
    s = np.array([np.sqrt(abs(A[i, i])) if A[i, i] != 0 else 1.0 for i in range(len(b))])
    A, b, lower, upper, z = A / np.outer(s, s), b / s, lower * s, upper * s, z * s
    terms = abs(A) @ abs(z) + abs(b)
    size = sizes(A, b, lower, upper, z)[0]
    return max(2.0**-52 * len(b) * terms / np.where(size > 0, size, np.inf), default=0.0)


def enumerate_active_sets(A, b, lower, upper, tol=1e-9):
    """A solution by trying every combination of lower / free / upper, or None.

    Free rows: minimum-norm least squares; every solution of a singular system differs from it by
    a null vector N y, and the y that keeps z in its bounds is found by a small linear programme.
    """
    from scipy.optimize import linprog

    A, b, lower, upper, to_scaled = scaled(A, b, lower, upper)
    n = len(b)
    choices = []
    for i in range(n):
        states = [0] if lower[i] < upper[i] else []
        states += [-1] if np.isfinite(lower[i]) else []
        states += [1] if np.isfinite(upper[i]) and lower[i] < upper[i] else []
        choices.append(states)
    for state in itertools.product(*choices):
        state = np.array(state)
        free = np.flatnonzero(state == 0)
        z = np.where(state < 0, lower, np.where(state > 0, upper, 0.0))
        null = np.zeros((0, 0))
        if free.size:
            block = A[np.ix_(free, free)]
            z[free] = np.linalg.lstsq(block, -(A @ z + b)[free], rcond=1e-11)[0]
            _left, values, right = np.linalg.svd(block)
            null = right[values <= 1e-11 * max(values[0], 1e-300)].T
        if null.shape[1] and np.all(abs((A @ z + b)[free]) <= tol):
            # Null vectors may change w of rows at a bound (asymmetric A): w must keep its sign.
            held = np.flatnonzero((state != 0) & (lower < upper))
            see = -state[held, None] * (A[np.ix_(held, free)] @ null)  # change of w, at least -w
            rows = np.vstack([null, -null, -see])
            room = np.concatenate(
                [upper[free] - z[free], z[free] - lower[free], -(state * (A @ z + b))[held]]
            )
            limits = np.isfinite(room)
            shift = linprog(
                np.zeros(null.shape[1]),
                A_ub=rows[limits],
                b_ub=room[limits] + 1e-12,
                bounds=(None, None),
            )
            if shift.status == 0:
                z[free] += null @ shift.x
        w = A @ z + b
        fine = (
            np.all(abs(w[free]) <= tol)
            and np.all(z >= lower - tol)
            and np.all(z <= upper + tol)
            and np.all((state * w)[lower < upper] <= tol)
        )
        if fine:
            return z / to_scaled
    return None
