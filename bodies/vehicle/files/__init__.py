"""The vehicles that are shipped, and the reader of vehicle files."""
