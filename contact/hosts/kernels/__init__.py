"""Compiled functions of the ground solve for other multibody codes, and of their dense adapter."""
