"""List of the programs in this folder: ``python -m benchmarks``."""

import ast
from pathlib import Path

from rich.table import Table

from wheelground.reports.cli import console, run


def main() -> int:
    """Print one line for each program: its name, and the first line of its docstring."""
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for path in sorted(Path(__file__).parent.glob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not path.name.startswith("_") and 'if __name__ == "__main__":' in text:
            table.add_row(
                f"[bold]{path.stem}[/]", (ast.get_docstring(ast.parse(text)) or "").split("\n")[0]
            )
    console().print(
        "Run one with  [bold]python -m benchmarks.NAME[/]  (--help shows its options):\n", table
    )
    return 0


if __name__ == "__main__":
    run(main)
