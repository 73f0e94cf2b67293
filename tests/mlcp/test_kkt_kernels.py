"""Compiled kernels of the structured factorisation against plain Python."""

import dataclasses

import numpy as np
import pytest
from numba import njit

from mlcp.kernels.kkt import kkt, kkt_entry
from mlcp.kernels.kkt.kkt_layout import NODE_FIELDS, Header
from mlcp.kernels.kkt.kkt_vector import RUN_FIELDS, back, forward, gather, halves, sweep, updates
from mlcp.kkt.tables import build_tables
from tests.mlcp.assemblies import bridge, chain, consistent, door, random_mechanism
from tests.plain import plain


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
def test_python_and_compiled_agree(builder):
    problem = consistent(builder())
    compiled = run(problem, kkt_entry.factor_entry, kkt_entry.back_entry, kkt_entry.resolve_entry)
    factor, back, resolve = (plain(kernel) for kernel in (kkt.factor, kkt.back, kkt.resolve))
    python = run(problem, lambda t, s, v, *rest: factor(t, s, kkt.Values(*v), *rest), back, resolve)
    # v, B and u_free agree to rounding; the multipliers of redundant rows only to rounding over the
    # least compliance that the factorisation uses (1e-9)
    noise = 1e-12 if problem.plan.redundant_rows == 0 else 1e-5
    for i, (a, b) in enumerate(zip(compiled, python, strict=True)):
        atol = (noise if i > 4 else 1e-12) * np.abs(b).max(initial=1.0)
        np.testing.assert_allclose(a, b, rtol=0, atol=atol)


def what_is_read(table, panels):
    """Numbers that the solve reads: upper triangles of all panels (dense blocks), right-hand side."""
    at = Header(ints=table)
    nodes = table[at.node_at :][: NODE_FIELDS * at.nodes].reshape(-1, NODE_FIELDS)
    nc = at.channels
    blocks = [(own, start, width) for own, start, width, *_ in nodes] + [(nc, at.trailing_at, nc)]
    upper = [np.triu(panels[o : o + k * w].reshape(k, w)).ravel() for k, o, w in blocks]
    return np.concatenate([*upper, panels[at.y_at : at.work_at]])


@pytest.mark.parametrize("way", ["compiled", "python"])
@pytest.mark.parametrize("builder", [lambda: door(2), bridge, lambda: chain(4), loose])
@pytest.mark.parametrize("known", ["nothing known", "masses apart", "every zero known"])
def test_gathering_gives_the_bytes_of_pushing(builder, way, known):
    """Both kernels that fill the panels write the same bytes over an earlier call's, whichever zeros of
    masses and rows were declared."""
    problem = consistent(builder())
    structure, plan, found = problem.structure, problem.plan, []
    zeros = [tuple(np.flatnonzero(array == 0.0).tolist()) for array in (problem.mass, problem.jac)]
    if known == "masses apart":
        zeros[1] = ()
    elif known == "nothing known":
        zeros = [(), ()]
    told = dataclasses.replace(structure, mass_zeros=zeros[0], jac_zeros=zeros[1])
    lanes, size = build_tables(told, plan.order)
    names = ("mass", "jac", "compliance", "momentum", "bias")
    values = kkt.Values(*(getattr(problem, name) for name in names))
    for fill, table in ((kkt.scatter_panels, plan.table), (kkt.gather_panels, lanes)):
        fill = plain(fill) if way == "python" else fill
        panels = np.zeros(size)
        fill(table, plan.scale, kkt.Values(*(1.3 * array for array in values)), panels)
        fill(table, plan.scale, values, panels)
        found.append(what_is_read(table, panels))
    assert np.isfinite(found[0]).all()
    assert np.array_equal(*found)


@njit
def every_loop(own, panels, table, x, places, runs_at):
    """Run every vector loop, most of them on parts of ``panels`` that no other loop uses."""
    o, w, y, work, n = places
    sweep(own, (panels, table), (o, w, y, 30, 0, work, n))
    updates(own, (panels, table), (w, work, n, runs_at, 2))
    forward(own, (panels, table, x), (o, w, 0, 30, n))
    back(own, (panels, table, x), (o, w, 0, 30, n))
    there = runs_at + 2 * RUN_FIELDS
    for rows in range(1, min(n, 6) + 1):
        for own_first in range(2):
            old = max(own_first * rows, n - 2)
            gather(own, (panels, table), (o, w, own, rows, 210, n + 3, there, own_first, old, n))


@njit
def both_halves(own, panels, table, places):
    """The sweep of pivots in two independent halves."""
    halves(own, (panels, table), places)


@pytest.mark.parametrize("own", range(1, 7))
@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 7, 8, 11, 14, 16])
def test_vector_loops_do_what_their_python_says(own, n):
    rng = np.random.default_rng(100 * own + n)
    w, stride = own + n, n + 3
    o, y, to, work = 5, 170, 210, 400
    panels = rng.normal(size=600)
    for i in range(own):
        panels[o + i * w + i] += 10.0
    columns, x = rng.permutation(30)[: max(n, 1)], rng.normal(size=36)
    rows, head = min(own, n), n // 2  # two runs of columns, adjacent in source and target
    runs = [[rows, head, o + own, 0, to, stride], [rows, n - head, o + own + head, 0, to + head, stride]]
    there = np.arange(n) + np.sort(rng.integers(0, 4, n))  # columns of the changed panel, with gaps
    pairs = np.column_stack([own + np.arange(n), there]).ravel()
    table = np.concatenate([columns, *runs, pairs]).astype(np.int64)
    assert len(runs[0]) == RUN_FIELDS
    compiled, python = panels.copy(), panels.copy()
    solved = x.copy()
    every_loop(own, compiled, table, solved, (o, w, y, work, n), len(columns))
    every_loop.py_func(own, python, table, x, (o, w, y, work, n), len(columns))
    np.testing.assert_allclose(compiled, python, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(solved, x, rtol=1e-11, atol=1e-12)
    assert np.array_equal(compiled[:o], panels[:o])
    assert np.array_equal(compiled[o + own * w : y], panels[o + own * w : y])


@pytest.mark.parametrize("n", [0, 1, 5, 9])
def test_halves_that_are_apart_are_swept_like_one_block(n):
    """``halves`` equals ``sweep`` on a block whose first half is diagonal and has some empty columns."""
    own, w, o, y, work = 6, 6 + n, 5, 170, 400
    rng = np.random.default_rng(n)
    panels = rng.normal(size=600)
    rows = panels[o : o + own * w].reshape(own, w)
    rows[:3, :own] = 4.0 * np.eye(3, own)
    rows[3:, 3:own] += 10.0 * np.eye(3)
    both, empty = n // 2, n // 3
    rows[:3, own + both :] = 0.0
    rows[:, w - empty :] = 0.0
    columns = rng.permutation(30)[: max(n, 1)]
    table = np.concatenate([columns, np.arange(n)]).astype(np.int64)
    found = []
    for way in (both_halves, both_halves.py_func):
        found.append(panels.copy())
        way(own, found[-1], table, (o, w, y, 30, 0, both, len(columns), n - empty))
    whole = panels.copy()
    sweep(own, (whole, table), (o, w, y, 30, 0, work, n))
    upper = np.triu(np.ones((own, w), dtype=bool))
    for one in found:
        np.testing.assert_allclose(one[y : y + 40], whole[y : y + 40], rtol=1e-12)
        pair = [array[o : o + own * w].reshape(own, w)[upper] for array in (one, whole)]
        np.testing.assert_allclose(*pair, rtol=1e-12, atol=1e-13)
