"""All parts of the step are compiled, also if helper processes fail."""

import io
import sys

import pytest

import bodies
from bodies.memory import compiled
from contact import LuGre


@pytest.fixture
def compiled_here(monkeypatch):
    done = []
    monkeypatch.setattr(compiled, "compile_part", lambda *order: done.append(order))
    return done


@pytest.mark.parametrize("program", ["/nowhere/python3", "/usr/bin/editor"])
def test_where_no_python_can_be_started_this_process_compiles_every_part(
    compiled_here, monkeypatch, program
):
    """``program``, in place of the interpreter: a missing file, or an editor that embeds Python."""
    monkeypatch.setattr(sys, "executable", program)
    compiled.CompilerPool(["a", "b", "c"], 2, 0, False, False).finish(print)
    assert compiled_here == [(name, 2, 0, False, False) for name in "abc"]


def test_a_helper_compiles_its_parts_and_reports_them(compiled_here, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO("solve 2 0 1 0\ntouch 2 0 1 1\n"))
    compiled.serve()
    assert compiled_here == [("solve", 2, 0, 1, 0), ("touch", 2, 0, 1, 1)]
    assert capsys.readouterr().out.split() == ["solve", "touch"]


def test_a_part_begun_ahead_is_compiled_once(compiled_here, monkeypatch, capsys):
    monkeypatch.setattr(sys, "executable", "/nowhere/python3")
    monkeypatch.setattr(compiled, "_uncompiled", lambda found: ["solve", "touch"])
    monkeypatch.setattr(compiled, "address", lambda *entry: 7)
    kind = 2, 0, False, False
    compiled.precompile(*kind)
    begun = compiled._precompiled[kind]
    compiled.precompile(*kind)
    assert compiled._precompiled[kind] is begun
    assert not compiled_here
    heard = []
    with compiled.compilation_listener(lambda what, done, parts: heard.append((done, parts))):
        compiled.table.__wrapped__(*kind)
    assert compiled_here == [("solve", *kind), ("touch", *kind)]
    assert kind not in compiled._precompiled
    assert heard == [(0, 2), (1, 2), (2, 2)]


class Unit:
    begun_elsewhere = staticmethod(lambda name: None)


def test_a_kernel_needed_soon_is_compiled_once(compiled_here, monkeypatch):
    """A first call waits for the helper that compiles its kernel; without one this process does it."""
    units = {name: Unit() for name in compiled.SOON}
    monkeypatch.setattr(compiled, "UNITS", units)
    monkeypatch.setattr(compiled, "cores", lambda: 2)
    answer = "import sys; [print(line, flush=True) for line in sys.stdin]"
    begin = compiled.subprocess.Popen
    monkeypatch.setattr(
        compiled.subprocess, "Popen", lambda words, **named: begin([*words[:-1], answer], **named)
    )
    pool = compiled.CompilerPool(["a", "b", "c"], compiled.SOFT, 0, False, False)
    pool.finish(print)
    for name, unit in units.items():
        unit.begun_elsewhere(name)
        assert name not in pool._soon
    monkeypatch.setattr(sys, "executable", "/nowhere/python3")
    alone = compiled.CompilerPool(["a", "b"], compiled.SOFT, 0, False, False)
    alone.finish(print)
    units["direct"].begun_elsewhere("direct")


@pytest.mark.parametrize(
    ("contact", "needed"),
    [
        ({}, False),
        ({"lugre": LuGre()}, True),
        ({"relaxation_length": 0.3}, True),
        ({"regularisation": "local"}, True),
    ],
)
def test_only_models_with_other_wheels_compile_their_kernel(contact, needed):
    work = bodies.Workspace(bodies.compile(bodies.vehicle.load("hmmwv", **contact)))
    assert ("for_other_wheel" in work.lazy(work.kind[1])) == needed
