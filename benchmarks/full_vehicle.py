"""Full-vehicle test of Peiret et al. (section 4.2): 45 rigid bodies on soft soil, checked and drawn.

The same program as the command ``wheelground full``, run from a checkout.
"""

from wheelground.reports.cli import run
from wheelground.reports.full.command import app

if __name__ == "__main__":
    run(app)
