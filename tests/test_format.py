"""Format and lint rules of pyproject.toml hold, checked by the version of ruff that pre-commit runs."""

import re
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.commands import printed

ROOT = Path(__file__).parent.parent
needs_ruff = pytest.mark.skipif(
    find_spec("ruff") is None, reason="pip install 'wheelground[test]' brings ruff"
)


def pinned(name):
    return re.search(r"(?:ruff-pre-commit\s+rev: v|\"ruff==)([\d.]+)", (ROOT / name).read_text())[1]


def test_one_ruff_is_pinned_for_everybody():
    assert pinned("pyproject.toml") == pinned(".pre-commit-config.yaml")


@needs_ruff
@pytest.mark.parametrize("words", [("format", "--check"), ("check",)], ids=" ".join)
def test_ruff_finds_nothing_to_change(words):
    assert version("ruff") == pinned("pyproject.toml"), "another ruff formats otherwise"
    printed("-m", "ruff", *words, "--quiet", "--no-cache", ROOT)
