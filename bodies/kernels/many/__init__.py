"""Vehicles one after the other through a workspace, and side by side in lanes."""
