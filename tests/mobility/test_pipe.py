"""Progress of the command of maps when its output is a pipe."""

import logging

import pytest

from bodies import progress


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
