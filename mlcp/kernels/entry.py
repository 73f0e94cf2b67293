"""The few compiled functions of the package that Python calls; the rest are called by kernels."""

from __future__ import annotations

from mlcp.jit import entry_point
from mlcp.kernels.direct import direct
from mlcp.kernels.newton import newton
from mlcp.kernels.pgs import pgs
from mlcp.kernels.residual import bias_scale, natural_residual, row_scale


@entry_point("mlcp")
def run_direct(source_hash):
    def run_direct(A, b, lower, upper, z, active, work, max_pivots):
        source_hash
        return direct(A, b, lower, upper, z, active, b.shape[0], work, max_pivots)

    return run_direct


@entry_point("mlcp")
def run_pgs(source_hash):
    def run_pgs(A, b, lower, upper, z, relaxation, symmetric, tol, max_sweeps):
        source_hash
        n = b.shape[0]
        return pgs(A, b, lower, upper, z, n, relaxation, symmetric, tol, max_sweeps)

    return run_pgs


@entry_point("mlcp")
def run_newton(source_hash):
    def run_newton(A, b, lower, upper, z, tol, max_iterations, work):
        source_hash
        return newton(A, b, lower, upper, z, b.shape[0], tol, max_iterations, work)

    return run_newton


@entry_point("mlcp")
def run_residual(source_hash):
    def run_residual(A, b, lower, upper, z):
        source_hash
        return natural_residual(A, b, lower, upper, z, b.shape[0])

    return run_residual


@entry_point("mlcp")
def scale_box_programme(source_hash):
    def scale_box_programme(A, b, lower, upper, scale, P, q, lo, up):
        """Unit diagonal and max |b| = 1; the upper triangle of A goes to P column by column."""
        source_hash
        n = b.shape[0]
        beta = bias_scale(A, b, n)
        k = 0
        for j in range(n):
            scale[j] = row_scale(A[j, j])
            for i in range(j + 1):
                P[k] = A[i, j] / (scale[i] * scale[j])
                k += 1
            q[j] = b[j] / (scale[j] * beta)
            lo[j] = max(lower[j] * scale[j] / beta, -1e30)
            up[j] = min(upper[j] * scale[j] / beta, 1e30)
        for j in range(n):
            scale[j] = beta / scale[j]

    return scale_box_programme
