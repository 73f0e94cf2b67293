"""What a step of every shipped vehicle costs, by body and by wheel, beside the vehicle of 45 bodies.

Run it with ``python -m benchmarks.step_costs``.
"""

from __future__ import annotations

import time

from cyclopts import App

from benchmarks.cli import Whole, console, refuse_bad_input, run
from benchmarks.verdict import Check, all_hold
from contact import checks

QUICK = ("--rounds", "5")
STEP, STEPS = 1e-3, 100  # [s], steps a round
SETTLE = 3000  # steps before the clock runs
BESIDE, MOST = "hmmwv", 1.2  # whose cost a body is the measure, and how much more is allowed

app = App(name="python -m benchmarks.step_costs", help_format="markdown", version_flags=[])


def driven(name: str):
    """A vehicle in motion: full throttle in a low gear, or its motors at most of their speed."""
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
    simulation.run(SETTLE)
    return simulation


@app.default
def main(*, rounds: Whole = 20) -> int:
    """Cost of a step of every shipped vehicle, the least of several interleaved rounds.

    Parameters
    ----------
    rounds
        How often each is timed; the least counts.
    """
    with refuse_bad_input():
        checks.within("step_costs", "rounds", rounds, 1, 10_000)
    from rich import box
    from rich.table import Table

    from bodies import vehicle

    screen = console()
    with screen.status("settling"):
        simulations = {name: driven(name) for name in vehicle.shipped()}
    least = dict.fromkeys(simulations, float("inf"))
    for _ in range(rounds):
        for name, simulation in simulations.items():
            start = time.process_time()
            simulation.run(STEPS)
            least[name] = min(least[name], (time.process_time() - start) / STEPS)
    counts = {
        name: (len(s.model.mechanism.bodies), len(s.model.mechanism.wheels))
        for name, s in simulations.items()
    }
    table = Table(title="cost of a step", box=box.SIMPLE, padding=(0, 1, 0, 0))
    for heading in ("vehicle", "bodies", "wheels", "step [us]", "a body [us]", "beside 45 bodies"):
        table.add_column(
            heading.replace("[", r"\["), justify="right" if heading != "vehicle" else "left"
        )
    mine, promises = least[BESIDE] / counts[BESIDE][0], []
    for name, cost in sorted(least.items(), key=lambda item: item[1]):
        bodies, wheels = counts[name]
        ratio = cost / bodies / mine
        table.add_row(
            name,
            str(bodies),
            str(wheels),
            f"{1e6 * cost:.1f}",
            f"{1e6 * cost / bodies:.2f}",
            f"{ratio:.2f}",
        )
        told = f"{ratio:.2f} times"
        promises.append(
            Check(
                f"{name}: a body costs at most {MOST:g} times one of {BESIDE}", told, ratio <= MOST, True
            )
        )
    screen.print(table)
    for check in promises:
        screen.print(check.line)
    return 0 if all_hold(promises) else 1


if __name__ == "__main__":
    run(app)
