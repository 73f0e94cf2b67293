"""Data exchanged in a step between another multibody code (host) and the ground solve."""

from mlcp.compiled.bundles import Bundle, array, record, table
from mlcp.compiled.records import Record, integer
from mlcp.jit import call, part


class GroundCall(Record):
    """Addresses of the compiled ground solve and of its memory."""

    function = integer("address of the compiled solve")
    floats_at = integer("address of the memory's float64 block")
    ints_at = integer("address of the memory's int64 block")


class Exchange(Bundle):
    """Input and output of the ground solve, for W wheels and their C = 4 W channels."""

    call = record(GroundCall, "the solve itself")
    step = array("s", "step length h, one number")
    position = table("m", "wheel centres, (W, 3), world axes")
    axis = table("-", "spin axes, unit, pointing left, (W, 3), world axes")
    map = table("-, m", "channel velocities from each wheel's twist, (C, 6)")
    mobility = table("1/kg", "mobility of the channels, (C, C)")
    u = array("m/s", "channel velocities at the start of the step")
    u_free = array("m/s", "channel velocities at the end of the step without ground forces")
    impulses = array("N s", "impulses of the channels")


@part
def solve_ground(exchange, stages):
    """Run the given stages of the ground solve; return the code of success or error."""
    to = exchange.call
    return call(to.function, to.floats_at, to.ints_at, stages)
