"""Circuits of ``benchmarks.hydraulics``, and independent equations of these circuits for SciPy."""
