"""Families of dense problems, most from the literature, each made from its size and seed alone.

No constant of the solvers was chosen with these families, so they stand for a user's problems. Every
problem (w = A z + b, w complementary to z in its bounds) has a solution; ``FAMILIES`` names them all.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mlcp import MLCP


def _two_sides(n: int) -> tuple[int, int]:
    """Numbers of cells along the sides of a nearly square rectangle of n cells."""
    few = max(k for k in range(1, int(np.sqrt(n)) + 1) if n % k == 0)
    return n // few, few


def _laplace(wide: int, deep: int) -> np.ndarray:
    """The five-point Laplacian with a fixed border."""
    line = lambda k: 2.0 * np.eye(k) - np.eye(k, k=1) - np.eye(k, k=-1)  # noqa: E731
    return np.kron(line(wide), np.eye(deep)) + np.kron(np.eye(wide), line(deep))


def bilateral_and_contact(n: int, seed: int) -> MLCP:
    """A = J J' + 1e-6 I, J random with n + 6 columns, 30 % nonzero; z >= 0 in a third of the rows, else
    |z| <= 0.5."""
    return _pushing(n, n + 6, seed)


def redundant(n: int, seed: int) -> MLCP:
    """A = J J' + 1e-6 I, J random with 2 n / 3 columns: a third of the rows is redundant."""
    return _pushing(n, 2 * n // 3, seed)


def _pushing(n: int, unknowns: int, seed: int) -> MLCP:
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(n, unknowns)) * (rng.random((n, unknowns)) < 0.3)
    pushes = np.arange(n) % 3 == 0
    bounds = np.where(pushes, 0.0, -0.5), np.where(pushes, 1e6, 0.5)
    return MLCP(J @ J.T + 1e-6 * np.eye(n), rng.normal(size=n), *bounds)


def murty(n: int, seed: int) -> MLCP:
    """A: 1 on the diagonal, 2 above it, rows and columns in random order; some pivoting rules need 2^n
    pivots. Murty (1978)."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    M = np.eye(n) + np.triu(np.full((n, n), 2.0), 1)
    return MLCP(M[np.ix_(order, order)], -1.0 - 0.1 * rng.random(n))


def fathi(n: int, seed: int) -> MLCP:
    """A = M M', M: 1 on the diagonal, 2 below it; symmetric and positive definite, rows and columns in
    random order. Fathi (1979)."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    M = np.eye(n) + np.tril(np.full((n, n), 2.0), -1)
    return MLCP((M @ M.T)[np.ix_(order, order)], -1.0 - 0.1 * rng.random(n))


def csizmadia(n: int, seed: int) -> MLCP:
    """Triangular A with -1 below the diagonal: a P-matrix whose inverse grows as 2^n.

    b follows from a random solution. Csizmadia, in de Klerk & E.-Nagy, Math. Program. 129 (2011).
    """
    rng = np.random.default_rng(seed)
    return _with_solution(np.eye(n) - np.tril(np.ones((n, n)), -1), rng)


def _with_solution(M: np.ndarray, rng: np.random.Generator) -> MLCP:
    n = len(M)
    free = rng.random(n) < 0.5
    z, w = np.where(free, rng.random(n), 0.0), np.where(free, 0.0, rng.random(n))
    return MLCP(M, w - M @ z)


def harker_pang(n: int, seed: int) -> MLCP:
    """A = B B' + skew-symmetric + small diagonal, B random; b of both signs. Harker & Pang (1990)."""
    rng = np.random.default_rng(seed)
    B, S = rng.uniform(-5.0, 5.0, (n, n)), np.triu(rng.uniform(-5.0, 5.0, (n, n)), 1)
    return MLCP(B @ B.T + S - S.T + np.diag(rng.uniform(0.0, 0.3, n)), rng.uniform(-500.0, 500.0, n))


def dominant(n: int, seed: int) -> MLCP:
    """A random P-matrix: entries in -1 .. 1, each diagonal above the sum of its row's magnitudes."""
    rng = np.random.default_rng(seed)
    M = rng.uniform(-1.0, 1.0, (n, n))
    np.fill_diagonal(M, 0.0)
    np.fill_diagonal(M, np.abs(M).sum(axis=1) + rng.random(n))
    return _with_solution(M, rng)


