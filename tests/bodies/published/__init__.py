"""Published motions: mechanism, reference values, tolerances."""
