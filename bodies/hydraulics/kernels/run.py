"""Entry point from Python: several steps of a circuit with masses on its rods, with records."""

from mlcp.jit import entry_point, kernel

from ...kernels.oil_data import STORED, circuit_of
from .explicit import explicit_step
from .rods import take_step
from .volume import chamber, stored

EACH = 6  # recorded numbers per branch: piston position, speed, two pressures, opening, spool position


@kernel
def stored_energy(circuit):
    """Energy of the oil in all chambers and lines [J]."""
    total = 0.0
    for k in range(len(circuit.branches)):
        now = circuit.now[k]
        for c in range(2):
            volume, widening = chamber(circuit, k, c, now.length)
            total += stored(
                volume, widening, now.oil[c], now.x[c], circuit.fluids[circuit.branches[k].pump]
            )
    for j in range(len(circuit.pumps)):
        if circuit.pumps[j].sensing == 1:
            line = circuit.lines[j]
            total += stored(circuit.pumps[j].volume, 0.0, line.oil, line.pressure, circuit.fluids[j])
    return total


@kernel
def write_record(circuit, row):
    """Write the present state to a row of the records."""
    n = len(circuit.branches)
    for k in range(n):
        now = circuit.now[k]
        row[EACH * k], row[EACH * k + 1] = now.length, now.speed
        for i in range(3):
            row[EACH * k + 2 + i] = now.x[i]
        row[EACH * k + 5] = now.spool
    for j in range(len(circuit.pumps)):
        row[EACH * n + j] = circuit.lines[j].pressure


@kernel
def inside(circuit):
    """Return 1 if every piston is inside its cylinder, else 0."""
    for k in range(len(circuit.branches)):
        if not 0.0 <= circuit.now[k].length <= circuit.branches[k].stroke:
            return 0
    return 1


@entry_point("mlcp", "bodies")
def advance(F, N, explicit, steps, every, out):
    """Take ``steps`` steps, with a record in ``out`` after every ``every`` steps.

    Returns ``steps``, or the number, from 0, of the step in which a piston left its cylinder.
    """
    circuit, row = circuit_of(F, N), 0
    for k in range(steps):
        if explicit:
            explicit_step(circuit)
        else:
            take_step(circuit)
        if inside(circuit) == 0:
            return k
        if (k + 1) % every == 0:
            write_record(circuit, out[row])
            row += 1
    circuit.account[STORED] = stored_energy(circuit)
    return steps
