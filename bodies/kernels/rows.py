"""One row of a body's Jacobian block: three coefficients for the velocity v of the centre of mass, three
for the angular velocity w, world axes."""

from mlcp.jit import kernel


@kernel
def along(J, o, k, n, arm):
    """Write the row ``J[o:o+6]`` of k times a point's velocity along n, ``k (n . v + (arm x n) . w)``.

    ``arm``: vector from the centre of mass to the point [m].
    """
    J[o] = k * n[0]
    J[o + 1] = k * n[1]
    J[o + 2] = k * n[2]
    J[o + 3] = k * (arm[1] * n[2] - arm[2] * n[1])
    J[o + 4] = k * (arm[2] * n[0] - arm[0] * n[2])
    J[o + 5] = k * (arm[0] * n[1] - arm[1] * n[0])


@kernel
def about(J, o, k, n):
    """Write the row ``J[o:o+6]`` of k times the angular velocity about n, ``k n . w``."""
    J[o] = 0.0
    J[o + 1] = 0.0
    J[o + 2] = 0.0
    J[o + 3] = k * n[0]
    J[o + 4] = k * n[1]
    J[o + 5] = k * n[2]
