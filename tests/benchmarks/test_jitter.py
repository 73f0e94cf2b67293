"""The benchmark of jitter counts late ticks of a rig exactly, on a scripted clock."""

import time

import pytest

from benchmarks.cockpit import MACHINES
from benchmarks.jitter import SPELL, TICK, Spells, checks_of, draw, names_of, show
from rig import FakeClock
from tests.refusals import refusals


def test_late_ticks_are_counted_exactly_and_compared_with_the_empty_loop(tmp_path, capsys):
    ours, empty = Spells(lambda: None), Spells(lambda: None)
    ours.run(FakeClock(costs=[0.0005] * 10 + [0.012] + [0.0005]))
    empty.run(FakeClock(costs=[0.0], wake=[2e-6]))
    assert (ours.overruns, ours.ticks, empty.overruns) == (1, SPELL, 0)
    assert ours.too_long == 0  # the scripted clock is late; the tick itself computes nothing
    assert ours.percentiles()["computing"] == pytest.approx([500, 500, 615, 10861.5, 12000])
    assert empty.percentiles()["woken late"][1:] == pytest.approx([2.0] * 4)
    late, core = checks_of({"45-body vehicle": ours, "empty loop": empty})
    assert (late.verdict, late.measured) == ("slow", "1.000% beside 0.000%")
    assert core.verdict == "passed"  # share of a core, by processor time: no computing here
    show({"45-body vehicle": ours, "empty loop": empty}, [late, core])
    assert "1 of 100" in capsys.readouterr().out
    assert draw({"45-body vehicle": ours, "empty loop": empty}, tmp_path / "a.png").stat().st_size > 5000


def test_a_tick_of_much_computing_is_too_long():
    def compute():
        start = time.thread_time_ns()
        while time.thread_time_ns() - start < 1.2 * TICK * 1e9:
            pass

    works = iter([compute] + [lambda: None] * (SPELL - 1))
    spells = Spells(lambda: next(works)())
    spells.run(FakeClock(costs=[0.0]))
    assert (spells.too_long, spells.overruns) == (1, 0)


def test_all_names_every_shipped_machine_once():
    assert names_of(("truck", "all", "rover")) == ("truck", *(m for m in MACHINES if m != "truck"))


test_an_unknown_machine_is_a_sentence = refusals(
    (("truk",), "unknown machine 'truk'; did you mean 'truck'"), of=names_of, error=ValueError
)
