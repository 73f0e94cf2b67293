"""The command of maps prints its progress at intervals when its output is a pipe."""

import logging
from contextlib import nullcontext

import numpy as np
import pytest

from bodies import progress
from mobility import Inputs
from mobility.mapping import maps
from mobility.performance import surface as performance

from .places import write


@pytest.fixture
def in_a_pipe(monkeypatch):
    monkeypatch.setattr(progress, "FIRST_LINE_AFTER", -1.0)
    monkeypatch.setattr(progress, "LINE_INTERVAL", -1.0)
    log, before = progress.log, (progress.log.handlers[:], progress.log.level)
    log.handlers = []
    yield
    log.handlers, log.level = before


@pytest.mark.usefixtures("in_a_pipe")
def test_a_pipe_gets_the_first_line_then_one_in_each_interval(capsys, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(progress.time, "perf_counter", lambda: now[0])
    progress.show_in_pipes()
    assert progress.log.level == logging.INFO
    told = progress.Progress("table of x", 100.0, "%")
    for now[0] in (2.5, 5.0, 9.0, 13.0, 14.0):
        told.at(4.0 * now[0])
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(",")[0] for line in lines] == ["table of x: 10%", "table of x: 52%"]
    assert all(line.endswith("left") for line in lines)


@pytest.mark.usefixtures("in_a_pipe")
def test_a_pipe_gets_the_elapsed_time_after_a_second_then_in_each_interval(capsys, monkeypatch):
    waits = []

    class Clock:
        def wait(self, seconds):
            waits.append(seconds)
            return len(waits) > 2

        def set(self):
            pass

    progress.show_in_pipes()
    monkeypatch.setattr(progress.threading, "Event", Clock)
    told = progress.Elapsed("map: page")
    told._tick()
    assert waits == [1.0, progress.LOG_INTERVAL, progress.LOG_INTERVAL]
    assert [line.split(",")[0] for line in capsys.readouterr().err.splitlines()] == ["map: page"] * 2


@pytest.mark.usefixtures("in_a_pipe")
def test_slow_stages_of_a_map_are_named(monkeypatch, table, tmp_path):
    named = []
    for module in (maps, performance):
        monkeypatch.setattr(module, "Elapsed", lambda what: named.append(what) or nullcontext())
    monkeypatch.setattr(performance, "key_of", lambda *_: "key")
    monkeypatch.setattr(performance, "reach", _interrupted)
    monkeypatch.setattr(maps, "odds", _interrupted)
    soil = write(tmp_path / "ci.tif", np.full((20, 20), 3e5))
    inputs = Inputs(soil, write(tmp_path / "dem.tif", np.zeros((20, 20))), unit="Pa")
    with pytest.raises(InterruptedError):
        performance.surface(table.vehicle)
    with pytest.raises(InterruptedError):
        maps.make_map(table, inputs, tmp_path / "out", threads=1)
    assert named == [
        f"table of {table.vehicle.name}: steepest slopes",
        "map out: tables of probabilities",
    ]


def _interrupted(*_):
    raise InterruptedError
