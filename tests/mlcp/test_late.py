"""Kernels apart: the numbers of ordinary ones, compiled by whoever calls them first."""

import _thread
import threading
import time

import numpy as np
import pytest

from mlcp.compiled import late as rooms
from mlcp.compiled.late import FLOAT, FLOATS, MATRIX, named, several
from mlcp.kernels.dense_problem import Limits

LIMITS = named(Limits, FLOAT, FLOAT, FLOAT, FLOAT)
SOURCE = """
from mlcp.compiled.late import FLOAT, MATRIX, late, several
from mlcp.jit import entry_point


@late(several(FLOAT, 2)(MATRIX, FLOAT), "mlcp")
def reach(source_hash):
    def reach(A, x):
        source_hash
        total = 0.0
        for i in range(A.shape[0]):
            total += A[i, 0] * x
        return total, A[0, 0]

    return reach


@entry_point("mlcp")
def sums(source_hash):
    def sums(A, x):
        source_hash
        if x < 0.0:
            return x
        total, first = reach(A, x)
        return total + 10.0 * first

    return sums
"""
A = np.arange(6.0).reshape(3, 2) + 1.0


@pytest.fixture
def made(tmp_path, monkeypatch):
    """A module with a kernel apart and an entry point that calls it, whose cache is empty."""
    monkeypatch.syspath_prepend(str(tmp_path))
    name = f"apart_{tmp_path.name.strip('_')}"
    (tmp_path / f"{name}.py").write_text(SOURCE)
    return __import__(name)


def test_it_is_compiled_by_the_first_call_that_needs_it(made, capsys):
    unit = made.reach.unit
    assert made.sums(A, -1.0) == -1.0
    assert not unit.is_kept()
    assert capsys.readouterr().err == ""
    assert made.sums(A, 2.0) == 2.0 * (1.0 + 3.0 + 5.0) + 10.0
    assert unit.is_kept()
    assert "reach (once per installation)" in capsys.readouterr().err
    assert made.sums(A, 3.0) == 3.0 * 9.0 + 10.0
    assert capsys.readouterr().err == ""


def test_what_is_kept_is_read_from_disk(made, capsys):
    made.sums(A, 1.0)
    capsys.readouterr()
    again = rooms.Late(made.reach.py_func, made.reach.unit._signature)
    assert again.is_kept()
    again.find()
    assert not again.entry.stats.cache_misses
    assert capsys.readouterr().err == ""


def test_with_other_types_it_is_compiled_into_its_caller(made):
    frozen = A.copy()
    frozen.flags.writeable = False
    assert made.sums(frozen, 2.0) == 28.0
    assert not made.reach.unit.is_kept()


def test_plain_python_gives_the_same(made):
    assert made.reach.py_func(A, 2.0) == made.reach(A, 2.0) == (18.0, 1.0)


def test_threads_that_need_it_at_once_compile_it_once(made, monkeypatch):
    asked, address = [], rooms.address

    def count(*what):
        asked.append(what)
        time.sleep(0.01)
        return address(*what)

    monkeypatch.setattr(rooms, "address", count)
    unit, found = made.reach.unit, []
    crew = [threading.Thread(target=lambda: found.append(unit.find())) for _ in range(4)]
    for one in crew:
        one.start()
    for one in crew:
        one.join()
    assert len(asked) == 1
    assert len(set(found)) == 1


def test_an_interruption_while_it_is_compiled_comes_after_the_call(made, monkeypatch):
    address, times = rooms.address, []

    def interrupted(*what):
        times.append(1)
        if len(times) == 1:
            raise KeyboardInterrupt
        return address(*what)

    heard = []
    monkeypatch.setattr(rooms, "address", interrupted)
    monkeypatch.setattr(_thread, "interrupt_main", lambda: heard.append(1))
    assert made.sums(A, 2.0) == 28.0
    for _ in range(200):
        if heard:
            break
        time.sleep(0.01)
    assert len(times) == 2
    assert heard == [1]


def test_types_of_named_tuples_are_those_that_callers_make():
    assert LIMITS == named(Limits, *[FLOAT] * 4)
    assert several(FLOAT, 2) != several(FLOATS, 2)
    assert MATRIX.ndim == 2
