"""Compiled kernels of the structured factorisation against their plain-Python selves."""

import numpy as np
import pytest

from mlcp.jit import source_hash
from mlcp.kernels import kkt, kkt_entry, kkt_node
from tests.mlcp.assemblies import bridge, consistent, door, random_mechanism


def plain(monkeypatch):
    """Make every kernel call the plain Python of the others."""
    for module in (kkt_node, kkt):
        for name, value in vars(module).copy().items():
            if hasattr(value, "py_func"):
                monkeypatch.setattr(module, name, value.py_func)


def run(problem, factor, back, resolve):
    plan = problem.plan
    nc, n = plan.channels, problem.structure.scalars
    panels, B, u = np.empty(plan.panel_size), np.zeros((nc + 2, nc + 2)), np.zeros(nc)
    smallest = factor(
        plan.table, plan.scale, problem.mass, problem.jac, problem.compliance,
        problem.momentum, problem.bias, panels, B, u,
    )  # fmt: skip
    x, out = np.empty(n + nc), [np.empty(len(problem.momentum)) for _ in range(2)]
    p = [np.empty(len(problem.bias)) for _ in range(2)]
    back(plan.table, panels, np.linspace(-1, 1, nc), x, out[0], p[0])
    resolve(plan.table, panels, 0.5 * problem.momentum, problem.bias, x, out[1], p[1])
    return [np.array(smallest), panels, B, u, *out, *p]


def loose():
    return random_mechanism(np.random.default_rng(4), 6, 2, 2)


@pytest.mark.parametrize("builder", [lambda: door(2), bridge, loose])
def test_python_and_compiled_agree(monkeypatch, builder):
    problem = consistent(builder())
    compiled = run(
        problem, kkt_entry.factor_entry, kkt_entry.back_entry, kkt_entry.resolve_entry
    )
    plain(monkeypatch)
    python = run(problem, kkt.factor, kkt.back, kkt.resolve)
    size = [np.abs(a).max(initial=1.0) for a in python]
    # the compiler may contract nothing (no fastmath), so agreement is to the last bits
    for a, b, s in zip(compiled, python, size, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12 * s)


def test_the_inputs_are_left_alone_and_the_hash_is_known():
    problem = consistent(bridge())
    before = [getattr(problem, n).copy() for n in ("mass", "jac", "compliance", "momentum", "bias")]
    table = problem.plan.table.copy()
    problem.factor().back()
    for name, old in zip(("mass", "jac", "compliance", "momentum", "bias"), before, strict=True):
        assert np.array_equal(getattr(problem, name), old)
    assert np.array_equal(problem.plan.table, table)
    assert len(source_hash("mlcp")) == 64
