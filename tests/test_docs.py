"""The documentation: its code runs and prints what it says, and it builds without a warning."""

import contextlib
import importlib
import io
import re
import runpy
from importlib.util import find_spec
from pathlib import Path

import matplotlib
import pytest

from tests.commands import printed
from tests.mobility.coarse import coarsen

from .test_docstrings import PACKAGES

ROOT = Path(__file__).parent.parent
# Classes that no package exports, but whose instances are public; the reference has them too.
REFERENCE = (
    "WheelRecord", "Energy", "Sliding", "Line", "Viewer", "Direct", "SemismoothNewton",
    "ProjectedGaussSeidel", "Osqp", "Cvxpy", "Solver", "Answer", "GenericHost", "MujocoGround",
    "MujocoCallback", "ExudynGround", "PinocchioGround", "DrakeGround",
)  # fmt: skip
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.M | re.S)
PROMISE = re.compile(r"# -> (.*)$", re.M)
MOST_WORDS = 44_800  # largest number of words of README, docs/ and the other pages at the root


def blocks(page):
    """(line number, code) of every Python block of a page."""
    text = page.read_text(encoding="utf-8")
    return [(text[: m.start()].count("\n") + 2, m[1]) for m in BLOCK.finditer(text)]


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p)], ids=lambda p: str(p.relative_to(ROOT)))
def test_every_python_block_runs_and_prints_what_it_says(page, tmp_path, monkeypatch):
    """The blocks of a page run as one script and print the texts of its comments ``# -> text``."""
    monkeypatch.chdir(tmp_path)
    coarsen(monkeypatch)  # no page prints a number of a mobility table
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


def sentences(text):
    """Sentences of paragraphs and list items, without code, tables, headings and addresses."""
    text = re.sub(r"^```.*?^```\n", "", text, flags=re.M | re.S)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    found = []
    for paragraph in re.split(r"\n\s*\n|\n(?=- |\d\. )", text):
        if not paragraph.lstrip("\n").startswith(("#", "|", "![", "    ", "<!--")):
            found += re.split(r"(?<=[.!?])\s+(?=[A-Z`\[*])", " ".join(paragraph.split()))
    return [sentence for sentence in found if len(sentence.split()) > 1]


def test_the_readme_is_short_and_so_are_its_sentences():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 90
    first = text.splitlines()[:20]
    assert any(line.startswith("![") for line in first), "no picture within the first screen"
    lengths = [len(sentence.split()) for sentence in sentences(text)]
    assert len(lengths) > 15
    assert sum(lengths) / len(lengths) < 18.0
    assert max(lengths) < 40


def test_the_documentation_stays_short():
    pages = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")]
    words = {
        page: len(page.read_text(encoding="utf-8").split())
        for page in pages
        if "_build" not in page.parts
    }
    assert sum(words.values()) < MOST_WORDS


@pytest.mark.parametrize("page", ["index", "tour", "solvers", "limits", "how_the_step_works"])
def test_sentences_of_the_guide_are_of_readable_length(page):
    lengths = [
        len(s.split()) for s in sentences((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8"))
    ]
    assert sum(lengths) / len(lengths) < 20.0


def test_the_first_page_leads_each_first_user_to_a_page():
    """The first page's table has a row with a link to validate, one to compare schemes, one to embed
    wheels."""
    text = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    rows = re.search(r"## Three ways in\n\n\|.*\n\|.*\n((?:\|.*\n)+)", text)[1].splitlines()
    assert [
        word for row, word in zip(rows, ("validate", "compare", "embed"), strict=True) if word in row
    ]
    for row, page in zip(
        rows, ("evidence", "how_to_choose_a_regularisation", "bring_your_own_engine"), strict=True
    ):
        assert f"]({page}.md)" in row


needs_sphinx = pytest.mark.skipif(
    not (find_spec("sphinx") and find_spec("myst_parser")),
    reason="sphinx is not installed: pip install 'wheelground[docs]'",
)


@pytest.fixture(scope="module")
def html(tmp_path_factory):
    """Folder of the documentation in HTML, built with every warning as an error."""
    folder = tmp_path_factory.mktemp("docs")
    # The plain theme and few garbage collections halve the time of the build.
    build = (
        "import gc; gc.set_threshold(100_000, 50, 50)\nfrom sphinx.cmd.build import main; exit(main())"
    )
    options = ("-W", "--keep-going", "-q", "-b", "html", "-D", "html_theme=basic")
    printed("-c", build, *options, "-d", folder / "trees", "docs", folder / "html")
    return folder / "html"


@needs_sphinx
def test_documentation_builds_without_a_warning(html):
    assert (html / "tour.html").exists()
    assert "cone_index" in (html / "api" / "contact.html").read_text()


@needs_sphinx
def test_no_public_name_is_without_a_page(html):
    """Every name of every ``__all__`` is in the reference, under one of its packages."""
    from sphinx.util.inventory import InventoryFile

    with open(html / "objects.inv", "rb") as file:
        known = InventoryFile.load(file, "", lambda base, path: path)
    documented = {
        name.split(".")[-1] for kind in known for name in known[kind] if kind.startswith("py:")
    }
    written = (html / "api" / "wheelground.html").read_text()
    missing = []
    for package in (*PACKAGES, "mlcp.solvers.base", "wheelground"):
        for name in getattr(importlib.import_module(package), "__all__", ()):
            if name not in documented and f">{name}<" not in written and name != "__version__":
                missing.append(f"{package}.{name}")
    assert missing == []
    for name in REFERENCE:
        assert name in documented


def test_the_gallery_shows_every_example():
    names = runpy.run_path(str(ROOT / "docs" / "gallery.py"))
    assert names["PAGE"].read_text(encoding="utf-8") == names["page"]()
    for path in (ROOT / "examples").glob("*.py"):
        assert f"`{path.name}`" in names["page"]()
    for name in names["scripts"]():
        assert (names["PICTURES"] / f"{name}.png").stat().st_size > 5000
