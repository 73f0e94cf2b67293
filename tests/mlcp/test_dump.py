"""A problem written to a file comes back to the last bit."""

import numpy as np
import pytest
import scipy.sparse as sp

from mlcp import MLCP, MlcpNotSolved, dump, load, solve
from tests.mlcp.generators import infeasible, random_psd, vehicle


def test_dense_sparse_and_structured_come_back_exactly(tmp_path):
    dense = random_psd(6, 3)
    named = MLCP(dense.A, dense.b, dense.lower, dense.upper, [f"row {i}" for i in range(6)])
    sparse = MLCP(sp.csr_matrix(np.eye(4)), np.ones(4))
    for k, problem in enumerate((dense, named, sparse, vehicle(12))):
        back = load(dump(problem, tmp_path / f"{k}"))
        assert type(back) is type(problem)
        assert back.row_names == problem.row_names
        for field in ("b", "lower", "upper"):
            assert np.array_equal(getattr(back, field), getattr(problem, field))
        assert np.array_equal(back.dense_A, problem.dense_A)
        assert solve(back).z.tobytes() == solve(problem).z.tobytes()


def test_a_failure_offers_its_problem_as_a_file(tmp_path):
    with pytest.raises(MlcpNotSolved) as caught:
        solve(infeasible(6))
    path = caught.value.dump(tmp_path / "failed.npz")
    assert np.array_equal(load(path).A, infeasible(6).A)


def test_another_torn_or_empty_file_is_refused_in_one_sentence(tmp_path):
    path = tmp_path / "other.npz"
    np.savez(path, a=1)
    whole = dump(random_psd(6, 3), tmp_path / "whole").read_bytes()
    torn = [whole[:length] for length in (0, 1, 10, 100, len(whole) // 2, len(whole) - 1)]
    for data in (path.read_bytes(), b"hello", *torn):
        path.write_bytes(data)
        with pytest.raises(ValueError, match="is not a dumped problem: .*") as caught:
            load(path)
        assert "\n" not in str(caught.value)
