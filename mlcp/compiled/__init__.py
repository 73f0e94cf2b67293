"""Compilation of kernels, apart from their mathematics.

``records``: named numbers over flat memory; ``bundles``: records and arrays of a computation together;
``record_types``: Numba types of both, on ``row_types``, rows of numbers. ``backend``: choice of the
compiler, Numba's own pipeline or ``quick``, which needs a third of the time.
"""
