"""Reports of a run: records of the wheels, traction and fuel, data sets, tracks on maps."""
