"""Linearised forces of the schemes, one a file; ``table`` has their numbers."""
