"""Many vehicles of one structure: memory, parameters, steps by threads and lanes, array views."""
