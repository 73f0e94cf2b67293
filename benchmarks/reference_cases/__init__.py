"""Mechanisms whose motion others have published, one a file."""
