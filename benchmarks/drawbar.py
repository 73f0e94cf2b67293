"""A tractor test: pull against slip, speed, tractive efficiency, power and fuel, on soils of ASABE D497.

The same program as the command ``wheelground pull``, run from a checkout.
"""

from wheelground.reports.cli import run
from wheelground.reports.drawbar import app

if __name__ == "__main__":
    run(app)
