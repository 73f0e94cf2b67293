"""Solution of a step's contact problem: passes (linearisation and solve), Newton's method, friction."""
