"""On a scripted clock lateness of ticks, shifts of deadlines and ages of inputs have exact values."""

import pytest

import rig
from rig.timing.pace import Pace
from tests.refusals import refusals
from tests.rig.guided import STEERED

MS = 1_000_000


def paced(costs, wake=(0.0,), *, tick=0.01, n=None, policy="catch-up", max_lag=0.05):
    r = rig.Rig(tick, chassis="kinematic", speed=1.0)
    clock = rig.FakeClock(costs, wake)
    return r.run((n or len(costs)) * tick, clock=clock, policy=policy, max_lag=max_lag)


def test_costs_give_the_exact_deficit():
    run = paced([0.004, 0.013, 0.005, 0.001])
    books = run.deficit
    assert books.cost.tolist() == [4 * MS, 13 * MS, 5 * MS, 1 * MS]
    # tick 1 ends at 23 ms, so tick 2 begins late; tick 2 ends at 28 ms, in time
    assert books.wake.tolist() == [0, 0, 3 * MS, 0]
    assert books.overruns.tolist() == [False, True, False, False]
    assert books.behind.tolist() == [-6 * MS, 3 * MS, -2 * MS, -9 * MS]
    assert books.deficit.tolist() == [0.0, 0.003, 0.0, 0.0]
    assert books.mean_deficit == (4 + 13 + 5 + 1 - 40) * 1e-3 / 4
    assert (run.overrun_count, books.worst, books.slips) == (1, 1, [])
    assert "1 late, 0 slips, mean deficit -4.25 ms, computing time p50 4.5, p99 12.8, worst 13" in str(
        books
    )


def test_a_constant_cost_beyond_the_tick_grows_at_its_rate():
    """Ticks of 10 ms take 12.5 ms: the lag grows by 2.5 ms a tick; beyond max_lag deadlines shift."""
    run = paced([0.0125], n=100)
    assert run.deficit.behind.tolist() == [(k + 1) * 2_500_000 for k in range(100)]
    assert run.overrun_count == 100
    assert run.deficit.slips == [(k, 52_500_000) for k in range(20, 100, 21)]


def test_every_block_has_its_time_and_the_worst_tick_its_cause():
    """On a clock advanced by the blocks: the steering takes 3 ms in tick 2, else 1 ms."""
    clock = rig.FakeClock()

    class Slow(rig.Block):
        category, name = "steering", "slow"

        def advance(self, time, h):
            clock.wait_until(clock.now() + (3 * MS if time == 0.02 else 1 * MS))

    def outside(time):
        clock.wait_until(clock.now() + 5 * MS)

    r = rig.Rig(0.01, chassis="kinematic", steering_controller="proportional", steering=Slow())
    books = r.run(0.04, clock=clock, outside=outside).deficit
    spent = {name: took.tolist() for name, took in books.blocks.items()}
    assert spent == {
        "steering_controller 'proportional'": [0] * 4,
        "steering 'slow'": [1 * MS, 1 * MS, 3 * MS, 1 * MS],
        "chassis 'kinematic'": [0] * 4,
    }
    assert books.cost.tolist() == [6 * MS, 6 * MS, 8 * MS, 6 * MS]
    assert books.cause == "steering 'slow'"
    assert "(tick 2, of which steering 'slow' 3 ms)" in str(books)


def test_slip_moves_the_schedule_by_every_lateness():
    books = paced([0.004, 0.013, 0.005, 0.001], policy="slip").deficit
    assert books.slips == [(1, 3 * MS)]
    assert books.wake.tolist() == [0, 0, 0, 0]
    assert books.behind.tolist() == [-6 * MS, 3 * MS, -2 * MS, -6 * MS]


def test_strict_stops_with_a_sentence():
    with pytest.raises(rig.RigError, match=r"tick 1 ended 3 ms late \(it took 13 ms of 10 ms\)"):
        paced([0.004, 0.013], policy="strict")


def test_a_late_wake_up_counts_but_is_no_computing_time():
    books = paced([0.004] * 4, [0.0, 0.007, 0.0]).deficit
    # tick 2 ends at 31 ms, so the next tick begins at once, 1 ms late
    assert books.wake.tolist() == [0, 0, 7 * MS, 1 * MS]
    assert books.cost.tolist() == [4 * MS] * 4
    assert books.overruns.tolist() == [False, False, True, False]


def test_results_do_not_depend_on_lateness():
    r = rig.Rig(0.01, chassis="bicycle", speed=2.0, start={"steer_angle": 0.1})
    one = r.run(1.0)
    r.reset()
    assert r.run(1.0, clock=rig.FakeClock([0.03, 0.001])).digest() == one.digest()


def test_a_stale_input_becomes_its_safe_value_and_comes_back():
    """A curvature command is valid for 150 ms; its safe value is zero curvature."""
    r = rig.Rig(0.01, speed=2.0, **STEERED)

    def outside(time):
        cut = 0.3 <= time < 0.6
        return None if cut else {"curvature_command": 0.05, "engaged": 1.0}

    run = r.run(1.0, outside=outside)
    # last refreshed at 0.29 s: 150 ms old at 0.44 s, and older from 0.45 s on
    assert [(t, what) for t, what, name in run.events if name == "engaged"] == [
        (0.45, "stale"),
        (0.6, "fresh"),
    ]
    k = run["curvature_command"]
    assert k[45] == 0.05
    assert (k[46:61] == 0.0).all()
    assert k[61] == 0.05
    assert run["steer_angle"][50] == 0.0


def test_ages_are_those_of_the_clock_that_keeps_pace():
    """With the same external values, but three times the computing time, the command is stale after 150
    ms of the clock.
    """
    r = rig.Rig(0.01, speed=2.0, **STEERED)
    first = lambda time: {"curvature_command": 0.05} if time == 0.0 else None  # noqa: E731
    run = r.run(0.3, outside=first, clock=rig.FakeClock([0.03]))
    assert run.events == [(0.06, "stale", "curvature_command")]  # the clock is at 0.18 s


test_bad_values_from_outside_are_sentences = refusals(
    ({"curvature": 0.1}, "from outside: unknown signal 'curvature'; did you mean"),
    ({"position": 0.1}, "signal 'position' cannot come from outside: a chassis block writes it"),
    ({"engage": 2.0}, "signal 'engage' = 2.0 must be within 0 to 1"),
    ({"engage": float("nan")}, "must be a finite number"),
    ([0.1], r"at 0 s outside=.* returned \[0.1\]; it must return signals by name"),
    ("engage", "returned 'engage'; it must return signals by name"),
    of=lambda given: rig.Rig(0.01, chassis="kinematic").run(0.1, outside=lambda time: given),
    error=rig.RigError,
)


def test_an_outside_that_raises_ends_the_run_in_a_sentence():
    with pytest.raises(rig.RigError, match="at 0 s outside=.* raised ZeroDivisionError") as caught:
        rig.Rig(0.01, chassis="kinematic").run(0.1, outside=lambda time: 1.0 / time)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


test_bad_clocks_and_policies_are_sentences = refusals(
    (lambda: paced([0.001], policy="catchup"), "unknown policy 'catchup'; did you mean 'catch-up'"),
    (lambda: rig.FakeClock([-0.1]), "must not be negative"),
    (lambda: Pace(rig.FakeClock(), 0.01, max_lag=0.0), "max_lag = 0"),
    error=rig.RigError,
)
