"""Circuits of ``benchmarks.hydraulics``, and independent equations of them for SciPy."""
