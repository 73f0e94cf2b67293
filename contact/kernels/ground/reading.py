"""Compression of tyre and soil together, and the soil's part: the sinkage."""

from mlcp.jit import kernel


@kernel
def sinking(gap, load, stiffness):
    """``(compression, sinkage)`` [m] at a gap [m] under a load [N].

    The sinkage is the ground's part: the compression less the tyre's deflection, 0 in the air.
    """
    compression = max(0.0, -gap)
    return compression, max(0.0, compression - load / stiffness) if load > 0.0 else 0.0
