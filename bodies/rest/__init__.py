"""Static equilibrium: its search, and the messages of its failures."""
