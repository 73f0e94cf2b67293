"""Import graph inside each package, sizes of folders, and limits of the counts of ``tests.house``.

A room is a folder of modules, or one module of a folder with subfolders other than ``kernels``.
"""

import re

import pytest

from .house import PACKAGES, ROOT, arrows_up, circles, counts, files_of_folders, graph, modules

MOST = 22  # largest number of files in a folder
# Largest allowed value of each count. A change may lower these limits, but not raise them.
LIMITS = {
    "lines on Numba's inside": 1976,
    "folders of these lines": 1,
    "private members of other modules": 8,
    "tuning constants": 137,
    "ways to declare a struct": 3,
    "file names in several folders": 104,
}


@pytest.mark.parametrize("package", PACKAGES)
def test_no_module_imports_itself_by_way_of_others(package):
    assert circles(graph(package)) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_no_room_imports_itself_by_way_of_others(package):
    assert arrows_up(package) == []


def test_a_folder_holds_no_more_than_some_twenty_files():
    found = files_of_folders()
    assert {name: n for name, n in found.items() if n > MOST} == {}


@pytest.mark.parametrize("name", LIMITS)
def test_the_counts_of_the_house_only_fall(name):
    found = counts()
    print(*(f"{what}: {number}" for what, number in found.items()), sep="\n")
    assert found[name] <= LIMITS[name]


# Folders of each package in docs/architecture.md; each imports only those before it.
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ORDERS = {
    package: re.findall(r"`([\w/]+)`", folders)
    for package, folders in re.findall(r"^\| `(\w+)` \| ((?:`[\w/]+`(?:, )?)+) \|$", PAGE, re.M)
}


def place(name, order):
    """Position of a module's folder in the list of its package; None if no listed folder contains it."""
    folder = modules()[name].parent.relative_to(ROOT).as_posix().partition("/")[2]
    listed = [one for one in order if f"{folder}/".startswith(f"{one}/")]
    return order.index(max(listed, key=len)) if listed else None


@pytest.mark.parametrize("package", ORDERS)
def test_a_folder_imports_only_those_before_it_on_the_page(package):
    places = {name: place(name, ORDERS[package]) for name in graph(package)}
    inner = [name for name, path in modules().items() if path.parent.parent != ROOT]
    left_out = {name for name in inner if places.get(name, 0) is None} - {f"{package}.kernels"}
    assert left_out == set()
    arrows = [(name, one) for name, others in graph(package).items() for one in others]
    known = [(a, b) for a, b in arrows if places[a] is not None and places[b] is not None]
    assert [(a, b) for a, b in known if places[b] > places[a]] == []


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([a-z]\w+/[\w/.]+)`", PAGE))))
def test_the_files_and_folders_of_the_page_exist(name):
    assert any((folder / name).exists() for folder in (ROOT, *map(ROOT.joinpath, PACKAGES)))


def test_the_functions_of_the_four_quantities_exist():
    """Each function in the last section of docs/architecture.md is defined in a file of that section."""
    part = PAGE.partition("## Four quantities")[2]
    files = set(re.findall(r"`(?:[\w/]*/)?(\w+\.py)`", part))
    texts = "".join(
        path.read_text(encoding="utf-8") for path in modules().values() if path.name in files
    )
    functions = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", part)) - {"cone_index"}
    assert {name for name in functions if f"def {name}(" not in texts} == set()
