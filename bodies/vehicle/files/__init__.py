"""Shipped vehicles, and the reader of vehicle files."""
