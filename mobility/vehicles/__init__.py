"""The vehicle of a map: lumped to a force balance, or whole on slopes."""
