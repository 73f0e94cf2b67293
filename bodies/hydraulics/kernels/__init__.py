"""The oil of a circuit, compiled: volumes, flows, the network's Newton method, explicit methods."""
