"""Sparse problems: elimination order, L D L' factor, interior-point method."""
