"""How kernels are compiled, apart from the mathematics that they do.

``records``: named numbers over flat memory, and ``record_types``, Numba's side of them. ``backend``:
which of two ways compiles the kernels, Numba's own or ``quick``, which needs a third of the time.
"""
