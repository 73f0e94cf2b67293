"""Factors of masses and bilateral rows, ``[M J'; J -E]``."""
