"""Compilation of kernels: the numerical functions in the ``kernels`` folders, compiled by Numba.

``records``: named numbers over flat memory; ``bundles``: records and arrays of a computation together;
``record_types``: Numba types of records and bundles, made from ``row_types``. ``backend``: choice of the
compiler, Numba's own pipeline or ``quick``, which compiles a kernel in a third of that pipeline's time.
"""
