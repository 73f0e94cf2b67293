"""Dense problems: Newton steps in faces, then Lemke's path."""
