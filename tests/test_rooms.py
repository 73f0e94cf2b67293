"""The import graph inside each package, sizes of folders, and the counts of ``tests.house``."""

import pytest

from .house import PACKAGES, arrows_up, circles, counts, files_of_folders, graph

MOST = 22  # files of a folder
# Largest allowed counts; these numbers only fall.
LIMITS = {
    "lines on Numba's inside": 2025,
    "folders of these lines": 1,
    "private members of other modules": 8,
    "tuning constants": 192,
    "file names in several folders": 105,
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
