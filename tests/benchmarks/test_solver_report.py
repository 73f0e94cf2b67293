"""Tables of the benchmark of solvers."""

from rich.console import Console

from benchmarks.solver_report import print_families
from benchmarks.solvers import Family


def test_each_time_stands_under_the_number_of_rows_of_its_problems(capsys):
    families = [
        Family("dense", 12, 5.0, 3, 3, 0.5, "piqp"),
        Family("pyramid", 18, 9.0, 2, 3, 1.5, "lemke"),
    ]
    print_families(Console(width=100), families)
    lines = capsys.readouterr().out.splitlines()
    head = next(line for line in lines if "12 rows" in line)
    row = next(line for line in lines if "pyramid" in line)
    assert row.index("1.50 lemke, solved 2/3") > head.index("12 rows") + len("12 rows")
