"""Compiled parts of the comparison."""
