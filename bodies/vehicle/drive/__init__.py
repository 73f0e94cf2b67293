"""The drive of a vehicle: engine, gearboxes, differentials, shafts, hub drives."""
