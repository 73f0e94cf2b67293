"""Solvers of other packages on the same problems, through their own interfaces.

Each function here takes a problem, symmetric but for QuantEcon and scaled to unit diagonal and
max |b| = 1 (as a careful user would do; ``*_sparse`` scale by themselves). It returns a function that
sets up and solves the problem anew and returns z and whether the solver claims success. Solvers of
sparse programmes also get problems with A = J M^-1 J' + E in the form

    minimise v'Mv/2 + z'Ez/2 + b'z   subject to   M v = J'z,  lower <= z <= upper

    with Jacobian J, block-diagonal mass matrix M, diagonal E and change of velocities v.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mlcp import MLCP, StructuredMLCP

# tolerance of the peers on the scaled problem, up to a factor; a larger one leaves residuals above 1e-10
EPS = 1e-12
Run = Callable[[], tuple[np.ndarray, bool]]


@dataclass(frozen=True)
class Scaled:
    """A box programme with unit diagonal and max |b| = 1; z = back * scaled z."""

    A: np.ndarray
    b: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    back: np.ndarray


def scaled(problem: MLCP | StructuredMLCP) -> Scaled:
    """Scale a problem to a unit diagonal and max |b| = 1."""
    s = np.sqrt(np.abs(problem.diagonal()))
    s[s == 0.0] = 1.0
    beta = np.max(np.abs(problem.b / s)) or 1.0
    A = np.ascontiguousarray(problem.dense_A / np.outer(s, s))
    return Scaled(A, problem.b / s / beta, problem.lower * s / beta, problem.upper * s / beta, beta / s)


def daqp(p: Scaled) -> Run:
    """DAQP: dual active set, dense."""
    import daqp as package

    n = len(p.b)
    upper, lower = np.minimum(p.upper, 1e30), np.maximum(p.lower, -1e30)
    none, sense = np.zeros((0, n)), np.zeros(n, np.int32)

    def run():
        x, _value, flag, _info = package.solve(
            p.A, p.b, none, upper, lower, sense, primal_tol=10 * EPS, dual_tol=10 * EPS
        )
        return x * p.back, flag == 1

    return run


def quadprog(p: Scaled) -> Run:
    """quadprog: Goldfarb-Idnani, dense; needs a positive definite A."""
    import quadprog as package

    n = len(p.b)
    above, below = np.isfinite(p.upper), np.isfinite(p.lower)
    C = np.hstack([np.eye(n)[:, below], -np.eye(n)[:, above]])
    limits = np.concatenate([p.lower[below], -p.upper[above]])

    def run():
        try:
            return package.solve_qp(p.A, -p.b, C, limits)[0] * p.back, True
        except ValueError:
            return np.full(n, np.nan), False

    return run


def quantecon(p: Scaled) -> Run:
    """QuantEcon: Lemke's method, a dense tableau; for z >= 0 alone, A of any kind."""
    from quantecon.optimize import lcp_lemke

    def run():
        found = lcp_lemke(p.A, p.b)
        return found.z * p.back, bool(found.success)

    return run


def _piqp_settings(solver) -> None:
    solver.settings.verbose = False
    for name in ("eps_abs", "eps_rel", "eps_duality_gap_abs", "eps_duality_gap_rel"):
        setattr(solver.settings, name, EPS)


def piqp(p: Scaled) -> Run:
    """PIQP: proximal interior point, dense."""
    import piqp as package

    def run():
        solver = package.DenseSolver()
        _piqp_settings(solver)
        solver.setup(p.A, p.b, x_l=p.lower, x_u=p.upper)
        status = solver.solve()
        return solver.result.x * p.back, status == package.Status.PIQP_SOLVED

    return run


def proxqp(p: Scaled) -> Run:
    """ProxQP: proximal augmented Lagrangian, dense."""
    import proxsuite

    n = len(p.b)
    upper, lower = np.minimum(p.upper, 1e20), np.maximum(p.lower, -1e20)

    def run():
        result = proxsuite.proxqp.dense.solve(
            H=p.A, g=p.b, A=None, b=None, C=np.eye(n), l=lower, u=upper, eps_abs=50 * EPS, eps_rel=0.0
        )
        solved = proxsuite.proxqp.QPSolverOutput.PROXQP_SOLVED
        return result.x * p.back, result.info.status == solved

    return run


def clarabel(p: Scaled) -> Run:
    """Clarabel: interior point, sparse."""
    import scipy.sparse as sp

    return _clarabel(sp.csc_matrix(np.triu(p.A)), p.b, None, p.lower, p.upper, p.back)


