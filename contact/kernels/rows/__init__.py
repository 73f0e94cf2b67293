"""The rows (constraints) of wheels in the contact problem, and their agreement with the wheels' laws."""
