"""Kernels compiled at the first call that needs them: same results as kernels compiled at once."""

import signal
import threading
import time

import numpy as np
import pytest

from mlcp.compiled import lazy as rooms

SOURCE = """
from numba import types

from mlcp.compiled.lazy import FLOAT, lazy, several
from mlcp.jit import entry_point


@lazy(several(FLOAT, 2)(types.Array(types.float64, 2, "C"), FLOAT), "mlcp")
def reach(A, x):
    total = 0.0
    for i in range(A.shape[0]):
        total += A[i, 0] * x
    return total, A[0, 0]


@entry_point("mlcp", "contact")
def sums(A, x):
    if x < 0.0:
        return x
    total, first = reach(A, x)
    return total + 10.0 * first
"""
A = np.arange(6.0).reshape(3, 2) + 1.0


@pytest.fixture
def made(tmp_path, monkeypatch):
    """Module with a lazily compiled kernel and an entry point that calls it; its cache is empty."""
    monkeypatch.syspath_prepend(str(tmp_path))
    name = f"apart_{tmp_path.name.strip('_')}"
    (tmp_path / f"{name}.py").write_text(SOURCE)
    return __import__(name)


def test_it_is_compiled_by_the_first_call_that_needs_it(made, capsys):
    unit = made.reach.unit
    unit.announced.clear()
    assert made.sums(A, -1.0) == -1.0
    assert not unit.is_kept()
    assert capsys.readouterr().err == ""
    assert made.sums(A, 2.0) == 2.0 * (1.0 + 3.0 + 5.0) + 10.0
    assert unit.is_kept()
    assert "further parts when they are needed (once per installation)" in capsys.readouterr().err
    assert made.sums(A, 3.0) == 3.0 * 9.0 + 10.0
    assert capsys.readouterr().err == ""


def test_what_is_kept_is_read_from_disk(made, capsys):
    made.sums(A, 1.0)
    capsys.readouterr()
    again = rooms.Lazy(made.reach.py_func, made.reach.unit._signature, ["mlcp"])
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


@pytest.mark.parametrize("within", [True, False], ids=["while it is compiled", "just before"])
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interruption_is_raised_when_python_is_back(made, monkeypatch, within):
    address, times = rooms.address, []

    def interrupted(*what):
        if within:
            signal.raise_signal(signal.SIGINT)
        return address(*what)

    class Places(dict):  # unless ``within``, its first look-up raises KeyboardInterrupt, as Ctrl-C would
        def __getitem__(self, where):
            times.append(where)
            if len(times) == 1 and not within:
                raise KeyboardInterrupt
            return super().__getitem__(where)

    monkeypatch.setattr(rooms, "address", interrupted)
    monkeypatch.setattr(rooms, "_PLACES", Places(rooms._PLACES))
    with pytest.raises(KeyboardInterrupt):
        made.sums(A, 2.0)
    assert len(times) == (1 if within else 2)
    assert made.reach.unit.is_kept()
    assert made.sums(A, 2.0) == 28.0


def test_a_handler_of_ones_own_is_called_in_time_and_raises_nothing(made, monkeypatch):
    address, heard = rooms.address, []

    def interrupted(*what):
        signal.raise_signal(signal.SIGINT)
        return address(*what)

    monkeypatch.setattr(rooms, "address", interrupted)
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        assert made.sums(A, 2.0) == 28.0
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [signal.SIGINT]


def test_what_cannot_be_compiled_is_one_sentence_and_may_be_tried_again(made, monkeypatch):
    def broken(*what):
        raise MemoryError("no room for 3 kernels\nand much else")

    with monkeypatch.context() as change:
        change.setattr(rooms, "address", broken)
        with pytest.raises(rooms.NotCompiled) as told:
            made.sums(A, 2.0)
    assert "\n" not in str(told.value)
    assert "reach, a kernel that few runs need, could not be compiled" in str(told.value)
    assert "MemoryError: no room for 3 kernels" in str(told.value)
    assert made.sums(A, 2.0) == 28.0
