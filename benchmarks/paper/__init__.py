"""The paper's Figs 1 to 3, from computed laws, slips and rows."""
