"""Circuits that ``benchmarks.hydraulics`` runs, and their equations once more, for SciPy."""
