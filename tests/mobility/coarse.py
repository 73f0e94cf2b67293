"""Mobility tables with few nodes, quick to compute, for tests that do not depend on their accuracy."""

from mobility.performance import surface, tabulate


def coarsen(patch):
    """Reduce the nodes of slope, direction and strength, and the directions with a steepest slope."""
    patch.setattr(tabulate, "DIRECTION_NODES", 17)
    patch.setattr(tabulate, "FIRST_SLOPE_NODES", 13)
    patch.setattr(tabulate, "FIRST_DIRECTION_NODES", 9)
    patch.setattr(tabulate, "MOST", (13, 9))
    patch.setattr(surface, "ABOVE_NODES", ((0.0, 1.0, 13), (-1.0, 1.0, 11), (0.0, 1.0, 6)))
