"""Tests of the maps: force balance, borders, chances."""
