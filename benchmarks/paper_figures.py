"""Figs 1 to 7 of Peiret et al., from computed laws, rows of the complementarity problem, and runs.

The same program as the command ``wheelground paper``, run from a checkout.
"""

from wheelground.reports.cli import run
from wheelground.reports.paper.command import app

if __name__ == "__main__":
    run(app)
