"""Vehicle of a map: lumped for a force balance, or a multibody model on slopes."""
