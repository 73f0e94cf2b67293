"""One OSQP workspace serves thousands of small problems, as a simulation needs."""

import numpy as np
import pytest

from mlcp import MLCP, Status, solve
from mlcp.solvers.osqp import OsqpWorkspace


def test_a_stream_of_similar_problems(capfd):
    rng = np.random.default_rng(3)
    workspace = OsqpWorkspace(5)
    J = rng.normal(size=(5, 7))
    lower = np.array([0.0, -1.0, -1.0, -np.inf, 0.3])
    upper = np.array([np.inf, 1.0, 1.0, np.inf, 0.3])
    for _ in range(200):
        J += 0.05 * rng.normal(size=J.shape)
        A = J @ J.T + np.diag([0.0, 1e-2, 1e4, 0.1, 0.0])
        b = rng.normal(size=5)
        workspace.update(A, b, lower, upper)
        z = workspace.solve()
        problem = MLCP(A, b, lower, upper)
        assert workspace.status is Status.SOLVED
        assert np.allclose(z, solve(problem).z, rtol=1e-7, atol=1e-9)
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize("bound", [np.inf, 1e6])
def test_no_row_at_a_bound_is_silent_and_exact(bound, capfd):
    problem = MLCP(np.eye(3) + 0.1, np.ones(3), -bound, bound)
    assert solve(problem, "osqp").natural_residual() <= 1e-9
    assert capfd.readouterr().out == ""
