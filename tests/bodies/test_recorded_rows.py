"""``Batch.record`` returns the bytes of a loop of readings and runs, or refuses its arguments."""

import functools

import numpy as np
import pytest

import bodies
from bodies.vehicle import load
from tests.refusals import refusals

ROWS, EVERY = 12, 3
BODIES = ("frame", "rear_left wheel")


@functools.cache
def model():
    return bodies.compile(load("skid_steer", cone_index=6e4))


def left(rows=ROWS):
    return np.linspace(0.0, 0.9, rows)


@pytest.mark.parametrize("n", [2, 8])
def test_rows_are_those_of_a_loop_to_the_last_bit(n):
    """``record`` equals a loop over its rows (instants): 2 single vehicles, or 8 in vector registers."""
    one, loop = (bodies.Batch(model(), n, 5e-3) for _ in range(2))
    for batch in (one, loop):
        batch.set("frame.mass", np.linspace(9.0, 12.0, n))
        batch.set_input("right", 0.2)
    found = one.record(ROWS, EVERY, {"left": left()}, BODIES)
    for k, value in enumerate(left()):
        for j, body in enumerate(BODIES):
            motion = (loop.position, loop.quaternion, loop.velocity, loop.angular_velocity)
            assert found[k, :, j].tobytes() == np.hstack([part(body) for part in motion]).tobytes()
        loop.set_input("left", value)
        loop.run(EVERY, threads=1)
    assert one.snapshot().states.tobytes() == loop.snapshot().states.tobytes()
    assert np.ptp(found[-1, :, 0, 7]) > 0.0


def refused(case):
    batch = bodies.Batch(model(), 2, 5e-3)
    given = {"rows": ROWS, "every": EVERY, "inputs": {"left": left()}, "bodies": BODIES} | case
    try:
        return batch.record(**given)
    finally:
        assert (batch.time == 0.0).all()


test_wrong_arguments_leave_the_batch_as_it_was = refusals(
    ({"rows": -1}, "rows"),
    ({"every": 2.5}, "every"),
    ({"inputs": {"lefft": left()}}, "'lefft' is unknown; did you mean 'left'"),
    ({"inputs": {"left": left(3)}}, "input 'left' must have 12 values, one for each row"),
    ({"inputs": {"left": 9.0 + left()}}, "left"),
    ({"bodies": ("frme",)}, "frme"),
    ({"bodies": 3}, "bodies"),
    ({"inputs": 3}, "inputs"),
    of=refused,
)
