"""Installation as documented agrees with pyproject.toml; the repository's root has no other files."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from wheelground.commands.doctor import EXTRAS

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
OPTIONAL = PROJECT["project"]["optional-dependencies"]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PACKAGES = ("mlcp", "contact", "bodies", "identify", "rig", "mobility", "wheelground", "benchmarks")
PACKAGES += ("examples",)
#: All files at the root of the repository.
AT_THE_ROOT = {
    ".gitignore", ".pre-commit-config.yaml", ".readthedocs.yaml", "CHANGELOG.md", "CITATION.cff",
    "CONTRIBUTING.md", "LICENSE", "README.md", "hatch_build.py", "pyproject.toml",
}  # fmt: skip


def of_users():
    """Extras for users: all but `test`, which is for development."""
    return set(OPTIONAL) - {"test"}


def test_the_readme_and_the_doctor_know_every_extra():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    listed = re.search(r"Extras: (.*?)\.$", text, re.M | re.S)[1]
    assert set(re.findall(r"`(\w+)`", listed)) == of_users()
    assert {extra.name for extra in EXTRAS} == of_users()


def test_every_extra_that_a_page_or_a_sentence_names_is_there():
    sources = [path for top in PACKAGES for path in (ROOT / top).rglob("*.py")]
    named = {}
    for path in (*PAGES, *sources):
        for names in re.findall(
            r"pip install\s+(?:-e )?'(?:wheelground|\.)\[([\w,\s]+)\]'", path.read_text("utf-8")
        ):
            named |= {name.strip(): path.name for name in names.split(",") if name.strip() != "NAME"}
    assert len(named) > 8
    assert {name: page for name, page in named.items() if name not in OPTIONAL} == {}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_page_asks_an_index_for_what_it_does_not_have(page):
    """Without a published address in pyproject.toml the pages install from the sources' folder."""
    if PROJECT["tool"]["hatch"]["metadata"]["hooks"]["custom"]["source"]:
        pytest.skip("the sources are published")
    found = re.findall(r"pip install '?wheelground'?\s", page.read_text(encoding="utf-8"))
    assert not found, f"say 'pip install -e .' instead of {found}"


@pytest.mark.parametrize(
    ("name", "package", "licence"),
    [("can", "python-can", "LGPL-3.0-only"), ("identify", "asammdf", "LGPL-3.0-or-later")],
)
def test_the_licence_of_what_is_not_under_one_like_ours_is_said(name, package, licence):
    """A package under the LGPL is named beside its extra in pyproject.toml and on pages."""
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    (extra,) = (k for k, line in enumerate(lines) if line.startswith(f"{name} = "))
    assert f"{package} is {licence}" in "\n".join(lines[extra - 2 : extra + 1])
    for page in PAGES:
        text = " ".join(page.read_text(encoding="utf-8").split())
        if f"pip install 'wheelground[{name}" in text:
            assert f"{package} is under the {licence}" in text, page.name


@pytest.mark.skipif(not (ROOT / ".git").exists() or not shutil.which("git"), reason="no checkout")
def test_the_root_holds_no_users_file():
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert {
        name for name in listed.splitlines() if "/" not in name and (ROOT / name).exists()
    } == AT_THE_ROOT
