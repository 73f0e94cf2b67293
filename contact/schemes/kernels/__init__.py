"""Linearised forces of the schemes, one per file; ``table`` has their numbers."""
