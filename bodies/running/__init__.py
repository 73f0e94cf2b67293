"""Simulations, recorded runs and trajectories; energies, momenta, reactions, degrees of freedom."""
