"""The Python wheel (built package): pure Python with all data files, its command works in any folder."""

import email
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import mlcp
import wheelground

ROOT = Path(__file__).parent.parent
PACKAGES = ("mlcp", "contact", "bodies", "identify", "rig", "mobility", "wheelground")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Path of the built wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """``call(*words)`` runs the installed command ``wheelground`` from a folder outside the sources."""
    home, elsewhere = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("elsewhere")
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--no-compile"]
    subprocess.run([*command, "--target", str(home), str(wheel)], check=True, capture_output=True)
    settings = {**os.environ, "PYTHONPATH": str(home), "MPLBACKEND": "Agg", "COLUMNS": "200"}

    def call(*words, program=None):
        start = [sys.executable, str(home / "bin" / "wheelground")] if program is None else program
        return subprocess.run(
            [*start, *words], cwd=elsewhere, env=settings, capture_output=True, text=True, check=False
        )

    call.home, call.elsewhere = home, elsewhere
    return call


def test_a_wheel_is_pure_and_holds_what_the_packages_read(wheel):
    assert wheel.name.endswith("-py3-none-any.whl")
    inside = set(zipfile.ZipFile(wheel).namelist())
    assert {name.split("/")[0] for name in inside if ".dist-info" not in name} == set(PACKAGES)
    for top in PACKAGES:
        for path in (ROOT / top).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert path.relative_to(ROOT).as_posix() in inside
    for path in (ROOT / "examples").glob("*.py"):
        assert f"wheelground/examples/{path.name}" in inside
    assert {
        f"{top}/py.typed" for top in ("mlcp", "contact", "bodies", "rig", "mobility", "wheelground")
    } <= inside


def relative_links(text):
    """Targets of a page's links and pictures, without web addresses."""
    return [x for x in re.findall(r"\]\(([^)\s]+)\)", text) if not x.startswith(("https://", "http://"))]


def test_its_page_on_an_index_stands_alone(wheel):
    """The description for a package index has no relative link, and URLs only of published sources."""
    with zipfile.ZipFile(wheel) as file:
        (name,) = (n for n in file.namelist() if n.endswith("METADATA"))
        about = email.message_from_bytes(file.read(name))
    assert about["Version"] == wheelground.__version__
    assert about["Author"] == "the wheelground authors"
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]
    source = settings["metadata"]["hooks"]["custom"]["source"]
    urls = dict(line.split(", ") for line in about.get_all("Project-URL", []))
    assert set(urls) == ({"Homepage", "Source", "Changelog"} if source else set())
    text = about.get_payload(decode=True).decode()
    assert relative_links(text) == []
    assert "# Changes" in text
    assert "the gallery" in text  # its link is removed, its text remains
    assert "![" not in text or source


def test_published_sources_make_links_of_a_page_lead_to_files():
    sys.path.insert(0, str(ROOT))
    from hatch_build import absolute, addresses, without_links

    page, source = (ROOT / "README.md").read_text(), "https://forge.example/name"
    assert len(relative_links(page)) >= 10
    for place in relative_links(page):
        if not place.startswith("#"):
            assert (ROOT / place.split("#")[0]).exists(), place
    published = absolute(page, source)
    assert [x for x in relative_links(published) if not x.startswith("#")] == []
    assert published.count(f"]({source}/blob/main/") >= 10
    assert f"]({source}/raw/main/docs/images/" in published
    assert all(url.startswith(source) for url in addresses(source).values())
    assert "[" not in without_links("see [a page](docs/a.md), ![a picture](b.png)and [c](c.md).")


def test_the_command_works_from_an_empty_folder(installed):
    where = installed("-c", "import wheelground; print(wheelground.__file__)", program=[sys.executable])
    assert Path(where.stdout.strip()).is_relative_to(installed.home)
    assert installed("--version").stdout.strip() == wheelground.__version__
    doctor = installed("doctor")
    assert doctor.returncode == 0, doctor.stderr + doctor.stdout
    for word in ("numba", "compiler", "cache", "threads", "view", str(installed.home)):
        assert word in doctor.stdout
    assert "torque 0 to 600 N m" in installed("quarter", "--help").stdout
    assert "python -m benchmarks.solvers" in installed("compare", "solvers").stderr


def test_the_installed_command_solves_a_problem_from_a_file(installed):
    file = mlcp.dump(mlcp.MLCP([[2.0, 1.0], [1.0, 2.0]], [-5.0, -6.0]), installed.elsewhere / "problem")
    run = installed("solve", file.name, "--solver", "pgs", "--out", "z.npz")
    assert run.returncode == 0, run.stderr
    assert "solved" in run.stdout
    assert (installed.elsewhere / "z.npz").is_file()


@pytest.mark.slow
def test_from_the_wheel_to_the_first_picture(installed):
    run = installed("drive", "--cone-index", "300e3", "--duration", "2", "--table", "run.csv")
    assert run.returncode == 0, run.stderr
    assert (installed.elsewhere / "out" / "drive.png").stat().st_size > 20_000
    assert (installed.elsewhere / "run.csv").read_text().startswith("time [s],frame.x [m]")
