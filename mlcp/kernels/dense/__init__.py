"""Dense problems: Newton steps in faces (sets of free rows), then Lemke's path."""
