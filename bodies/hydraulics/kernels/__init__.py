"""Kernels of a circuit's oil: volumes, flows, the network's Newton method, explicit methods."""
