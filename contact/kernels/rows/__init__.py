"""The rows (constraints) of a wheel in the contact problem, and their agreement with its laws."""
