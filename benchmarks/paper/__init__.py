"""The paper's Figs 1 to 3, drawn from the law, the slip and the rows as they are computed."""
