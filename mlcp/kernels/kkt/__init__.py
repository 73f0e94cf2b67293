"""Factorisation of ``[M J'; J -E]``: masses M, Jacobian J of the bilateral rows, their compliances E."""
