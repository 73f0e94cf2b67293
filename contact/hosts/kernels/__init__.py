"""Kernels of the adapters that hand over dense numbers."""
