"""Compression of tyre and soil together, and the soil's part: the sinkage."""

from mlcp.jit import kernel


@kernel
def sinking(gap, load, stiffness):
    """``(compression, sinkage)`` [m] of a tyre of the given stiffness [N/m] on soil under a load [N].

    gap: of the undeformed tyre above the undeformed ground [m], negative when compressed. The sinkage is
    the compression less the tyre's deflection, 0 in the air.
    """
    compression = max(0.0, -gap)
    return compression, max(0.0, compression - load / stiffness) if load > 0.0 else 0.0
