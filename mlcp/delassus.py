"""Structured problem: A = J M^-1 J' + diag(e), given by M, J and e.

The solver ``direct`` forms A only after its other methods have failed.
M holds the masses, one block of up to six unknowns a body; row i of J has entries in the columns of a
few bodies.
Bounds and complementarity are those of ``mlcp.problem``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field as declared
from functools import cached_property
from typing import Any

import numpy as np

from mlcp import renamed
from mlcp.checks import real_array
from mlcp.kinds import Vector, checked
from mlcp.problem import MLCP, BadProblem, NamedRows, check_bounds, is_sparse, vector

BLOCK = 6
_VECTORS = ("e", "b", "lower", "upper")


@renamed.attributes(judged="recomputed")
@checked.explained
@dataclass(frozen=True, eq=False)
class StructuredMLCP(NamedRows):
    """w = (J M^-1 J' + diag(e)) z + b, lower <= z <= upper, w complementary to z in the box.

    Arguments:
        mass: (bodies, k, k) symmetric positive definite blocks, k <= 6; or (unknowns,) for a
            diagonal M.
        J: (n, unknowns) scipy.sparse matrix or array.
        e: (n,) or scalar compliance >= 0.
        b, lower, upper, row_names: as for ``MLCP``; b includes J v_free, v_free: velocities without the
            impulses z.
    Raises: BadProblem, one sentence naming the entry.

    A is positive semidefinite by construction. With e = 0 redundant rows make it singular.
    """

    mass: Any
    J: Any
    e: Any
    b: Any
    lower: Any = 0.0
    upper: Any = np.inf
    row_names: Sequence[str] | None = None
    # Flat arrays for the kernels and views of their parts; the bodies of row i of J are
    # row_block[row_start[i] : row_start[i + 1]].
    _shape: tuple[int, int] = declared(init=False, repr=False)
    _ints: np.ndarray = declared(init=False, repr=False)
    _reals: np.ndarray = declared(init=False, repr=False)
    _row_start: np.ndarray = declared(init=False, repr=False)
    _row_block: np.ndarray = declared(init=False, repr=False)
    _J: np.ndarray = declared(init=False, repr=False)

    def __post_init__(self) -> None:
        mass, k, unknowns = _masses(self.mass)
        pattern = _rows_by_body(self.J, k, unknowns)
        n = len(pattern[0]) - 1
        self.__dict__["_shape"] = (k, unknowns)
        given = [vector(field, getattr(self, field), n, "J") for field in _VECTORS]
        self._keep_pattern(*pattern[:2])
        self._keep_values(mass, pattern[2], *given)
        self._check()

    def _keep_pattern(self, row_start: np.ndarray, row_block: np.ndarray) -> None:
        """Store the pattern of J as one flat integer array for the kernels, with views of its parts."""
        ints = np.concatenate([row_start, row_block])
        ints.flags.writeable = False
        n = len(row_start) - 1
        if self.row_names is not None and len(self.row_names) != n:
            raise BadProblem(f"row_names has {len(self.row_names)} entries, but J has {n} rows.")
        self.__dict__.update(_ints=ints, _row_start=ints[: n + 1], _row_block=ints[n + 1 :])

    def _keep_values(self, *values: np.ndarray) -> None:
        """Store mass, J, e, b, lower and upper as one flat array for the kernels, with views."""
        reals = np.concatenate(values)
        reals.flags.writeable = False
        at = 0
        for field, value in zip(("mass", "_J", *_VECTORS), values, strict=True):
            self.__dict__[field] = reals[at : at + len(value)]
            at += len(value)
        self.__dict__["_reals"] = reals

    def _check(self) -> None:
        check_bounds(self)
        valid = (self.e >= 0.0) & (self.e < np.inf)
        if not np.all(valid):
            i = int(np.argmin(valid))
            raise BadProblem(f"e of row {self.row_name(i)} is {self.e[i]}; it must be >= 0 and finite.")

    symmetric = True
    matrix_class = "PSD"
    sparse = True

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.b.shape[0]

    @property
    def bodies(self) -> int:
        """Number of mass blocks."""
        return self.mass.shape[0] // (BLOCK * BLOCK)

    def with_values(self, **changes: Any) -> StructuredMLCP:
        """Copy the problem with other mass, J, e, b, lower or upper.

        The elimination order of the bodies is kept if J has the same pattern.
        """
        unknown = set(changes) - {"mass", "J", "e", "b", "lower", "upper"}
        if unknown:
            raise TypeError(f"with_values got {sorted(unknown)}; known are mass, J, e, b, bounds.")
        other = object.__new__(StructuredMLCP)
        other.__dict__.update(self.__dict__)
        other.__dict__.pop("dense_A", None)
        mass, values = self.mass, self._J
        if "mass" in changes:
            mass, k, unknowns = _masses(changes["mass"])
            if (k, unknowns) != self._shape:
                raise BadProblem(f"mass has {unknowns} unknowns; it must keep {self._shape[1]}.")
        if "J" in changes:
            start, block, values = _rows_by_body(changes["J"], *self._shape)
            other.__dict__["J"] = changes["J"]
            if not (np.array_equal(start, self._row_start) and np.array_equal(block, self._row_block)):
                other.__dict__.pop("plan", None)
                other._keep_pattern(start, block)
        n = len(other._row_start) - 1
        given = [
            vector(field, changes[field], n, "J") if field in changes else getattr(self, field)
            for field in _VECTORS
        ]
        for field, value in zip(_VECTORS, given, strict=True):
            if len(value) != n:
                raise BadProblem(f"J now has {n} rows, so {field} must be given too.")
        other._keep_values(mass, values, *given)
        if {"lower", "upper"} & set(changes):
            other.__dict__.pop("bounded", None)
        other._check()
        return other

    @cached_property
    def bounded(self) -> np.ndarray:
        """Indices of the rows that have a bound."""
        return np.flatnonzero((self.lower > -np.inf) | (self.upper < np.inf))

    @property
    def for_kernels(self) -> tuple[np.ndarray, np.ndarray, int, int, np.ndarray]:
        """Tuple ``problem`` for the functions of ``mlcp.kernels.structured.structured_entry``."""
        return self._ints, self._reals, self.n, self.bodies, self.bounded

    @cached_property
    def plan(self) -> tuple[np.ndarray, int]:
        """Plan of the factor: (order of the bodies and positions of the blocks, number of blocks)."""
        from mlcp.kernels.structured.structured_entry import run_plan

        plan = self._empty_plan()
        return plan, run_plan(self._ints, self.n, self.bodies, self.bounded, plan)

    def _empty_plan(self) -> np.ndarray:
        from mlcp.kernels.structured.structured_layout import BodyOrder

        return np.empty(BodyOrder.length(self.bodies, 0), np.int64)

    def recomputed(self, z: Vector) -> tuple[np.ndarray, np.ndarray, float]:
        """Compute (w, diag(A), natural residual) at z from mass, J and e."""
        w, a, residuals = self._recompute(z)
        return w, a, float(np.max(residuals, initial=0.0)) if not np.any(np.isnan(residuals)) else np.inf

    def _recompute(self, z: Vector) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        from mlcp.kernels.structured.structured_entry import ResidualWork, run_structured_residual

        n, work = self.n, np.empty(ResidualWork.length(self.n, self.bodies, len(self._row_block)))
        w, a, residuals = np.empty(n), np.empty(n), np.full(n, np.nan)
        if type(z) is not np.ndarray or z.shape != (n,) or z.dtype.kind != "f":
            z = vector("z", z, n)
        z = np.ascontiguousarray(z, dtype=np.float64)
        run_structured_residual(self.for_kernels, z, w, a, residuals, work)
        return w, a, residuals

    def row_residuals(self, z: Vector) -> np.ndarray:
        """Natural residual of every row, relative to the row's size; NaN where it is undefined."""
        return self._recompute(z)[2]

    def diagonal(self) -> np.ndarray:
        """Diagonal of A."""
        return self._recompute(np.zeros(self.n))[1]

    def w(self, z: Vector) -> np.ndarray:
        """w = A z + b, computed from mass, J and e."""
        return self._recompute(z)[0]

    def part(
        self, rows: np.ndarray, b: np.ndarray, lower: np.ndarray, upper: np.ndarray
    ) -> StructuredMLCP:
        """Make the problem of some rows, with other b and bounds."""
        mass, J = self.mass.reshape(-1, BLOCK, BLOCK), self._padded_J()[rows]
        return StructuredMLCP(mass, J, self.e[rows], b, lower, upper)

    def _padded_J(self) -> Any:
        """Sparse J (n, 6 bodies), with six columns a body."""
        return csr_of_blocks(self._J, self._row_start, self._row_block, self.bodies)

    @cached_property
    def dense_A(self) -> np.ndarray:
        """Dense matrix A (n, n), for solvers that need it (read-only)."""
        columns, blocks = self._padded_J().toarray(), self.mass.reshape(-1, BLOCK, BLOCK)
        solved = np.linalg.solve(blocks[None], columns.reshape(self.n, -1, BLOCK, 1))
        A = columns @ solved.reshape(self.n, -1).T
        A = 0.5 * (A + A.T) + np.diag(self.e)
        A.flags.writeable = False
        return A

    def formed(self) -> MLCP:
        """The same problem as an :class:`MLCP` with the dense matrix A."""
        return MLCP(self.dense_A, self.b, self.lower, self.upper, self.row_names)

    def with_velocities(self) -> MLCP:
        """The same problem, sparse, with unknowns (v, z): M v = J'z, w = J v + e z + b."""
        import scipy.sparse as sp

        J, M = self._padded_J(), sp.block_diag(self.mass.reshape(-1, BLOCK, BLOCK), format="csr")
        free = np.full(J.shape[1], np.inf)
        A = sp.bmat([[M, -J.T], [J, sp.diags(self.e)]]).tocsr()
        A.eliminate_zeros()
        b = np.r_[np.zeros(len(free)), self.b]
        return MLCP(A, b, np.r_[-free, self.lower], np.r_[free, self.upper])

    @property
    def A(self) -> np.ndarray:
        """Dense matrix A (n, n)."""
        return self.dense_A


def csr_of_blocks(values: np.ndarray, start: np.ndarray, block: np.ndarray, bodies: int) -> Any:
    """Sparse J of which row i has six ``values`` for each body ``block[start[i] : start[i + 1]]``."""
    import scipy.sparse as sp

    columns = (BLOCK * block[:, None] + np.arange(BLOCK)).ravel()
    return sp.csr_matrix((values, columns, BLOCK * start), shape=(len(start) - 1, BLOCK * bodies))


def _masses(mass: Any) -> tuple[np.ndarray, int, int]:
    """Check the argument ``mass`` and bring its blocks to one shape.

    Returns: (flat array of blocks padded to 6 x 6 by the identity, unknowns of a block, number of all
        unknowns).
    """
    given = real_array("mass", mass, BadProblem)
    if given.ndim == 1:
        unknowns = given.shape[0]
        k = BLOCK
        padded = np.ones(-(-unknowns // BLOCK) * BLOCK)
        padded[:unknowns] = given
        blocks = np.zeros((len(padded) // BLOCK, BLOCK, BLOCK))
        blocks[:, range(BLOCK), range(BLOCK)] = padded.reshape(-1, BLOCK)
    elif given.ndim == 3 and given.shape[1] == given.shape[2] <= BLOCK:
        k = given.shape[1]
        unknowns = len(given) * k
        blocks = np.zeros((len(given), BLOCK, BLOCK))
        blocks[:, range(BLOCK), range(BLOCK)] = 1.0
        blocks[:, :k, :k] = given
    else:
        raise BadProblem(
            f"mass has shape {given.shape}; it must be (bodies, k, k) with k <= {BLOCK}, or"
            " (unknowns,) for a diagonal."
        )
    if not np.all(np.isfinite(blocks)):
        body = int(np.argwhere(~np.isfinite(blocks))[0][0])
        raise BadProblem(f"mass of body {body} holds a number that is not finite.")
    if not np.allclose(blocks, blocks.transpose(0, 2, 1), rtol=1e-12, atol=0.0):
        raise BadProblem("mass must be symmetric, block by block.")
    try:
        np.linalg.cholesky(blocks)
    except np.linalg.LinAlgError:
        for body, block in enumerate(blocks):
            smallest = float(np.linalg.eigvalsh(block)[0])
            if not smallest > 0.0:
                raise BadProblem(
                    f"mass of body {body} must be positive definite; its smallest eigenvalue is"
                    f" {smallest:.3g}."
                ) from None
        raise BadProblem("mass must be positive definite, block by block.") from None
    flat = blocks.ravel()
    flat.flags.writeable = False
    return flat, k, unknowns


def _rows_by_body(J: Any, k: int, unknowns: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sparse form (row_start, row_block, values) of J, six values for each body of a row.

    Row i acts on the bodies ``row_block[row_start[i] : row_start[i + 1]]``.
    """
    if is_sparse(J):
        if np.issubdtype(J.dtype, np.complexfloating):
            raise BadProblem("J must be real; it holds complex numbers.")
        entries = J.tocoo()
        row, column, value, shape = entries.row, entries.col, entries.data, J.shape
    else:
        dense = real_array("J", J, BadProblem)
        if dense.ndim != 2:
            raise BadProblem(f"J must be (n, {unknowns}); it has shape {dense.shape}.")
        row, column = np.nonzero(dense)
        value, shape = dense[row, column], dense.shape
    if shape[1] != unknowns:
        raise BadProblem(f"J has {shape[1]} columns, but mass has {unknowns} unknowns.")
    if not np.all(np.isfinite(value)):
        bad = int(np.flatnonzero(~np.isfinite(value))[0])
        raise BadProblem(f"J[{row[bad]}, {column[bad]}] is {value[bad]}; it must be finite.")
    n, bodies = shape[0], max(1, -(-unknowns // k))
    pairs, slot = np.unique(row.astype(np.int64) * bodies + column // k, return_inverse=True)
    values = np.zeros((len(pairs), BLOCK))
    np.add.at(values, (slot.ravel(), column % k), value)
    row_start = np.searchsorted(pairs // bodies, np.arange(n + 1)).astype(np.int64)
    return row_start, (pairs % bodies).astype(np.int64), values.ravel()
