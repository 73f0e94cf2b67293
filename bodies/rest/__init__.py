"""Static equilibrium of mechanisms: the search, and the messages of failed searches."""
