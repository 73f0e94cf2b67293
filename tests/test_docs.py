"""The documentation: its code runs and prints what it says, and it builds without a warning."""

import contextlib
import io
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import matplotlib
import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.M | re.S)
PROMISE = re.compile(r"# -> (.*)$", re.M)


def blocks(page):
    """(line, code) of every Python block of a page."""
    text = page.read_text(encoding="utf-8")
    return [(text[: m.start()].count("\n") + 2, m[1]) for m in BLOCK.finditer(text)]


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p)], ids=lambda p: str(p.relative_to(ROOT)))
def test_every_python_block_runs_and_prints_what_it_says(page, tmp_path, monkeypatch):
    """The blocks of a page are one script; ``# -> text`` is what is printed, line by line."""
    monkeypatch.chdir(tmp_path)
    matplotlib.use("Agg")
    names: dict = {"__name__": "__main__"}
    for line, code in blocks(page):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            try:
                exec(compile("\n" * (line - 1) + code, str(page), "exec"), names)
            except ModuleNotFoundError as error:
                if "pip install 'wheelground[" in str(error):
                    pytest.skip(str(error))
                raise
        promised = [text.strip() for text in PROMISE.findall(code)]
        if promised:
            assert [text.strip() for text in printed.getvalue().splitlines()] == promised


@pytest.mark.skipif(
    not (find_spec("sphinx") and find_spec("myst_parser")),
    reason="sphinx is not installed: pip install 'wheelground[docs]'",
)
def test_documentation_builds_without_a_warning(tmp_path):
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    run = subprocess.run(
        [*command, "-d", str(tmp_path / "trees"), "docs", str(tmp_path / "html")],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "html" / "tour.html").exists()
    about = (tmp_path / "html" / "api" / "contact.html").read_text()
    assert "cone_index" in about
