"""Kernels of the force elements, one per file: rows of springs, impulses of the other forces."""
