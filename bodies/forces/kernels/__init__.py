"""Forces in a step, one a file: rows of the springs, impulses of the others."""
