"""Figs 1 to 3 of Peiret et al., from the ground law, slip and rows of the complementarity problem."""
