"""The parts of the quarter-vehicle benchmark: its case, its checks, its figures, its tables."""
