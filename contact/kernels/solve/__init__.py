"""Solution of a step's contact problem by passes (linearisation and solve) and Newton's method."""
