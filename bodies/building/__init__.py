"""Compilation of a mechanism to the flat arrays of a model, its elimination order and closed pose."""
