"""Steps of many vehicles: one after the other in a workspace, and side by side in vector lanes."""