def _clarabel(P, q, equality, lower, upper, back) -> Run:
    import clarabel as package
    import scipy.sparse as sp

    n = len(q)
    unit = sp.eye(n, format="csc")
    above, below = np.isfinite(upper), np.isfinite(lower)
    parts = [unit[above], -unit[below]]
    right = np.concatenate([upper[above], -lower[below]])
    cones = [package.NonnegativeConeT(len(right))]
    if equality is not None:
        parts = [equality, *parts]
        right = np.concatenate([np.zeros(equality.shape[0]), right])
        cones = [package.ZeroConeT(equality.shape[0]), *cones]
    matrix = sp.vstack(parts).tocsc()

    def run():
        settings = package.DefaultSettings()
        settings.verbose = False
        settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 0.1 * EPS
        found = package.DefaultSolver(P, q, matrix, right, cones, settings).solve()
        return np.array(found.x)[: len(back)] * back, str(found.status) == "Solved"

    return run


def _extended(p: StructuredMLCP):
    """(P, q, equality, lower, upper, back): sparse programme in (z, v), scaled; z = back * scaled z."""
    import scipy.sparse as sp

    a = p.diagonal()
    s = np.sqrt(a)
    beta = np.max(np.abs(p.b / s)) or 1.0
    columns = (6 * p._row_block[:, None] + np.arange(6)).ravel()
    m = 6 * p.bodies
    J = sp.csr_matrix((p._J, columns, 6 * p._row_start), shape=(p.n, m))
    M = sp.block_diag(p.mass.reshape(-1, 6, 6), format="csc")
    P = sp.block_diag([sp.diags(p.e / a), M]).tocsc()
    equality = sp.hstack([-(sp.diags(1.0 / s) @ J).T, M]).tocsc()
    equality.eliminate_zeros()
    q = np.concatenate([p.b / s / beta, np.zeros(m)])
    free = np.full(m, np.inf)
    lower = np.concatenate([p.lower * s / beta, -free])
    upper = np.concatenate([p.upper * s / beta, free])
    return P, q, equality, lower, upper, beta / s


def piqp_sparse(p: StructuredMLCP) -> Run:
    """PIQP on the sparse programme in (z, v)."""
    return _piqp(*_extended(p))


def piqp_sparse_box(problem: MLCP) -> Run:
    """PIQP on a sparse A with bounds alone."""
    import scipy.sparse as sp

    p = scaled(problem)
    none = sp.csc_matrix((0, len(p.b)))
    return _piqp(sp.csc_matrix(p.A), p.b, none, p.lower, p.upper, p.back)


def _piqp(P, q, equality, lower, upper, back) -> Run:
    import piqp as package

    def run():
        solver = package.SparseSolver()
        _piqp_settings(solver)
        solver.setup(P, q, equality, np.zeros(equality.shape[0]), x_l=lower, x_u=upper)
        status = solver.solve()
        return solver.result.x[: len(back)] * back, status == package.Status.PIQP_SOLVED

    return run


def clarabel_sparse(p: StructuredMLCP) -> Run:
    """Clarabel on the sparse programme in (z, v)."""
    import scipy.sparse as sp

    P, q, equality, lower, upper, back = _extended(p)
    return _clarabel(sp.triu(P).tocsc(), q, equality, lower, upper, back)


_DENSE = {"daqp": daqp, "quadprog": quadprog, "piqp": piqp, "proxsuite": proxqp, "clarabel": clarabel}
_SPARSE = {"piqp": piqp_sparse, "clarabel": clarabel_sparse}


def installed() -> list[str]:
    """Names of the installed peers of ``_DENSE``, which take any bounds: without QuantEcon."""
    return [name for name in _DENSE if importlib.util.find_spec(name) is not None]


def runs(problem: MLCP | StructuredMLCP) -> dict[str, Run]:
    """Functions that run each installed peer that supports this problem."""
    found: dict[str, Run] = {}
    data = scaled(problem)
    pushes = np.all(problem.lower == 0.0) and np.all(problem.upper == np.inf)
    if pushes and importlib.util.find_spec("quantecon") is not None:
        found["quantecon"] = quantecon(data)
    if not problem.symmetric:
        return found
    for name in installed():
        found[name] = _DENSE[name](data)
        if isinstance(problem, StructuredMLCP) and name in _SPARSE:
            found[f"{name} sparse"] = _SPARSE[name](problem)
    if isinstance(problem, MLCP) and problem.sparse and "piqp" in found:
        found["piqp sparse"] = piqp_sparse_box(problem)
    return found
