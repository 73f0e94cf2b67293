"""Further families of problems w = A z + b (w complementary to z in its bounds), made from a seed.

Linearised friction, obstacles and contact on finite-element meshes, filters of signals, traffic, and
programmes with multipliers. ``FAMILIES`` names them all; multipliers are the last rows of a programme.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.sparse as sp
from scipy.spatial import Delaunay

from mlcp import MLCP


def pyramid(n: int, seed: int) -> MLCP:
    """Friction pyramids of four sides, A copositive; z: normal impulses, side impulses, sliding speeds.

    Stewart & Trinkle, Int. J. Numer. Methods Eng. 39 (1996).
    """
    rng = np.random.default_rng(seed)
    contacts = n // 6
    unknowns = 6 * max(1, contacts // 3)
    J = rng.normal(size=(3 * contacts, unknowns))
    normal, first, second = J[0::3], J[1::3], J[2::3]
    sides = np.stack([first, second, -first, -second], axis=1).reshape(-1, unknowns)
    all_rows = np.vstack([normal, sides])
    E = np.kron(np.eye(contacts), np.ones((4, 1)))
    mu = np.diag(rng.uniform(0.2, 0.9, contacts))
    zero = np.zeros((contacts, contacts))
    M = np.block([[all_rows @ all_rows.T, np.vstack([zero, E])], [np.hstack([mu, -E.T]), zero]])
    velocity = rng.normal(size=unknowns)
    return MLCP(M, np.concatenate([all_rows @ velocity, np.zeros(contacts)]))


def _mesh(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Mesh of the unit square: (points, triangles), regular on the border, random inside."""
    side = max(3, round(np.sqrt(n)))
    step = np.linspace(0.0, 1.0, side + 1)
    border = np.vstack([np.c_[step, 0 * step], np.c_[step, 0 * step + 1],
                        np.c_[0 * step, step][1:-1], np.c_[0 * step + 1, step][1:-1]])  # fmt: skip
    x, y = np.meshgrid(step[1:-1], step[1:-1])
    inside = np.c_[x.ravel(), y.ravel()] + rng.uniform(-0.35, 0.35, (x.size, 2)) / side
    points = np.vstack([border, inside])
    return points, Delaunay(points).simplices


