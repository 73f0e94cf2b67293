"""Clocks and pacing: deadlines, ages of signals, accounts of late ticks."""