def obstacle(n: int, seed: int) -> MLCP:
    """A membrane pressed onto a bumpy floor; z is its height above the floor. Glowinski (1984)."""
    rng = np.random.default_rng(seed)
    wide, deep = _two_sides(n)
    x, y = np.meshgrid(
        np.linspace(0.0, 1.0, wide + 2)[1:-1], np.linspace(0.0, 1.0, deep + 2)[1:-1], indexing="ij"
    )
    waves = rng.normal(size=(3, 3)) / 9.0
    floor = sum(waves[i, j] * np.sin((i + 1) * np.pi * x) * np.sin((j + 1) * np.pi * y)
                for i in range(3) for j in range(3)).ravel() - 0.03  # fmt: skip
    A = _laplace(wide, deep)
    return MLCP(A, A @ floor + 1.0 / (wide * deep))


def bearing(n: int, seed: int) -> MLCP:
    """Pressure of the oil film in a journal bearing that cavitates. Cryer (1971)."""
    rng = np.random.default_rng(seed)
    around, across = _two_sides(n)
    eccentric = rng.uniform(0.5, 0.9)
    angle = np.linspace(0.0, 2.0 * np.pi, around + 2)
    step, ratio = angle[1], rng.uniform(0.2, 1.0)
    film = (1.0 + eccentric * np.cos(angle)) ** 3
    between = 0.5 * (film[1:] + film[:-1])
    line = np.diag(between[1:] + between[:-1]) - np.diag(between[1:-1], 1) - np.diag(between[1:-1], -1)
    deep = 2.0 * np.eye(across) - np.eye(across, k=1) - np.eye(across, k=-1)
    A = np.kron(line, np.eye(across)) + ratio * np.kron(np.diag(film[1:-1]), deep)
    return MLCP(A, np.repeat(eccentric * np.sin(angle[1:-1]) * -step * step, across))


def rough_contact(n: int, seed: int) -> MLCP:
    """A rough plate pressed on an elastic half space; z is the pressure. Kalker & van Randen (1972)."""
    rng = np.random.default_rng(seed)
    wide, deep = _two_sides(n)
    x, y = np.divmod(np.arange(n), deep)
    far = np.hypot(x[:, None] - x, y[:, None] - y)
    # deflection at the centre of a unit square under unit pressure: 4 ln(1 + sqrt 2) = 3.5255
    A = 1.0 / np.where(far > 0.0, far, 1.0 / 3.5255)
    heights = rng.normal(size=n) + 3.0 * (x / wide - 0.5) ** 2
    return MLCP(A, heights - np.quantile(heights, 0.6))


