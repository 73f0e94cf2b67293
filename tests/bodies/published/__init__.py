"""Published benchmark motions: each module has a mechanism, reference values and tolerances."""
