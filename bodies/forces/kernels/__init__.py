"""Kernels of the force elements, one a file: rows of springs, impulses of the other forces."""
