"""Every ground law against its reference numbers, and drawn over slip for each kind of ground.

The same program as the command ``wheelground compare laws``, run from a checkout.
"""

from wheelground.reports.cli import run
from wheelground.reports.laws.command import app

if __name__ == "__main__":
    run(app)
