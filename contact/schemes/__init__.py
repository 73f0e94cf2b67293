"""The regularisations, one a file in ``kernels``: how a force over sliding becomes a line.

``regularisation`` describes them by name, ``own`` lets a Python function take their place.
"""
