"""The front: every benchmark listed, one command, one report that needs nothing beside it."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from benchmarks.front import catalogue
from benchmarks.front.report import page
from benchmarks.front.run import Result, run_one, without_places
from benchmarks.front.screen import screen_as_html
from benchmarks.front.tables import as_tables

ROOT = Path(__file__).parent.parent.parent


def command(*words, **settings):
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", *map(str, words)],
        cwd=ROOT, capture_output=True, text=True, check=False, **settings,
    )  # fmt: skip


def program(folder, name, text):
    (folder / f"{name}.py").write_text(f'{text}\nif __name__ == "__main__":\n    pass\n')


def test_without_words_it_lists_every_benchmark_with_a_line():
    run = command()
    assert run.returncode == 0
    for benchmark in catalogue.found():
        assert benchmark.summary.endswith(".")
        assert 15 < len(benchmark.summary) < 130, benchmark.summary
        assert re.search(rf"^{benchmark.name} +\S", run.stdout, re.M)
    assert {"laws", "quarter_vehicle", "references", "scaling", "solvers"} <= {
        benchmark.name for benchmark in catalogue.found()
    }


def test_a_new_module_joins_by_itself(tmp_path):
    program(tmp_path, "fresh", '"""Something new: python -m benchmarks.fresh"""\nQUICK = ("--n", "1")')
    (tmp_path / "helper.py").write_text('"""No program."""\n')
    (only,) = catalogue.found(tmp_path)
    assert (only.name, only.summary, only.quick) == ("fresh", "Something new.", ("--n", "1"))


def test_quick_arguments_are_options_that_the_benchmark_has():
    for benchmark in catalogue.found():
        source = (ROOT / "benchmarks" / f"{benchmark.name}.py").read_text()
        for word in benchmark.quick:
            if word.startswith("--"):
                assert word[2:].replace("-", "_") in source


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["lwas"], "did you mean 'laws'?"),
        (["all", "lwas"], "did you mean 'laws'?"),
        (["all", "--otu", "x"], "Did you mean --out?"),
        (["laws", "--jsn", "x"], "Did you mean --json?"),
        (["all", "--out", "/proc/nowhere/report"], "give a directory of your own"),
        (["laws", "--out", "/proc/nowhere"], "give a directory of your own"),
    ],
)
def test_a_slip_of_the_pen_is_answered_by_a_sentence(words, told):
    run = command(*words)
    assert run.returncode != 0
    assert told in run.stderr + run.stdout
    assert "Traceback" not in run.stderr


def test_one_command_runs_a_benchmark_with_its_own_options():
    run = command("references", "pendulum")
    assert run.returncode == 0, run.stderr
    assert "Published references" in run.stdout


class Links(HTMLParser):
    """Every address a page would load."""

    def __init__(self):
        super().__init__()
        self.loads, self.images = [], 0

    def handle_starttag(self, tag, attributes):
        self.images += tag == "img"
        for name, value in attributes:
            if name in ("src", "srcset", "data") or (name == "href" and tag != "a"):
                self.loads.append(value)


def test_a_report_holds_everything_it_shows(tmp_path):
    run = command("all", "references", "--quick", "--out", tmp_path)
    assert run.returncode == 0, run.stderr
    text = (tmp_path / "report.html").read_text()
    links = Links()
    links.feed(text)
    assert all(address.startswith("data:") for address in links.loads)
    assert "url(" not in text
    assert "@import" not in text
    assert 'name="viewport"' in text
    assert "prefers-color-scheme: dark" in text
    assert "Published references" in text
    rows = re.search(r'id="references-results">(.*?)</script>', text, re.S)
    assert json.loads(rows[1]) == json.loads((tmp_path / "references" / "results.json").read_text())


CRASH = "Traceback (most recent call last):"


def result(name="laws", **changed):
    given = dict(
        benchmark=catalogue.Benchmark(name, "A line."), command="python -m benchmarks laws", code=0,
        wall_s=1.0, screen="all [is] <well>\n", errors="",
    )  # fmt: skip
    return Result(**{**given, **changed})


def test_a_benchmark_that_fails_or_lacks_an_extra_is_shown_and_not_fatal():
    crashed = result("solvers", code=1, errors=f"{CRASH}\nZeroDivisionError: division by zero\n")
    lacking = result("peers", code=2, errors="error: mujoco: pip install 'wheelground[peers]'\n")
    text = page([result(), crashed, lacking], quick=False)
    assert "1 of 2 benchmarks passed. 1 could not run: an extra is not installed." in text
    assert "ZeroDivisionError" in text
    assert crashed.verdict == "crashed"
    assert result(code=1).verdict == "a check failed"
    assert '<span class="soft">not installed</span>' in text
    assert "pip install &#x27;wheelground[peers]&#x27;" in text
    assert "&lt;well&gt;" in text


def test_a_benchmark_that_cannot_even_start_is_a_result(tmp_path):
    missing = run_one(catalogue.Benchmark("no_such_module", ""), tmp_path, quick=True)
    assert not missing.passed
    assert "no_such_module" in missing.errors


def test_pictures_are_inline_and_colours_are_kept(tmp_path):
    picture = tmp_path / "curve.png"
    picture.write_bytes(b"\x89PNG....")
    text = page([result(files=(picture,), screen="\x1b[32mpassed\x1b[0m & done")], quick=True)
    assert 'src="data:image/png;base64,' in text
    assert '<span class="green">passed</span> &amp; done' in text
    assert screen_as_html("\x1b[1;31mbad\x1b[0m") == '<span class="b red">bad</span>'


def test_results_of_any_shape_become_tables():
    rows = as_tables([{"a": 1.0, "b": {"c": True}}, {"a": None}])
    assert rows.count("<tr>") == 3
    assert "b.c" in rows
    assert "yes" in rows
    nested = as_tables({"passed": True, "runs": [{"x": 1}, {"x": 2}]})
    assert nested.count("<table>") == 2
    assert "<h3>runs</h3>" in nested
    assert as_tables({"slip": 0.3}).count("<table>") == 1
    assert "<pre>" in as_tables([1, 2])


def test_hosts_that_are_not_installed_are_counted_beside_the_verdict():
    screen = "drake: not installed; pip install 'wheelground[drake]'\nmujoco ...\n"
    assert replace(result(), screen=screen).verdict == "passed; 1 not installed"


def test_the_page_does_not_say_where_things_lie_on_this_machine(tmp_path):
    text = f"{tmp_path}/a.png, {Path(sys.prefix).resolve()}/lib, {catalogue.FOLDER.parent}/contact/x.py"
    assert without_places(text, tmp_path) == "out/a.png, python/lib, ./contact/x.py"
