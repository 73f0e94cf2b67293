"""Static equilibrium: the search for rest, and the sentences where there is none."""
