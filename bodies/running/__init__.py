"""Simulations, recorded runs, trajectories, and their balances of energy and momentum."""
