"""Scalar kernels of the magic formula with load-dependent coefficients, for thrust and lateral force."""

import math

from mlcp.compiled.branches import where
from mlcp.jit import kernel
from mlcp.kernels.elementary import atan, exp, sin_cos

# Columns of the parameter arrays of ``law`` and ``side``; f = F_n / F_n0 - 1.
NOMINAL = 0  # nominal load F_n0 [N]
C = 1  # shape factor
D, D_RISE = 2, 3  # peak ratio, and its change with f
E, E_RISE = 4, 5  # curvature factor, and its change with f
K, K_SHARE = 6, 7  # slip stiffness over the load: (K + K_SHARE f) exp(K_GROWS f); lateral: see ``side``
K_GROWS = 8
E_BEND = 9  # coefficient of f^2 in the curvature factor
ROLLING = 10  # resistance ratio
LOADS = 0.02, 3.0  # limits of F_n / F_n0 in the formulas
FAR = 1e9  # upper limit of kappa (infinite for a wheel that spins on the spot) and of tan(slip angle)


@kernel
def share_of_load(p, load):
    """F_n / F_n0, limited to ``LOADS``."""
    return min(max(load / p[NOMINAL], LOADS[0]), LOADS[1])


@kernel
def curve(slip, shape, most, stiffness, bend):
    """Magic formula ``D sin(C atan(B s - E (B s - atan(B s))))``, B = stiffness / (C D), and its slope.

    Arguments: slip s; shape C; most: peak D; stiffness: slope at s = 0; bend: curvature E, limited to 1.
    """
    steep = stiffness / (shape * most)
    bend = min(bend, 1.0)
    x = steep * slip
    inside = x - bend * (x - atan(x))
    d_inside = steep * (1.0 - bend * (1.0 - 1.0 / (1.0 + x * x)))
    sine, cosine = sin_cos(shape * atan(inside))
    return most * sine, most * cosine * shape * d_inside / (1.0 + inside * inside)


@kernel
def largest(shape, most):
    """Upper bound of ``curve`` over all slips, for the shape C and most = D."""
    sine, _ = sin_cos(0.5 * math.pi * min(shape, 1.0))
    return most * sine


@kernel
def law(p, slip, load):
    """Ratios of the law (``law.ground_law``); kappa: sliding over centre velocity."""
    f = share_of_load(p, load) - 1.0
    driving, left = slip > 0.0, max(1.0 - slip, 1.0 / FAR)
    kappa = where(driving, slip / left, slip)
    stiffness = (p[K] + p[K_SHARE] * f) * exp(p[K_GROWS] * f)
    most = p[D] + p[D_RISE] * f
    bend = p[E] + (p[E_RISE] + p[E_BEND] * f) * f
    mu, slope = curve(kappa, p[C], most, stiffness, bend)
    slope = where(driving, slope / (left * left), slope)
    return mu, slope, 0.0, p[ROLLING], 0.0, largest(p[C], most), 0.0


@kernel
def side(p, angle, load):
    """Lateral force over load at a slip angle [rad], its slope [1/rad], and its largest value.

    Initial slope: ``K sin(K_GROWS atan(F_n / (K_SHARE F_n0))) F_n0 / F_n``, with these columns of p.
    """
    share = share_of_load(p, load)
    f = share - 1.0
    sine, cosine = sin_cos(angle)
    aside = sine / max(cosine, 1.0 / FAR)
    saturated, _ = sin_cos(p[K_GROWS] * atan(share / p[K_SHARE]))
    most = p[D] + p[D_RISE] * f
    mu, slope = curve(aside, p[C], most, p[K] * saturated / share, p[E] + p[E_RISE] * f)
    return mu, slope * (1.0 + aside * aside), largest(p[C], most)
