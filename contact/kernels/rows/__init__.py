"""The rows of a wheel, and their agreement with its laws."""
