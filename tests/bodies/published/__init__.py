"""Published benchmark motions, one a module: mechanism, reference values, tolerances."""
