"""The notebooks: stored without output, and executable."""

import ast
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "examples" / "notebooks"
BOOKS = sorted(FOLDER.glob("*.ipynb"))


def read(path):
    nbformat = pytest.importorskip("nbformat", reason="needs nbformat: pip install nbformat")
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    return book


def test_there_is_a_tour_a_scheme_and_a_host():
    assert {path.stem for path in BOOKS} >= {"tour", "own_scheme", "own_host"}


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_output_and_reads_as_python(path):
    code = [cell for cell in read(path).cells if cell.cell_type == "code"]
    assert len(code) >= 4
    for cell in code:
        assert cell.outputs == []
        assert cell.execution_count is None
        ast.parse(cell.source)


@pytest.mark.slow
@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_something(path, tmp_path):
    """A notebook runs in a new Jupyter kernel without errors and shows a picture or a table."""
    nbclient = pytest.importorskip("nbclient", reason="needs pip install 'wheelground[notebooks]'")
    book = nbclient.NotebookClient(
        read(path), timeout=600, resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    pictures = 0
    for cell in book.cells:
        for output in cell.get("outputs", []):
            assert output.output_type != "error"
            pictures += "image/png" in output.get("data", {}) or "text/html" in output.get("data", {})
    assert pictures >= 1
