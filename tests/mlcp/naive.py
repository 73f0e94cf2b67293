"""Slow, obvious versions, written from the definitions; nothing of the package is used."""

import itertools

import numpy as np


def scaled(A, b, lower, upper):
    """The problem with unit diagonal (a zero one stays) and max |b| = 1 (a zero b stays)."""
    s = np.array([np.sqrt(abs(A[i, i])) if A[i, i] != 0 else 1.0 for i in range(len(b))])
    A, b = A / np.outer(s, s), b / s
    beta = max(abs(b)) if len(b) and max(abs(b)) > 0 else 1.0
    return A, b / beta, lower * s / beta, upper * s / beta, s / beta


def at_rest(z, w, lower, upper):
    """Rows of unit diagonal: at a bound (or nearer to it than w is to zero) with w pushing there."""
    return (w > 0) & (z - lower <= w) | (w < 0) & (upper - z <= -w)


def sizes(A, b, lower, upper, z, links=None):
    """The largest bias that reaches each row, in rows of unit diagonal; the definition, to its end.

    A row's own: |b|, and the z that its bounds force on it. From row j it gets |a_ij| |z_j|, at most
    the size of j, where a z that is not at rest counts as a thousandth of its size at least.
    links (rows, bodies): lengths of the rows of Y on the bodies, through which structured rows reach.
    """
    n, w = len(b), A @ z + b
    rests, blind = at_rest(z, w, lower, upper), np.diag(A) == 0
    size = np.maximum(abs(b), abs(np.clip(0.0, lower, upper)))
    largest = max(size[~rests], default=0.0)
    for _ in range(40 * n):
        hand = np.where(rests | blind, abs(z), np.maximum(abs(z), 1e-3 * size))
        most = np.where(blind, np.maximum(size, largest), size)
        if links is None:
            got = np.where(A != 0, np.minimum(abs(A) * hand, most), 0.0)
        else:
            given = links * hand[:, None]
            got = np.minimum(
                links * given.max(axis=0), np.where(given > 0, size[:, None], 0.0).max(axis=0)
            )
        size = np.maximum(size, got.max(axis=1, initial=0.0))
    rest = max(size[~rests], default=0.0)
    return np.where(size > 0.0, size, rest if rest > 0.0 else 1.0)


def natural_residual(A, b, lower, upper, z, links=None):
    """max |z - clip(z - (A z + b))| / size, in rows of unit diagonal."""
    s = np.array([np.sqrt(abs(A[i, i])) if A[i, i] != 0 else 1.0 for i in range(len(b))])
    A, b, lower, upper, z = A / np.outer(s, s), b / s, lower * s, upper * s, z * s
    gap = abs(z - np.clip(z - (A @ z + b), lower, upper))
    return max(gap / sizes(A, b, lower, upper, z, links), default=0.0)


def rounding(A, b, lower, upper, z):
    """How far two correctly rounded evaluations of the residual at z may differ."""
    s = np.array([np.sqrt(abs(A[i, i])) if A[i, i] != 0 else 1.0 for i in range(len(b))])
    A, b, lower, upper, z = A / np.outer(s, s), b / s, lower * s, upper * s, z * s
    terms = abs(A) @ abs(z) + abs(b)
    return max(2.0**-52 * len(b) * terms / sizes(A, b, lower, upper, z), default=0.0)


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
            # Rows at a bound may see the null vectors too (asymmetric A): w must keep its sign.
            held = np.flatnonzero((state != 0) & (lower < upper))
            see = -state[held, None] * (A[np.ix_(held, free)] @ null)  # must stay >= -w
            rows = np.vstack([null, -null, -see])
            room = np.concatenate(
                [upper[free] - z[free], z[free] - lower[free], -(state * (A @ z + b))[held]]
            )
            limits = np.isfinite(room)
            shift = linprog(
                np.zeros(null.shape[1]), A_ub=rows[limits], b_ub=room[limits] + 1e-12,
                bounds=(None, None),
            )  # fmt: skip
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
