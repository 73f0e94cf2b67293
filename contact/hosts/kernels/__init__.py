"""Kernels of the adapters with dense matrices."""
