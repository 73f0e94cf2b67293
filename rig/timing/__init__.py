"""Clocks, schedule of ticks in real time, ages of external signals, records of late ticks."""
