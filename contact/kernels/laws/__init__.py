"""Ground laws: thrust, resistance and lateral force over slip and load."""
