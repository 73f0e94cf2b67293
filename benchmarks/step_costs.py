"""Cost of a step of every shipped vehicle, per body and per wheel, relative to the 45-body vehicle.

A vehicle of few bodies on many wheels costs more per body, since wheels have a cost of their own. Its
cost is therefore rated by a body or, where a body costs too much and contacts take a larger fraction of
the step than the 45-body vehicle's, by a wheel in a pass. A pass is one solve of the contact problem; a
step has one or more. A vehicle with fewer passes than the 45-body vehicle is rated as if it had as many,
since a part of the contacts' work is done once a step. With fast shafts, as in the truck, every step
projects joint errors.

Run it with ``python -m benchmarks.step_costs``.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cyclopts import App

from contact import checks
from wheelground.reports.cli import Whole, console, new_table, refuse_bad_input, run
from wheelground.reports.verdict import Check, all_passed

STEP, STEPS = 1e-3, 100  # step length [s], number of steps in a round
STEPS_TO_REST = 3000  # number of steps before the timing
REFERENCE, MOST = "hmmwv", 1.2  # vehicle of reference; limit of a cost over that of the hmmwv

app = App(name="python -m benchmarks.step_costs", help_format="markdown", version_flags=[])


def driven(name: str):
    """Simulation of a moving vehicle: full throttle in fourth gear, or motors at the command 0.8."""
    import bodies
    from bodies import Schedule, vehicle

    car = vehicle.read(name)
    wanted = {
        "throttle": Schedule(((0.0, 0.0), (0.2, 1.0))),
        "clutch": Schedule(((0.0, 0.0), (1.0, 0.0), (2.0, 1.0))),
        "gear": 4,
        "left": 0.8,
        "right": 0.8,
    }
    towing = (car,) if any(type(p) is vehicle.Hitch for p in car.parts) else ()
    pulls = vehicle.read("hmmwv_4x4") if towing else car
    controls = {key: value for key, value in wanted.items() if key in pulls.controls}
    simulation = bodies.Simulation(bodies.compile(pulls.mechanism(controls, towing=towing)), STEP)
    simulation.run(STEPS_TO_REST)
    return simulation


def contacts_of(simulation, steps: int) -> tuple[float, float]:
    """Time of the contact solve per step [s], and its passes per step, over ``steps`` further steps."""

    work = simulation.work

    def spent(first: str, last: str, count: int) -> float:
        start = time.process_time()
        work.stage(first, last, count)
        return time.process_time() - start

    passes, total, call = work.machine.count.iterations, 0.0, float("inf")
    for _ in range(steps):
        call = min(call, spent("solve", "solve", 0))  # time of a call that computes nothing
        spent("detect", "factor", 1)
        total += spent("solve", "solve", 1)
        spent("integrate", "project", 1)
    return total / steps - call, (work.machine.count.iterations - passes) / steps


@dataclass(frozen=True)
class Cost:
    """Cost of a step of a vehicle, and its parts."""

    bodies: int
    wheels: int
    rows: int  # bounded rows of wheels, brakes, clutches and locks
    step: float  # computing time of a step [s]
    contacts: float  # part of this time in the contact solve [s]
    passes: float  # passes of the contact solve in a step

    @property
    def body(self) -> float:
        """Time of a step per body [s]."""
        return self.step / self.bodies

    @property
    def rest(self) -> float:
        """Time without the contact solve, per block (body or bounded row) of the elimination [s]."""
        return (self.step - self.contacts) / (self.bodies + self.rows)

    @property
    def wheel(self) -> float:
        """Time of the contacts per wheel and pass [s]."""
        return self.contacts / (self.wheels * self.passes)

    @property
    def share(self) -> float:
        """Fraction of a step's time in the contact solve."""
        return self.contacts / self.step


def rated(cost: Cost, best: Cost) -> tuple[str, float]:
    """``body`` or ``wheel in a pass``, by which a vehicle is rated, and its cost over ``best``'s."""
    if cost.body <= MOST * best.body or cost.share <= best.share:
        return "body", cost.body / best.body
    return "wheel in a pass", cost.wheel / best.wheel * min(1.0, cost.passes / best.passes)


def measured(simulations: dict[str, Any], rounds: int) -> dict[str, Cost]:
    """Costs of the vehicles, the least of several interleaved rounds."""

    least = dict.fromkeys(simulations, float("inf"))
    parts = dict.fromkeys(simulations, (float("inf"), 1.0))
    for _ in range(rounds):
        for name, simulation in simulations.items():
            start = time.process_time()
            simulation.run(STEPS)
            least[name] = min(least[name], (time.process_time() - start) / STEPS)
            parts[name] = min(parts[name], contacts_of(simulation, STEPS))
    found = {}
    for name, simulation in simulations.items():
        mechanism, count = simulation.model.mechanism, simulation.work.machine.count
        sizes = len(mechanism.bodies), len(mechanism.wheels), count.channels
        found[name] = Cost(*sizes, least[name], *parts[name])
    return found


COLUMNS: dict[str, Callable[[Cost, Cost], str]] = {
    "bodies": lambda c, _: str(c.bodies),
    "wheels": lambda c, _: str(c.wheels),
    "bounded rows": lambda c, _: str(c.rows),
    "step [us]": lambda c, _: f"{1e6 * c.step:.1f}",
    "a body, over hmmwv": lambda c, best: f"{c.body / best.body:.2f}",
    "contacts [us]": lambda c, _: f"{1e6 * c.contacts:.1f}",
    "passes": lambda c, _: f"{c.passes:.2f}",
    "a wheel, a pass [us]": lambda c, _: f"{1e6 * c.wheel:.2f}",
    "rest, a body or row [us]": lambda c, _: f"{1e6 * c.rest:.3f}",
    "rest, over hmmwv": lambda c, best: f"{c.rest / best.rest:.2f}",
    "rated by": lambda c, best: rated(c, best)[0].split()[0],
}


@app.default
def main(*, rounds: Whole = 20) -> int:
    """Cost of a step of every shipped vehicle, the least of several interleaved rounds.

    Parameters
    ----------
    rounds
        Number of timed rounds; the least time counts.
    """
    with refuse_bad_input():
        checks.within("step_costs", "rounds", rounds, 1, 10_000)
    from bodies import vehicle

    screen = console()
    with screen.status("settling"):
        simulations = {name: driven(name) for name in vehicle.shipped()}
    costs = measured(simulations, rounds)
    best = costs[REFERENCE]
    table = new_table("cost of a step", ("vehicle", *COLUMNS), ("vehicle",))
    promises = []
    for name, cost in sorted(costs.items(), key=lambda item: item[1].step):
        table.add_row(name, *(say(cost, best) for say in COLUMNS.values()))
        part, over = rated(cost, best)
        reason = "" if part == "body" else f" (contacts take {cost.share:.0%} of its step)"
        for what, ratio in (
            (f"a {part}{reason} costs", over),
            ("without contacts, a body or bounded row costs", cost.rest / best.rest),
        ):
            text = f"{name}: {what} at most {MOST:g} times one of {REFERENCE}"
            promises.append(Check(text, f"{ratio:.2f} times", ratio <= MOST, True))
    screen.print(table)
    for check in promises:
        screen.print(check.line)
    return 0 if all_passed(promises) else 1


if __name__ == "__main__":
    run(app)
