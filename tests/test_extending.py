"""The recipes of docs/extending.md: every diff applies to the packages as they are, and works."""

import re
import shutil
from pathlib import Path

import pytest

from tests.commands import printed

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
SECTIONS = re.split(r"^## ", PAGE, flags=re.M)[1:]
RECIPES = {section.splitlines()[0]: section for section in SECTIONS if "```diff" in section}
# Largest number of files that a recipe changes: those of its formula, and the tables with its name.
FILES = {"A ground law": 3, "A scheme": 2, "A joint": 3, "A compiled solver": 3, "A host": 3}
COMPILED = ("A host",)  # plain Python has no addresses of a host's arrays
HUNK = re.compile(r"@@ -\d+,(\d+) \+\d+,(\d+) @@")


def blocks(section, kind):
    return re.findall(rf"^```{kind}\n(.*?)^```", section, re.M | re.S)


def files_of(section):
    """Lines of the hunks of a diff, by path."""
    found = {}
    for part in re.split(r"^--- ", "".join(blocks(section, "diff")), flags=re.M)[1:]:
        _, target, *lines = part.splitlines()
        found[target.removeprefix("+++ b/")] = lines
    return found


def applied(text, lines):
    """Text of a file after the hunks of a diff, each located by its context lines at any line number."""
    heads = [k for k, line in enumerate(lines) if line.startswith("@@")]
    for head, end in zip(heads, [*heads[1:], len(lines)], strict=True):
        hunk = lines[head + 1 : end]
        old = [line[1:] for line in hunk if line[:1] != "+"]
        new = [line[1:] for line in hunk if line[:1] != "-"]
        counted = [int(n) for n in HUNK.fullmatch(lines[head]).groups()]
        assert counted == [len(old), len(new)], f"{lines[head]} announces other numbers of lines"
        before, after = ("\n".join([*part, ""]) if part else "" for part in (old, new))
        assert text.count(before) == 1, f"not there, or more than once:\n{before}"
        text = text.replace(before, after)
    return text


@pytest.mark.parametrize("name", RECIPES)
def test_a_part_takes_few_files(name):
    assert len(files_of(RECIPES[name])) <= FILES[name]


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_works(name, tmp_path):
    """Apply the diff to a copy of the packages and run the page's code, if possible in plain Python.

    The recipe of a host needs compiled code; it is in the cache, since the recipe changes no kernel.
    """
    left = ("*.pyc", "*.tmp.*") if name in COMPILED else ("__pycache__",)
    for package in ("mlcp", "contact", "bodies"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns(*left))
    for path, lines in files_of(RECIPES[name]).items():
        file = tmp_path / path
        old = file.read_text(encoding="utf-8") if file.exists() else ""
        file.write_text(applied(old, lines), encoding="utf-8")
    plain = str(int(name not in COMPILED))
    programs = blocks(RECIPES[name], "py")
    assert programs, "a recipe ends with a program that uses it"
    for program in programs:
        promised = re.findall(r"# -> (.*)$", program, re.M)
        own = {"PYTHONPATH": str(tmp_path), "NUMBA_DISABLE_JIT": plain}
        assert printed("-c", program, cwd=tmp_path, **own).splitlines() == promised
