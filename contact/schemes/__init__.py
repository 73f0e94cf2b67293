"""The regularisations, one a file in ``kernels``: linearisation of a force over sliding velocity.

``regularisation`` describes them by name, ``own`` is for users' Python functions.
"""
