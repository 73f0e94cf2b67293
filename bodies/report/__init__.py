"""Tables of a run: records of the wheels, traction, fuel, tracks on maps."""
