"""A complete map in a separate process; prints its largest memory [byte] and time [s]."""

import sys
import time
from pathlib import Path

from mobility import lumped, make_map, surface

from . import memory
from .maps import inputs_of

if __name__ == "__main__":
    folder, *places = map(Path, sys.argv[1:])
    make_map(surface(lumped("hmmwv_4x4")), inputs_of(*places), folder)
    print(memory.most(), time.process_time())
