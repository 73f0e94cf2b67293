"""Linearly dependent free rows in the dense solver: z is not unique, and stays at its initial value."""

import math

import numpy as np

from mlcp.kernels.codes import SOLVED
from mlcp.kernels.dense.direct import direct, work_size
from mlcp.kernels.dense_problem import Limits, Problem
from tests.plain import plain


def step(A, b, bound, z, sides):
    n = len(b)
    A, b, bound = np.array(A, float), np.array(b, float), np.array(bound, float)
    z, active = np.array(z, float), np.array(sides)
    limits = Limits(1e-10, 100, math.inf, 0.0)
    problem, work = Problem(A, b, -bound, bound, n), np.zeros(work_size(n))
    code, _steps = plain(direct)(problem, z, active, work, limits)
    assert code == SOLVED
    return z, A @ z + b


def test_one_of_two_equal_rows_keeps_its_start():
    z, w = step([[4.0, 4.0], [4.0, 4.0]], [-8.0, -8.0], [5.0, 5.0], [0.3, 0.7], [0, 0])
    assert np.abs(z - [1.3, 0.7]).max() < 1e-15
    assert np.abs(w).max() < 1e-15


def test_a_row_of_rest_keeps_its_start():
    """A row of zeros, such as that of a wheel without slip, keeps the initial value of its z."""
    z, w = step([[4.0, 0.0], [0.0, 0.0]], [-8.0, 0.0], [5.0, 5.0], [0.0, 0.7], [0, 0])
    assert np.abs(z - [2.0, 0.7]).max() < 1e-15
    assert np.abs(w).max() < 1e-15


def test_a_locked_wheel_has_three_rows_on_two_velocities():
    """Friction rows on sliding (forward minus rim velocity), on forward and on rim velocity.

    The rim's inertia is 3e13 times that of the forward motion, so the first 2 x 2 block of A is singular
    to round-off: as a pivot it would destroy all digits.
    """
    J = np.array([[1.0, -1.0], [1.0, 0.0], [0.0, 1.0]])
    A = J @ np.diag([4e-3, 1.4e-16]) @ J.T
    b, bound = [4.45e-3, 4.45e-3, 0.0], np.array([1.45, 0.27, 0.16])
    z, w = step(A, b, bound, -bound, [-1, -1, -1])
    assert np.abs(w[:2]).max() < 1e-15
    assert abs(z[0] + z[1] + 4.45 / 4) < 1e-12
    assert z[1] == -bound[1]
    assert z[2] == -bound[2]
    assert w[2] > 0.0
