"""Ground solve on a host's memory blocks F and N: wrenches from the wheels' poses and twists.

B: Delassus matrix of the channels (contact coordinates, four a wheel); q: channel impulses; u, u_free:
channel velocities at the start of the step, and at the end of the step without ground forces. A returned
code is ``DONE`` or an error code of ``layout``.
"""

import math

from contact.kernels.ground.reading import sinking
from contact.kernels.ground.section import GroundShape
from contact.kernels.ground.wheel_frame import heading, touching
from contact.kernels.solve import reduced
from contact.kernels.wheel import layout as at
from contact.kernels.wheel.slip import slip_state
from mlcp.compiled.row_types import as_array
from mlcp.jit import kernel, part
from mlcp.kernels.numbered import DIRECT

from . import layout as L
from .block import block_in

TRIES = 5  # largest number of solves with the symmetric part of B; each divides the error by 50 or more


@kernel
def detect(F, N):
    """Compute contact point, frame, gap and channel map of every wheel; return a code.

    The contact point is on the rim, towards the point of the ground nearest to the axle. Forward is
    ``a x n``, left ``n x forward``, with the spin axis a and the ground's normal n.
    """
    block = block_in(F, N)
    position, axis = block.position, block.axis
    point, frame, gap = block.point, block.frame, block.contact.gap
    rows, tyre = block.map, block.tyre
    ground = GroundShape(N[L.TERRAIN], as_array(block.shape), 0, N[L.GRID_ROWS], N[L.GRID_COLUMNS])
    for i in range(N[L.WHEELS]):
        N[L.CULPRIT] = i
        cx, cy, cz = position[3 * i], position[3 * i + 1], position[3 * i + 2]
        ax, ay, az = axis[3 * i], axis[3 * i + 1], axis[3 * i + 2]
        if not math.isfinite(cx + cy + cz + ax + ay + az):
            return L.NOT_FINITE
        if abs(ax * ax + ay * ay + az * az - 1.0) > 1e-6:
            return L.BAD_AXIS
        r = tyre[i].radius
        gap[i], nx, ny, nz, dx, dy, dz, share = touching(ground, cx, cy, cz, ax, ay, az, r)
        length = math.sqrt(nx * nx + ny * ny + nz * nz)
        k = (ax * nx + ay * ny + az * nz) / length
        if k * k > 0.99:
            return L.BAD_AXIS
        if gap[i] < -2.0 * r:
            return L.TOO_DEEP
        fx, fy, fz, lx, ly, lz = heading(ax, ay, az, nx, ny, nz)
        point[3 * i], point[3 * i + 1], point[3 * i + 2] = cx + dx, cy + dy, cz + dz
        f = 9 * i
        frame[f], frame[f + 1], frame[f + 2] = nx / length, ny / length, nz / length
        frame[f + 3], frame[f + 4], frame[f + 5] = fx, fy, fz
        frame[f + 6], frame[f + 7], frame[f + 8] = lx, ly, lz
        m = 6 * at.CHANNELS * i
        direction(rows, m + 6 * at.NORMAL, nx, ny, nz, share * dx, share * dy, share * dz)
        direction(rows, m + 6 * at.SLIDING, fx, fy, fz, dx, dy, dz)
        direction(rows, m + 6 * at.LATERAL, lx, ly, lz, dx, dy, dz)
        direction(rows, m + 6 * at.CENTRE, fx, fy, fz, 0.0, 0.0, 0.0)
    return L.DONE


@kernel
def direction(rows, m, x, y, z, dx, dy, dz):
    """Write at rows[m:] the map from a wheel's twist to the velocity along (x, y, z) of the point at
    (dx, dy, dz) from its centre."""
    rows[m], rows[m + 1], rows[m + 2] = x, y, z
    rows[m + 3], rows[m + 4], rows[m + 5] = dy * z - dz * y, dz * x - dx * z, dx * y - dy * x


@kernel
def project(F, N):
    """Compute the channels' ``B = C G C'``, ``u = C t``, ``u_free = C t_free`` from the wheels' twists.

    C: channel map; G: mobility of the twists; t, t_free: twists at the times of u, u_free.
    """
    block = block_in(F, N)
    rows, G = block.map, block.mobility
    twist, free = block.twist, block.free_twist
    B, u, u_free = block.B, block.u, block.u_free
    count, wide = N[L.CHANNELS], 6 * N[L.WHEELS]
    for c in range(count):
        i = c // at.CHANNELS
        now, then = 0.0, 0.0
        for k in range(6):
            now += rows[6 * c + k] * twist[6 * i + k]
            then += rows[6 * c + k] * free[6 * i + k]
        u[c], u_free[c] = now, then
        for d in range(count):
            j = d // at.CHANNELS
            total = 0.0
            for k in range(6):
                part_sum = 0.0
                for n in range(6):
                    part_sum += G[(6 * i + k) * wide + 6 * j + n] * rows[6 * d + n]
                total += rows[6 * c + k] * part_sum
            B[c * count + d] = total