def _gradients(points: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Areas (t,), and gradients of the three linear shape functions (t, 3, 2), of triangles."""
    p = points[triangles]
    edge = np.stack([p[:, 2] - p[:, 1], p[:, 0] - p[:, 2], p[:, 1] - p[:, 0]], axis=1)
    twice = edge[:, 0, 0] * edge[:, 1, 1] - edge[:, 0, 1] * edge[:, 1, 0]
    turned = np.stack([-edge[:, :, 1], edge[:, :, 0]], axis=2)
    keep = np.abs(twice) > 1e-9
    return np.where(keep, 0.5 * np.abs(twice), 0.0), turned / np.where(keep, twice, 1.0)[:, None, None]


def obstacle(n: int, seed: int) -> MLCP:
    """A membrane above a bumpy floor on an irregular mesh of linear triangles, about n rows, sparse."""
    rng = np.random.default_rng(seed)
    points, triangles = _mesh(n, rng)
    area, gradient = _gradients(points, triangles)
    local = area[:, None, None] * np.einsum("tia,tja->tij", gradient, gradient)
    i, j = np.repeat(triangles, 3, axis=1).ravel(), np.tile(triangles, (1, 3)).ravel()
    K = sp.csr_matrix((local.ravel(), (i, j)), shape=(len(points),) * 2)
    load = np.bincount(triangles.ravel(), np.repeat(area / 3.0, 3), len(points))
    free = np.all((points > 1e-9) & (points < 1.0 - 1e-9), axis=1)
    wave = rng.normal(size=(3, 3)) / 9.0
    x, y = np.pi * points.T
    floor = (
        sum(wave[a, c] * np.sin((a + 1) * x) * np.sin((c + 1) * y) for a in range(3) for c in range(3))
        - 0.03
    )
    A = K[free][:, free].tocsr()
    return MLCP(A, A @ floor[free] + load[free])


def signorini(n: int, seed: int) -> MLCP:
    """An elastic square, held at its top, on a wavy rigid ground, about n displacements, sparse."""
    rng = np.random.default_rng(seed)
    points, triangles = _mesh(n // 2, rng)
    area, gradient = _gradients(points, triangles)
    strain = np.zeros((len(area), 3, 6))
    strain[:, 0, 0::2], strain[:, 1, 1::2] = gradient[:, :, 0], gradient[:, :, 1]
    strain[:, 2, 0::2], strain[:, 2, 1::2] = gradient[:, :, 1], gradient[:, :, 0]
    nu = 0.3
    law = np.array([[1 - nu, nu, 0], [nu, 1 - nu, 0], [0, 0, 0.5 - nu]]) / ((1 + nu) * (1 - 2 * nu))
    local = area[:, None, None] * np.einsum("tai,ab,tbj->tij", strain, law, strain)
    rows = np.stack([2 * triangles, 2 * triangles + 1], axis=2).reshape(len(area), 6)
    i, j = np.repeat(rows, 6, axis=1).ravel(), np.tile(rows, (1, 6)).ravel()
    size = 2 * len(points)
    K = sp.csr_matrix((local.ravel(), (i, j)), shape=(size, size))
    load = np.zeros(size)
    load[1::2] = 0.5 * np.bincount(triangles.ravel(), np.repeat(area / 3.0, 3), len(points))
    free = np.repeat(points[:, 1] < 1.0 - 1e-9, 2)
    lower = np.full(size, -np.inf)
    ground = np.flatnonzero(points[:, 1] < 1e-9)
    lower[2 * ground + 1] = -0.05 + 0.04 * np.sin(
        rng.uniform(4, 12) * points[ground, 0] + rng.uniform(0, 6)
    )
    return MLCP(K[free][:, free].tocsr(), load[free], lower[free])


def trend(n: int, seed: int) -> MLCP:
    """Dual of the trend filter of a noisy signal: A = D D', D second differences; |z| <= lambda; sparse.

    Kim, Koh, Boyd & Gorinevsky, SIAM Review 51 (2009).
    """
    rng = np.random.default_rng(seed)
    D = sp.diags([1.0, -2.0, 1.0], [0, 1, 2], shape=(n, n + 2)).tocsr()
    knots = np.cumsum(np.cumsum(rng.normal(size=n + 2) * (rng.random(n + 2) < 0.02)))
    return MLCP((D @ D.T).tocsr(), -(D @ (knots + rng.normal(size=n + 2))), -20.0, 20.0)


def total_variation(n: int, seed: int) -> MLCP:
    """Dual of the denoising of a picture: A = D D' singular, D neighbours' differences; |z| <= lambda.

    Rudin, Osher & Fatemi, Physica D 60 (1992); Chambolle, J. Math. Imaging Vision 20 (2004).
    """
    rng = np.random.default_rng(seed)
    side = round((1.0 + np.sqrt(1.0 + 2.0 * n)) / 2.0)
    line = sp.diags([-1.0, 1.0], [0, 1], shape=(side - 1, side))
    D = sp.vstack([sp.kron(line, sp.eye(side)), sp.kron(sp.eye(side), line)]).tocsr()
    x, y = np.meshgrid(np.arange(side), np.arange(side))
    picture = ((x > side // 3) & (y > side // 4)).astype(float).ravel() + 0.2 * rng.normal(size=side**2)
    return MLCP((D @ D.T).tocsr(), -(D @ picture), -0.3, 0.3)


def traffic(n: int, seed: int) -> MLCP:
    """Wardrop's traffic equilibrium: flows on paths, travel times, link costs rising with all flows.

    A is not symmetric. Aashtiani & Magnanti, SIAM J. Algebraic Discrete Methods 2 (1981).
    """
    rng = np.random.default_rng(seed)
    pairs = max(1, n // 6)
    paths = n - pairs
    links = max(6, paths // 2)
    uses = (rng.random((links, paths)) < 0.3).astype(float)
    uses[rng.integers(0, links, paths), np.arange(paths)] = 1.0
    slope = np.diag(rng.uniform(0.5, 2.0, links)) + 0.05 * rng.random((links, links)) * (
        rng.random((links, links)) < 0.2
    )
    joins = np.zeros((pairs, paths))
    joins[np.arange(paths) % pairs, np.arange(paths)] = 1.0
    M = np.block([[uses.T @ slope @ uses, -joins.T], [joins, np.zeros((pairs, pairs))]])
    return MLCP(M, np.r_[uses.T @ rng.uniform(1.0, 5.0, links), -rng.uniform(1.0, 5.0, pairs)])


def support_vectors(n: int, seed: int) -> MLCP:
    """Dual of the support vector machine with offset: a Gaussian kernel, boxes, one equality."""
    rng = np.random.default_rng(seed)
    m = n - 1
    x = rng.normal(size=(m, 4))
    y = np.where(x[:, 0] + 0.5 * x[:, 1] ** 2 + 0.4 * rng.normal(size=m) > 0.3, 1.0, -1.0)
    distance_squared = np.sum((x[:, None] - x[None]) ** 2, axis=2)
    Q = np.outer(y, y) * np.exp(-0.25 * distance_squared) + 1e-8 * np.eye(m)
    M = np.block([[Q, -y[:, None]], [y[None], np.zeros((1, 1))]])
    return MLCP(M, np.r_[-np.ones(m), 0.0], np.r_[np.zeros(m), -np.inf], np.r_[np.full(m, 10.0), np.inf])


def portfolio(n: int, seed: int) -> MLCP:
    """Markowitz' portfolio: covariance of factors, shares of 0 to 0.2, one equality for their sum."""
    rng = np.random.default_rng(seed)
    m = n - 1
    factors = rng.normal(size=(m, max(3, m // 10)))
    Q = factors @ factors.T * 0.1 + np.diag(rng.uniform(0.01, 0.2, m))
    M = np.block([[Q, -np.ones((m, 1))], [np.ones((1, m)), np.zeros((1, 1))]])
    gain = rng.normal(size=m) * 0.1
    return MLCP(M, np.r_[-gain, -1.0], np.r_[np.zeros(m), -np.inf], np.r_[np.full(m, 0.2), np.inf])


def linear_programme(n: int, seed: int) -> MLCP:
    """Optimality conditions of min c'x, G x >= h, x >= 0: skew-symmetric A, zero diagonal, sparse G."""
    rng = np.random.default_rng(seed)
    m = n // 2
    k = n - m
    G = rng.normal(size=(m, k)) * (rng.random((m, k)) < 0.35)
    x, y = rng.random(k) * (rng.random(k) < 0.5), rng.random(m) * (rng.random(m) < 0.5)
    h = G @ x - np.where(y == 0.0, rng.random(m), 0.0)
    c = G.T @ y + np.where(x == 0.0, rng.random(k), 0.0)
    M = np.block([[np.zeros((k, k)), -G.T], [G, np.zeros((m, m))]])
    return MLCP(M, np.r_[c, -h])


FAMILIES: dict[str, Callable[[int, int], MLCP]] = {
    "pyramid": pyramid,
    "obstacle": obstacle,
    "signorini": signorini,
    "trend": trend,
    "total variation": total_variation,
    "traffic": traffic,
    "support vectors": support_vectors,
    "portfolio": portfolio,
    "linear programme": linear_programme,
}
SIZES: dict[str, tuple[int, ...]] = {
    "pyramid": (18, 24, 48, 80, 240),
    "obstacle": (250, 400, 800, 1600),
    "signorini": (280, 800, 1600),
    "trend": (250, 500, 2000),
    "total variation": (300, 2000),
    "traffic": (20, 240),
    "support vectors": (101, 401),
    "portfolio": (101, 401),
    "linear programme": (400, 1000),
}