def support_vectors(n: int, seed: int) -> MLCP:
    """Dual of a support vector machine without offset, Gaussian kernel, 0 <= z <= C. Vapnik (1995)."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    y = np.where(X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=n) > 0.0, 1.0, -1.0)
    far = np.sum((X[:, None] - X) ** 2, axis=2)
    A = np.outer(y, y) * np.exp(-0.25 * far) + 1e-8 * np.eye(n)
    return MLCP(A, -1.0, 0.0, 10.0)


def least_squares(n: int, seed: int) -> MLCP:
    """Non-negative least squares for the spikes of a blurred signal. Lawson & Hanson (1974)."""
    rng = np.random.default_rng(seed)
    x = np.linspace(0.0, 1.0, n)
    G = np.exp(-0.5 * ((np.linspace(0.0, 1.0, 2 * n)[:, None] - x) * n / 1.5) ** 2)
    spikes = np.where(rng.random(n) < 0.3, rng.random(n), 0.0)
    return MLCP(G.T @ G, -G.T @ (G @ spikes + 0.01 * rng.normal(size=2 * n)))


def projection(n: int, seed: int) -> MLCP:
    """Dual of a projection onto a polyhedron of n sides in n / 2 + 3 dimensions. Hildreth (1957)."""
    rng = np.random.default_rng(seed)
    G = rng.normal(size=(n, n // 2 + 3))
    G /= np.linalg.norm(G, axis=1)[:, None]
    away = 3.0 * rng.normal(size=G.shape[1])
    return MLCP(G @ G.T + 1e-9 * np.eye(n), 1.0 - G @ away)


def disc_pile(n: int, seed: int) -> MLCP:
    """One step of a pile of discs in a plane; friction bounds are fixed, from the weight. Moreau (1988).

    Rows in pairs, normal and tangential, of contacts between neighbours in a lattice and with the floor.
    """
    rng = np.random.default_rng(seed)
    contacts, radius, h = n // 2, 0.05, 1e-3
    columns = max(3, int(np.sqrt(contacts / 2)))
    pairs: list[tuple[int, int, float]] = []
    k = 0
    while len(pairs) < contacts:
        level, place = divmod(k, columns)
        if level == 0:
            pairs.append((k, -1, 0.5 * np.pi))
        else:
            shift = -1 if level % 2 else 0
            for other, angle in ((place + shift, np.pi / 3.0), (place + shift + 1, 2.0 * np.pi / 3.0)):
                if 0 <= other < columns:
                    pairs.append((k, (level - 1) * columns + other, angle))
        k += 1
    pairs = pairs[:contacts]
    discs = 1 + max(p[0] for p in pairs)
    J, limit = np.zeros((n, 3 * discs)), np.zeros(n)
    mass = rng.uniform(0.5, 2.0, discs)
    for c, (one, other, angle) in enumerate(pairs):
        angle += 0.05 * rng.normal()
        normal = np.array([np.cos(angle), np.sin(angle)])
        along = np.array([normal[1], -normal[0]])
        for disc, sign in ((one, 1.0), (other, -1.0)):
            if disc >= 0:
                J[2 * c, 3 * disc : 3 * disc + 2] = sign * normal
                J[2 * c + 1, 3 * disc : 3 * disc + 2] = sign * along
                J[2 * c + 1, 3 * disc + 2] = radius
        limit[2 * c + 1] = 0.3 * 9.81 * h * mass[one:].sum() / columns
    inverse = np.ravel([(1.0 / m, 1.0 / m, 2.0 / (m * radius**2)) for m in mass])
    velocity = 0.003 * rng.normal(size=3 * discs)
    velocity[1::3] -= 9.81 * h
    A = (J * inverse) @ J.T + 1e-6 * np.eye(n)
    normals = np.arange(n) % 2 == 0
    return MLCP(A, J @ velocity, np.where(normals, 0.0, -limit), np.where(normals, np.inf, limit))


def stopping(n: int, seed: int) -> MLCP:
    """Optimal stopping of a Markov chain: value = max(payoff, 0.98 P value). Cottle, Pang & Stone
    (1992)."""
    rng = np.random.default_rng(seed)
    P = rng.random((n, n)) * (rng.random((n, n)) < 0.2) + np.eye(n)
    P /= P.sum(axis=1)[:, None]
    M = np.eye(n) - 0.98 * P
    return MLCP(M, M @ rng.random(n))


def option(n: int, seed: int) -> MLCP:
    """An American put, one implicit step back from its payoff. Jaillet, Lamberton & Lapeyre (1990)."""
    rng = np.random.default_rng(seed)
    rate, sigma = rng.uniform(0.02, 0.08), rng.uniform(0.2, 0.5)
    x = np.linspace(-1.5, 1.5, n + 2)
    dx, drift = x[1] - x[0], rate - 0.5 * sigma**2
    step = 0.25
    low, high = 0.5 * sigma**2 / dx**2 - 0.5 * drift / dx, 0.5 * sigma**2 / dx**2 + 0.5 * drift / dx
    M = np.eye(n) * (1.0 + step * (low + high + rate))
    M -= step * (low * np.eye(n, k=-1) + high * np.eye(n, k=1))
    payoff = np.maximum(1.0 - np.exp(x[1:-1]), 0.0)
    return MLCP(M, M @ payoff - payoff - np.eye(n)[0] * step * low * (1.0 - np.exp(x[0])))


FAMILIES: dict[str, Callable[[int, int], MLCP]] = {
    family.__name__: family
    for family in (
        bilateral_and_contact, redundant, murty, fathi, csizmadia, harker_pang, dominant, obstacle,
        bearing, rough_contact, support_vectors, least_squares, projection, disc_pile, stopping, option,
    )
}  # fmt: skip