@kernel
def check(F, N):
    """Check the host's step length h, B, u and u_free; return a code."""
    block = block_in(F, N)
    count = N[L.CHANNELS]
    B, u, u_free = block.B, block.u, block.u_free
    h = block.step[0]
    N[L.CULPRIT] = -1
    if not (h > 0.0 and math.isfinite(h)):
        return L.BAD_STEP
    for c in range(count):
        N[L.CULPRIT] = c // at.CHANNELS
        total = u[c] + u_free[c]
        for d in range(count):
            total += B[c * count + d]
        if not math.isfinite(total):
            return L.NOT_FINITE
    for c in range(count):
        own = B[c * count + c]
        N[L.CULPRIT] = c // at.CHANNELS
        kind = c % at.CHANNELS
        if own < 0.0 or (own == 0.0 and kind != at.LATERAL):
            return L.NOT_DEFINITE
        for d in range(c):
            between = B[c * count + d] * B[d * count + c]
            # tolerance 1e-3: a host that treats damping in a second stage has a slightly asymmetric B
            if between > (1.0 + 1e-3) * own * B[d * count + d]:
                return L.NOT_DEFINITE
    return L.DONE


@kernel
def predict_forces(F, N):
    """Predict the velocities and impulses of this step, at which the scheme ``implicit`` first
    linearises the law.

    Velocities and impulses are extrapolated by their change over the last step. The prediction affects
    the number of passes, not the solution, since the passes converge to the law.
    """
    block = block_in(F, N)
    contact = block.contact
    wheels, channel, z, start = contact.wheels, contact.rows.channel, contact.rows.z, contact.start
    u, change, trend = block.u, block.change, block.trend
    for i in range(N[L.WHEELS]):
        c = at.CHANNELS * i
        speed, faster = abs(u[c + at.CENTRE]), 0.0
        for k in range(c, c + at.CHANNELS):
            start[k] = u[k]
            faster = max(faster, abs(change[k]))
        rolls = speed > max(100.0 * wheels.each[i].v_0, 10.0 * faster)
        rolls = rolls and wheels.each[i].scheme == at.IMPLICIT
        if rolls:
            for k in range(c, c + at.CHANNELS):
                start[k] += change[k]
        for r in range(z.shape[0]):
            if channel[r] // at.CHANNELS == i:
                last = z[r]
                if rolls and abs(trend[r]) < 0.1 * abs(last):
                    z[r] += trend[r]
                trend[r] = last


@kernel
def set_symmetric_part(F, N):
    """Write the symmetric part of B; return whether B is asymmetric, but so slightly that iterated
    solves with its symmetric part converge (``solve_symmetric``)."""
    block = block_in(F, N)
    C, B, even = N[L.CHANNELS], block.B, block.B_even
    asymmetric, little = False, True
    for r in range(C):
        for c in range(r + 1):
            a, b = B[r * C + c], B[c * C + r]
            mean = 0.5 * (a + b)
            even[r * C + c], even[c * C + r] = mean, mean
            asymmetric = asymmetric or a != b
            odd = 0.5 * (a - b)
            # antisymmetric part of at most 0.02 of the geometric mean of both diagonal entries
            little = little and odd * odd <= 0.02 * 0.02 * B[r * C + r] * B[c * C + c]
    return asymmetric and little


@kernel
def add_antisymmetric_part(F, N, q):
    """Set ``u_even = u_free + (B - B_even) q``, with the symmetric part B_even of B; return the largest
    change of u_even relative to the largest |B q|. The channel velocities get the same change."""
    block = block_in(F, N)
    C, B, even = N[L.CHANNELS], block.B, block.B_even
    u_free, u_even = block.u_free, block.u_even
    u, seen = block.contact.rows.u, block.q_seen
    moved, most = 0.0, 0.0
    for r in range(C):
        rest, whole = 0.0, 0.0
        for c in range(C):
            odd = B[r * C + c] - even[r * C + c]
            rest += odd * q[c]
            whole += B[r * C + c] * q[c]
        change = u_free[r] + rest - u_even[r]
        moved, most = max(moved, abs(change)), max(most, abs(whole))
        # computed from u_free, so that the rounding does not depend on the step before
        u_even[r] = u_free[r] + rest
        u[r] += change
    for c in range(C):
        seen[c] = q[c]
    return moved / most if most > 0.0 else 0.0


