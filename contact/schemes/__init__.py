"""The regularisations, one per file in ``kernels``: linearisation of a force over sliding velocity.

``regularisation`` describes each by its name, ``own`` is for users' Python functions.
"""
