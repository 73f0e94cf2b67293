"""Mixed linear complementarity problem:

    w = A z + b,    lower <= z <= upper,    and for every row

    z = lower          ->  w >= 0
    lower < z < upper  ->  w  = 0
    z = upper          ->  w <= 0

A bilateral row has lower = -inf and upper = +inf; a plain complementarity row lower = 0 and
upper = +inf; a prescribed row lower = upper, with any w.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mlcp import renamed
from mlcp.checks import real_array
from mlcp.kinds import checked
from mlcp.semidefinite import scaled_matrix, semidefinite

_FLOAT = np.dtype(np.float64)


class BadProblem(ValueError):
    """Invalid data of a problem; the message names the entry and the allowed values."""


def is_sparse(A: Any) -> bool:
    """True for a scipy.sparse matrix or array, without importing SciPy."""
    return type(A) is not np.ndarray and hasattr(A, "tocsr") and hasattr(A, "nnz")


class NamedRows:
    """Base class of problems whose rows may have names."""

    row_names: Sequence[str] | None

    def row_name(self, i: int) -> str:
        """Name of row i, or the index i as text."""
        return str(i) if self.row_names is None else self.row_names[i]


@renamed.attributes(judged_rows="residuals_and_reach")
@checked.explained
@dataclass(frozen=True, eq=False, init=False, repr=False)
class MLCP(NamedRows):
    """w = A z + b, lower <= z <= upper, w complementary to z in the box (see the module).

    Arguments:
        A: (n, n) array, or a scipy.sparse matrix; any units in which all products w_i z_i share a unit.
        b: (n,) array; a scalar is spread over the rows.
        lower, upper: (n,) arrays or scalars; -inf and +inf mean no bound, equal means prescribed.
        row_names: optional n strings that errors and ``Solution.worst_row`` use.
    Raises: BadProblem (a ValueError), one sentence naming the entry and what is allowed.

    The arrays are copied, and the copies, but for a sparse A, are read-only; the caller's arrays never
    change.
    """

    A: Any
    b: Any
    lower: Any = 0.0
    upper: Any = np.inf
    row_names: Sequence[str] | None = None

    def __init__(
        self,
        A: Any,
        b: Any,
        lower: Any = 0.0,
        upper: Any = np.inf,
        row_names: Sequence[str] | None = None,
    ) -> None:
        plain = _plain_copies(A, b, lower, upper) if row_names is None else None
        if plain is None:
            A = _matrix(A)
            n = A.shape[0]
            if row_names is not None:
                row_names = tuple(str(name) for name in row_names)
                if len(row_names) != n:
                    raise BadProblem(f"row_names has {len(row_names)} entries, but A has {n} rows.")
            plain = A, vector("b", b, n), vector("lower", lower, n), vector("upper", upper, n)
        # fields are set in __dict__: assignments in a frozen dataclass take as long as the checks
        fields = self.__dict__
        fields["A"], fields["b"], fields["lower"], fields["upper"] = plain
        fields["row_names"] = row_names
        # One compiled call accepts nearly all valid problems; the others are checked in detail.
        if type(plain[0]) is not np.ndarray or not _well_stated()(*plain):
            _check_matrix(plain[0])
            check_bounds(self)

    def __repr__(self) -> str:
        kind = "sparse" if self.sparse else "dense"
        return f"MLCP({self.n} rows, {kind}; its numbers are in .A, .b, .lower, .upper)"

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.A.shape[0]

    @property
    def sparse(self) -> bool:
        """True if A is stored sparse (as CSR)."""
        return type(self.A) is not np.ndarray

    @cached_property
    def dense_A(self) -> np.ndarray:
        """A as a read-only dense C-contiguous array."""
        if not self.sparse:
            return self.A
        dense = np.ascontiguousarray(self.A.toarray())
        dense.flags.writeable = False
        return dense

    @cached_property
    def symmetric(self) -> bool:
        """True if |a_ij - a_ji| <= 1e-12 sqrt(|a_ii a_jj|) for all i, j; a zero diagonal counts as 1."""
        scale = np.sqrt(np.abs(self.A.diagonal()))
        scale[scale == 0.0] = 1.0
        if self.sparse:
            skew = abs(self.A - self.A.T).tocoo()
            i, j, v = skew.row, skew.col, skew.data
            return bool(np.all(v <= 1e-12 * scale[i] * scale[j]))
        skew = np.abs(self.A - self.A.T)
        return bool(np.all(skew <= 1e-12 * np.outer(scale, scale)))

    @cached_property
    def matrix_class(self) -> str:
        """Verified class of A: "P", "PSD" or "unknown".

        "P" (every principal minor positive: one solution for every b) if (A + A')/2 is positive
        definite (no eigenvalue below 1e-12 n), or by all principal minors for n <= 10. "PSD" if it has
        no eigenvalue below -1e-12 n. A is first scaled to a unit diagonal.
        """
        if self.n == 0:
            return "P"
        scale = np.sqrt(np.abs(self.diagonal()))
        scale[scale == 0.0] = 1.0
        A = scaled_matrix(self.A, scale)
        half, least = 0.5 * (A + A.T), 1e-12 * self.n
        if semidefinite(half, -least) or (
            self.n <= 10 and _all_minors_positive(A.toarray() if is_sparse(A) else A)
        ):
            return "P"
        return "PSD" if semidefinite(half, least) else "unknown"

    def diagonal(self) -> np.ndarray:
        """Diagonal of A."""
        return self.A.diagonal()

    def row_residuals(self, z: np.ndarray, least: float = 0.0) -> np.ndarray:
        """Natural residual of every row, relative to the row's size (largest bias); NaN if undefined.

        least: lower limit of |b| in the size of a row, in the units of b; dense problems only.
        """
        return self.residuals_and_reach(z, least)[0]

    def residuals_and_reach(self, z: np.ndarray, least: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """``row_residuals``, and the largest possible term of each z in the size of another row."""
        from mlcp.kernels.dense_calls import SizeWork, run_residual, run_sparse_residual

        if type(z) is not np.ndarray or z.shape != (self.n,) or z.dtype.kind != "f":
            z = vector("z", z, self.n)
        z, found = np.ascontiguousarray(z, dtype=np.float64), (np.empty(self.n), np.empty(self.n))
        rest, work = (self.b, self.lower, self.upper), np.empty(SizeWork.length(self.n))
        if self.sparse:
            run_sparse_residual((*self.csr, *rest), z, found, work)
        else:
            run_residual((self.A, *rest), z, float(least), found, work)
        return found

    @cached_property
    def csr(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """A as (start of each row, columns, values) for the kernels."""
        A = self.A
        if self.sparse:
            return A.indptr.astype(np.int64), A.indices.astype(np.int64), A.data
        where = np.flatnonzero(A != 0.0)
        row = np.cumsum(np.count_nonzero(A, axis=1), dtype=np.int64)
        return np.concatenate([[0], row]), where % self.n, A.ravel()[where]

    def w(self, z: np.ndarray) -> np.ndarray:
        """w = A z + b."""
        return np.asarray(self.A @ z).ravel() + self.b

    def part(self, rows: np.ndarray, b: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> MLCP:
        """Make the problem of some rows and the same columns, with other b and bounds."""
        A = self.A[rows][:, rows] if self.sparse else self.A[np.ix_(rows, rows)]
        return MLCP(A, b, lower, upper)


def _all_minors_positive(A: np.ndarray) -> bool:
    """Test for a P-matrix by eliminating and deleting the first row in turn (Tsatsomeros & Li 2000)."""
    if not A[0, 0] > 1e-12:
        return False
    if len(A) == 1:
        return True
    rest = A[1:, 1:]
    schur = rest - np.outer(A[1:, 0], A[0, 1:]) / A[0, 0]
    return _all_minors_positive(rest) and _all_minors_positive(schur)


def _plain_copies(A: Any, b: Any, lower: Any, upper: Any) -> tuple[Any, Any, Any, Any] | None:
    """Read-only copies of float64 arrays of fitting shapes; None if a detailed check is needed.

    The checks of ``_matrix`` and ``vector`` are repeated here: with few rows calls of them take longer.
    """
    if not (type(A) is type(b) is np.ndarray and A.dtype is b.dtype is _FLOAT):
        return None
    shape = b.shape
    if len(shape) != 1 or A.shape != shape + shape:
        return None
    if type(lower) is float:
        lower = _spread(lower, shape[0])
    elif type(lower) is np.ndarray and lower.dtype is _FLOAT and lower.shape == shape:
        lower = lower.copy()
        lower.setflags(False)  # pyright: ignore[reportCallIssue]
    else:
        return None
    if type(upper) is float:
        upper = _spread(upper, shape[0])
    elif type(upper) is np.ndarray and upper.dtype is _FLOAT and upper.shape == shape:
        upper = upper.copy()
        upper.setflags(False)  # pyright: ignore[reportCallIssue]
    else:
        return None
    A, b = A.copy(), b.copy()
    A.setflags(False)  # a positional argument takes half the time of a keyword; a solve has four calls
    b.setflags(False)  # pyright: ignore[reportCallIssue]
    return A, b, lower, upper


def _matrix(A: Any) -> Any:
    """Copy of A, read-only if dense; BadProblem unless it is (n, n) and real. NaN is checked later."""
    if type(A) is np.ndarray and A.dtype is _FLOAT and A.ndim == 2 and A.shape[0] == A.shape[1]:
        return _read_only(A)
    if is_sparse(A):
        if np.issubdtype(A.dtype, np.complexfloating):
            raise BadProblem("A must be real; it holds complex numbers.")
        own: Any = A.tocsr().astype(np.float64, copy=True)  # type: ignore[attr-defined]
        own.sum_duplicates()
        own.sort_indices()
    else:
        own = real_array("A", A, BadProblem)
        own.setflags(write=False)
    shape = own.shape
    if len(shape) != 2 or shape[0] != shape[1]:
        many = "; stacks go to solve_many" if len(shape) > 2 else ""
        raise BadProblem(f"A must be square, (n, n); it has shape {tuple(shape)}{many}.")
    return own


def _check_matrix(A: Any) -> None:
    """Raise BadProblem, naming the entry, unless every entry is finite."""
    if np.all(np.isfinite(A.data if is_sparse(A) else A)):
        return
    if is_sparse(A):
        where = A.tocoo()
        k = int(np.flatnonzero(~np.isfinite(where.data))[0])
        i, j, value = int(where.row[k]), int(where.col[k]), where.data[k]
    else:
        i, j = (int(k) for k in np.argwhere(~np.isfinite(A))[0])
        value = A[i, j]
    raise BadProblem(f"A[{i}, {j}] is {value}; every entry of A must be finite.")


@functools.cache
def _well_stated() -> Any:
    """The compiled check of dense problems, for read-only arrays of ``_plain_copies``."""
    from mlcp.jit import typed
    from mlcp.kernels.dense_problem import run_well_stated

    row = _spread(0.0, 1)
    return typed(run_well_stated, _read_only(np.eye(1)), row, row, row)


def _read_only(value: np.ndarray) -> np.ndarray:
    copy = value.copy()
    copy.setflags(False)  # pyright: ignore[reportCallIssue]
    return copy


def vector(field: str, value: Any, n: int, owner: str = "A") -> np.ndarray:
    """Read-only copy of a vector of length n, or n copies of a scalar; BadProblem for another shape."""
    if type(value) is np.ndarray and value.dtype is _FLOAT and value.shape == (n,):
        return _read_only(value)
    if type(value) is float:
        return _spread(value, n)
    given = real_array(field, value, BadProblem)
    if given.ndim == 0:
        return _spread(float(given), n)
    if given.shape != (n,):
        many = "; stacks go to solve_many" if owner == "A" and given.ndim > 1 else ""
        raise BadProblem(
            f"{field} has shape {given.shape}; {owner} has {n} rows, so it must be ({n},){many}."
        )
    given.flags.writeable = False
    return given


@functools.lru_cache(maxsize=256)
def _spread(value: float, n: int) -> np.ndarray:
    row = np.full(n, value)
    row.flags.writeable = False
    return row


def check_bounds(p: Any) -> None:
    """Raise BadProblem, naming the row, unless b is finite and lower <= upper, -inf <= lower < inf,
    -inf < upper <= inf."""

    def first(mask: np.ndarray) -> int:
        return int(np.flatnonzero(mask)[0])

    if not np.all(np.isfinite(p.b)):
        i = first(~np.isfinite(p.b))
        raise BadProblem(f"b of row {p.row_name(i)} is {p.b[i]}; every entry of b must be finite.")
    for field, forbidden in (("lower", np.inf), ("upper", -np.inf)):
        bound = getattr(p, field)
        wrong = np.isnan(bound) | (bound == forbidden)
        if np.any(wrong):
            i = first(wrong)
            raise BadProblem(
                f"{field} of row {p.row_name(i)} is {bound[i]}; it must be a number or {-forbidden}."
            )
    if np.any(p.lower > p.upper):
        i = first(p.lower > p.upper)
        raise BadProblem(
            f"lower > upper in row {p.row_name(i)}: {p.lower[i]} > {p.upper[i]};"
            " lower must not exceed upper."
        )
