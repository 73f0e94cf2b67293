"""Parts of the quarter-vehicle benchmark: case, checks, figures, tables."""
