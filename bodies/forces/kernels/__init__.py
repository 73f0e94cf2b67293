"""What forces do in a step, one a file: rows of springs, impulses of the others."""
