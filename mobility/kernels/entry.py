"""The compiled function with which Python asks for many points."""

from __future__ import annotations

from mlcp.jit import entry_point

from .balance import point


@entry_point("mlcp", "contact", "mobility")
def points_over(source_hash):
    def points_over(law, soils, which, v, slopes, full, out):
        """Rows of ``layout``'s answers at slopes[k] = (along, across) on the soil soils[which[k]]."""
        source_hash
        for k in range(which.shape[0]):
            point(law, soils[which[k]], v, slopes[k, 0], slopes[k, 1], full, out[k])

    return points_over
