"""Tests of fits to measurements."""
