"""Mobility tables with few nodes, quick to compute, for tests that do not depend on their accuracy."""

from mobility.performance import surface, tabulate


def coarsen(patch):
    """Fewer nodes of slope, direction and strength, and directions with a computed steepest slope."""
    patch.setattr(tabulate, "DIRECTION_NODES", 33)
    patch.setattr(surface, "ABOVE_NODES", ((0.0, 1.0, 13), (-1.0, 1.0, 11), (0.0, 1.0, 6)))
