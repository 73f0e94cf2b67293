"""Compiled kernels of the structured factorisation against their plain-Python selves."""

import numpy as np
import pytest
from numba import njit

from benchmarks.structures import chain
from mlcp.jit import source_hash
from mlcp.kernels import kkt, kkt_entry, kkt_gather, kkt_node
from mlcp.kernels import kkt_layout as at
from mlcp.kernels.kkt_vector import RUN_FIELDS, back, forward, gather, sweep, updates
from tests.mlcp.assemblies import bridge, consistent, door, random_mechanism


def plain(monkeypatch):
    """Make every kernel call the plain Python of the others."""
    for module in (kkt_node, kkt_gather, kkt):
        for name, value in vars(module).copy().items():
            if hasattr(value, "py_func"):
                monkeypatch.setattr(module, name, value.py_func)


def run(problem, factor, back, resolve):
    plan = problem.plan
    nc, n = plan.channels, problem.structure.scalars
    panels, B, u = np.zeros(plan.panel_size), np.zeros((nc + 2, nc + 2)), np.zeros(nc)
    values = problem.mass, problem.jac, problem.compliance, problem.momentum, problem.bias
    smallest = factor(plan.table, plan.scale, values, panels, B, u)
    x, out = np.empty(n + nc), [np.empty(len(problem.momentum)) for _ in range(2)]
    p = [np.empty(len(problem.bias)) for _ in range(2)]
    back(plan.table, panels, np.linspace(-1, 1, nc), x, out[0], p[0])
    resolve(plan.table, panels, 0.5 * problem.momentum, problem.bias, x, out[1], p[1])
    return np.array(smallest), B, u, *out, *p


def loose():
    return random_mechanism(np.random.default_rng(4), 6, 2, 2)


@pytest.mark.parametrize("builder", [lambda: door(2), bridge, lambda: chain(4), loose])
def test_python_and_compiled_agree(monkeypatch, builder):
    problem = consistent(builder())
    compiled = run(problem, kkt_entry.factor_entry, kkt_entry.back_entry, kkt_entry.resolve_entry)
    plain(monkeypatch)
    python = run(
        problem, lambda t, s, v, *rest: kkt.factor(t, s, kkt.Values(*v), *rest), kkt.back, kkt.resolve
    )
    # v, B and u_free agree to rounding; multipliers of rows that repeat others carry its noise,
    # 1e-16 over the compliance floor
    noise = 1e-12 if problem.plan.redundant_rows == 0 else 1e-5
    for i, (a, b) in enumerate(zip(compiled, python, strict=True)):
        atol = (noise if i > 4 else 1e-12) * np.abs(b).max(initial=1.0)
        np.testing.assert_allclose(a, b, rtol=0, atol=atol)


def what_is_read(table, panels):
    """Upper triangles of all panels, and the right-hand side."""
    nodes = table[table[at.NODE_AT] :][: at.NODE_FIELDS * table[at.NODES]].reshape(-1, at.NODE_FIELDS)
    nc = table[at.CHANNELS]
    blocks = [(own, start, width) for own, start, width, *_ in nodes] + [(nc, table[at.TRAILING_AT], nc)]
    upper = [np.triu(panels[o : o + k * w].reshape(k, w)).ravel() for k, o, w in blocks]
    return np.concatenate([*upper, panels[table[at.Y_AT] : table[at.WORK_AT]]])


@pytest.mark.parametrize("way", ["compiled", "python"])
@pytest.mark.parametrize("builder", [lambda: door(2), bridge, lambda: chain(4), loose])
def test_gathering_gives_the_bytes_of_pushing(monkeypatch, builder, way):
    """Whatever was in the memory before."""
    problem = consistent(builder())
    if way == "python":
        plain(monkeypatch)
    plan, found = problem.plan, []
    names = ("mass", "jac", "compliance", "momentum", "bias")
    values = kkt.Values(*(getattr(problem, name) for name in names))
    for fill in (kkt.push_panels, kkt.gather_panels):
        panels = np.full(plan.panel_size, np.nan)
        fill(plan.table, plan.scale, values, panels)
        found.append(what_is_read(plan.table, panels))
    assert np.isfinite(found[0]).all()
    assert np.array_equal(*found)


@njit
def every_loop(own, panels, table, x, o, w, y, work, n, runs_at):
    """All vector loops once, most on a part of the array of their own."""
    sweep(own, (panels, table), (o, w, y, 30, 0, work, n))
    updates(own, (panels, table), (w, work, n, runs_at, 2))
    forward(own, (panels, table, x), (o, w, 0, 30, n))
    back(own, (panels, table, x), (o, w, 0, 30, n))
    for rows in range(1, min(n, 6) + 1):
        gather(own, (panels, table), (o, w, own, rows, runs_at + 2 * RUN_FIELDS, 210, n + 3))


@pytest.mark.parametrize("own", range(1, 7))
@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 7, 8, 11, 14])
def test_vector_loops_do_what_their_python_says(own, n):
    rng = np.random.default_rng(100 * own + n)
    w, stride = own + n, n + 3
    o, y, to, work = 5, 170, 210, 400
    panels = rng.normal(size=600)
    for i in range(own):
        panels[o + i * w + i] += 10.0
    columns, x = rng.permutation(30)[: max(n, 1)], rng.normal(size=36)
    rows, head = min(own, n), n // 2  # two runs, side by side in the source and in the target
    runs = [[rows, head, o + own, 0, to, stride], [rows, n - head, o + own + head, 0, to + head, stride]]
    there = np.arange(n) + np.sort(rng.integers(0, 4, n))  # columns gathered, with gaps
    table = np.concatenate([columns, *runs, there]).astype(np.int64)
    assert len(runs[0]) == RUN_FIELDS
    compiled, python = panels.copy(), panels.copy()
    solved = x.copy()
    every_loop(own, compiled, table, solved, o, w, y, work, n, len(columns))
    every_loop.py_func(own, python, table, x, o, w, y, work, n, len(columns))
    below = [to + there[c] + r * stride for r in range(min(n, 6)) for c in range(r)]
    compiled[below] = python[below] = 0.0  # what gathering leaves there nobody reads
    np.testing.assert_allclose(compiled, python, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(solved, x, rtol=1e-11, atol=1e-12)
    assert np.array_equal(compiled[:o], panels[:o])
    assert np.array_equal(compiled[o + own * w : y], panels[o + own * w : y])


def test_the_inputs_are_left_alone_and_the_hash_is_known():
    problem = consistent(bridge())
    before = [getattr(problem, n).copy() for n in ("mass", "jac", "compliance", "momentum", "bias")]
    table = problem.plan.table.copy()
    problem.factor().back()
    for name, old in zip(("mass", "jac", "compliance", "momentum", "bias"), before, strict=True):
        assert np.array_equal(getattr(problem, name), old)
    assert np.array_equal(problem.plan.table, table)
    assert len(source_hash("mlcp")) == 64
