"""Regularisations side by side: scheme x step x solver x law, on five cases.

The same program as the command ``wheelground compare schemes``, run from a checkout.
"""

from wheelground.reports.cli import run
from wheelground.reports.schemes.command import app

if __name__ == "__main__":
    run(app)
