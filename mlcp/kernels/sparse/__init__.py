"""Sparse problems: order, factor and interior points."""
