"""Factors of bilateral rows and masses, ``[M, -J'; J, E]``."""
