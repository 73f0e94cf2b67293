"""Single-wheel test of Peiret et al. (section 4.1): Table 1, every scheme with every solver, checked.

The same program as the command ``wheelground quarter``, run from a checkout.
"""

from wheelground.reports.cli import run
from wheelground.reports.quarter.command import app

if __name__ == "__main__":
    run(app)
