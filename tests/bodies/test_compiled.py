"""The parts of the step are all compiled, whatever becomes of the processes that help."""

import io
import sys

import pytest

from bodies import compiled


@pytest.fixture
def compiled_here(monkeypatch):
    done = []
    monkeypatch.setattr(compiled, "compile_part", lambda *order: done.append(order))
    return done


def test_where_no_helper_starts_this_process_compiles_every_part(compiled_here, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python3")
    compiled._compile_side_by_side(["a", "b", "c"], 2, 0, False, False, told=print)
    assert compiled_here == [(name, 2, 0, False, False) for name in "abc"]


def test_a_program_that_embeds_python_is_not_started_again(compiled_here, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/usr/bin/editor")
    compiled._compile_side_by_side(["a", "b", "c"], 2, 0, False, False, told=print)
    assert compiled_here == [(name, 2, 0, False, False) for name in "abc"]


def test_a_helper_compiles_what_it_is_told_and_says_so(compiled_here, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO("solve 2 0 1 0\ntouch 2 0 1 1\n"))
    compiled.serve()
    assert compiled_here == [("solve", 2, 0, 1, 0), ("touch", 2, 0, 1, 1)]
    assert capsys.readouterr().out.split() == ["solve", "touch"]
