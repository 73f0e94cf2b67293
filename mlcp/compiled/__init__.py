"""How kernels are compiled, apart from the mathematics that they do.

``records``: named numbers over flat memory; ``bundles``: all of them together; ``record_types``:
Numba's side of both, on ``row_types``, rows of numbers. ``backend``: which of two ways compiles the
kernels, Numba's own or ``quick``, which needs a third of the time.
"""