@kernel
def solve_symmetric(F, N):
    """Solve the contacts of a slightly asymmetric B; return whether the iteration converged.

    Hosts that treat damping in a second stage have such a B. The fast solver for symmetric matrices
    uses the symmetric part; the effect of the antisymmetric part is computed from the last impulses.
    """
    block = block_in(F, N)
    C, contact, seen = N[L.CHANNELS], block.contact, block.q_seen
    channel, minus, z = contact.rows.channel, contact.rows.minus, contact.rows.z
    tolerance = 0.01 * contact.settings.law_tolerance
    for c in range(C):
        seen[c] = 0.0
    for r in range(z.shape[0]):
        seen[channel[r]] += z[r]
        if minus[r] >= 0:
            seen[minus[r]] -= z[r]
    add_antisymmetric_part(F, N, seen)
    for _try in range(TRIES):
        reduced.solve_reduced(
            block.step[0],
            DIRECT,
            contact,
            as_array(block.B_even).reshape((C, C)),
            as_array(block.u_even),
        )
        if add_antisymmetric_part(F, N, contact.rows.q) <= tolerance:
            return True
    return False


@part
def solve(F, N):
    """Solve the step's contacts by the ground law."""
    block = block_in(F, N)
    C = N[L.CHANNELS]
    predict_forces(F, N)
    contact, plain = block.contact, N[L.SOLVER] == DIRECT
    # a solve changes the states of bristles and relaxing carcasses, and so cannot be repeated
    for i in range(N[L.WHEELS]):
        wheel = contact.wheels.each[i]
        plain = plain and wheel.scheme != at.LUGRE and wheel.relaxes == 0
    if not (plain and set_symmetric_part(F, N) and solve_symmetric(F, N)):
        reduced.solve_reduced(
            block.step[0],
            N[L.SOLVER],
            contact,
            as_array(block.B).reshape((C, C)),
            as_array(block.u_free),
        )
    z, trend = contact.rows.z, block.trend
    for r in range(z.shape[0]):
        trend[r] = z[r] - trend[r]


@kernel
def report(F, N):
    """Compute wrenches from the channel impulses, and the readings of each wheel."""
    block = block_in(F, N)
    contact, verdict = block.contact, block.verdict
    q, u, found, gap = contact.rows.q, contact.rows.u, contact.rows.report, contact.gap
    rows, wrench = block.map, block.wrench
    state, tyre = block.state, block.tyre
    h = block.step[0]
    for i in range(N[L.WHEELS]):
        c = at.CHANNELS * i
        for k in range(6):
            total = 0.0
            for n in range(at.CHANNELS):
                total += rows[6 * (c + n) + k] * q[c + n]
            wrench[6 * i + k] = total / h
        v_t, v_x = u[c + at.SLIDING], u[c + at.CENTRE]
        slip, _, _ = slip_state(v_t, v_x, contact.wheels.each[i].v_0)
        load = q[c + at.NORMAL] / h
        m = 6 * (c + at.NORMAL)
        length = math.sqrt(rows[m] * rows[m] + rows[m + 1] * rows[m + 1] + rows[m + 2] * rows[m + 2])
        end = gap[i] + h * u[c + at.NORMAL]
        wheel = state[i]
        wheel.compression, wheel.sinkage = sinking(end, load, tyre[i].stiffness)
        wheel.slip, wheel.load = slip, load * length
        wheel.sliding, wheel.speed, wheel.lateral = v_t, v_x, u[c + at.LATERAL]
    start, change = block.u, block.change
    for c in range(N[L.CHANNELS]):
        change[c] = u[c] - start[c]
    verdict.residual, verdict.passes = found.residual, found.passes
    verdict.missed, verdict.agreement = found.missed, found.agreement


@kernel
def run(F, N, stages):
    """Run the given stages in order; return a code. After an error no state has changed."""
    if N[L.MAGIC_AT] != L.MAGIC:
        return L.BAD_BLOCK
    if N[L.ONLY_PYTHON] != 0 and stages & L.SOLVE and not stages & L.PREPARED:
        return L.NOT_FROM_C
    code = L.DONE
    if stages & L.DETECT:
        code = detect(F, N)
        if code != L.DONE:
            return code
    if stages & L.PROJECT:
        project(F, N)
    if stages & L.CHECK:
        code = check(F, N)
        if code != L.DONE:
            return code
    if stages & L.SOLVE:
        solve(F, N)
    if stages & L.REPORT:
        report(F, N)
    return code
