"""The report of benchmarks is one page without other files, and shows programs that failed."""

import os
import re
from html.parser import HTMLParser
from pathlib import Path

from tests.commands import printed
from wheelground.reports.page import PROGRAMS, as_html
from wheelground.reports.page import report as write_report


class Links(HTMLParser):
    """Parser that keeps each address (``loads``) that a browser would load with a page."""

    def __init__(self):
        super().__init__()
        self.loads = []

    def handle_starttag(self, tag, attributes):
        self.loads += [v for name, v in attributes if name in ("src", "srcset", "data", "href")]


def test_a_report_holds_everything_it_shows(tmp_path, capsys):
    assert write_report("drawbar", out=tmp_path, quick=True) == 0
    assert "drawbar: passed" in capsys.readouterr().out
    text = (tmp_path / "report.html").read_text()
    links = Links()
    links.feed(text)
    assert len(links.loads) == 1
    assert links.loads[0].startswith("data:image/png;base64,")
    assert "brixius on cone index 400 kPa" in text


def test_a_report_that_fails_is_shown_and_not_fatal(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(PROGRAMS, "laws", (("compare", "lawz"), ()))
    (tmp_path / "laws").mkdir()
    old = tmp_path / "laws" / "of_an_earlier_run.png"
    old.write_bytes(b"")
    os.utime(old, (1.0, 1.0))
    assert write_report("laws", "drawbar", out=tmp_path) == 2
    text = (tmp_path / "report.html").read_text()
    assert "laws: did not run to its end" in text
    assert "did you mean &#x27;laws&#x27;?" in text
    assert "of_an_earlier_run" not in text
    assert "drawbar: passed" in text


def test_colours_and_brackets_are_kept():
    told = as_html("\x1b[1;31mbad\x1b[0m [is] <well>")
    assert "[is] &lt;well&gt;" in told
    assert as_html(f"{Path.home()}/out") == "~/out"
    assert re.search(r'<span style="color: #\w+;[^"]*bold">bad</span>', told)


def test_without_words_it_lists_every_benchmark_with_a_line():
    listed = printed("-m", "benchmarks")
    for name in ("batch", "full_vehicle", "hosts", "peers", "quarter_vehicle", "solvers"):
        assert re.search(rf"^{name} +\S", listed, re.M)
