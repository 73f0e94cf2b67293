"""Kernels of a hydraulic circuit: volumes, flows, Newton's method for the oil, explicit methods."""
