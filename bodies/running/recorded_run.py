"""A whole run, recorded: ``simulate``."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from mlcp.checks import shown

from .. import checks
from ..checks import SimulationError, SimulationWarning
from ..model import Model
from ..progress import Progress
from ..report.wheel_record import check_validity
from ..state import State
from .recorder import Recorder
from .simulation import Simulation
from .trajectory import Trajectory

APART = 0.1  # share of the mechanism's size: joints that were further apart are told of at the end
MOST_STEPS = 1e12
PIECE = 10_000  # steps between two looks at the clock


def simulate(
    model: Model,
    duration: float,
    step: float = 1e-3,
    *,
    record_every: int = 1,
    callback: Callable[[Simulation], None] | None = None,
    state: State | None = None,
    reactions: Sequence[str] = (),
    progress: bool = True,
    **settings: Any,
) -> Trajectory:
    """Run a model and record it: the start, every ``record_every``-th step, and the end.

    Whatever ends the run early (:class:`SimulationError`, an exception of the callback, Ctrl-C's
    KeyboardInterrupt) carries what was recorded until then as its attribute ``trajectory``.

    Arguments:
        model: compiled mechanism.
        duration: [s]; rounded to whole steps.
        step: h [s].
        record_every: steps between records; between records the run stays inside compiled code. The
            last record is the end of the run, also where this does not divide its steps.
        callback: called before every step with the :class:`Simulation`; it may set inputs and
            apply forces.
        state: where to start; the first record is the state's own.
        reactions: joints whose reactions to record, see :meth:`Trajectory.reaction`.
        progress: from two seconds on, tell on a terminal or in a notebook how long it will still take.
        settings: as for :class:`Simulation`; with ``book_work=True`` the trajectory knows the work
            and the power of every element.

    Raises:
        MechanismError: a duration, step or count out of range, naming it; records beyond 4 GB.
        SimulationError: velocities stop being finite, or a joint comes apart by more than the
            mechanism's size (its largest arm from a body's centre of mass to a joint, or its largest
            radius of gyration).

    Warns:
        SimulationWarning: steps missed the tolerance of their contact problem, or joints were apart by
            more than a tenth of that size; once, at the end.
    """
    sim = Simulation(model, step, state=state, **settings)
    steps = steps_of(duration, sim.step)
    every = checks.whole("simulate", "record_every", record_every, 1)
    if not isinstance(reactions, Sequence) or isinstance(reactions, str):
        raise checks.MechanismError(f"simulate: reactions = {shown(reactions)} must be a list of joints")
    if callback is not None and not callable(callback):
        raise checks.MechanismError(f"simulate: callback = {shown(callback)} must be a function")
    recorder = Recorder(sim, -(-steps // every) + 1, tuple(reactions))
    missed, done = sim.missed, 0
    piece = max(PIECE // every, 1) * every
    told = Progress(f"simulate {model.mechanism.name!r}", steps * sim.step) if progress else None
    try:
        while done < steps:
            if callback is None:
                take = min(piece, steps - done)
                recorder.run(take, every)
                done += take
            else:
                callback(sim)
                sim.run(1)
                done += 1
                if done % every == 0 or done == steps:
                    recorder.take()
            if told is not None:
                told.at(done * sim.step)
    except BaseException as error:
        _keep(recorder, error)
        raise
    finally:
        if told is not None:
            told.end()
    run = recorder.trajectory()
    check_validity(run)
    _warn(sim, sim.missed - missed, steps)
    return run


def steps_of(duration: float, step: float) -> int:
    """Whole steps of a run of ``duration`` [s].

    Raises:
        MechanismError: a negative duration, or one shorter than half a step, but for 0.
    """
    seconds = checks.number("simulate", "duration [s]", duration, 0.0, MOST_STEPS * step)
    steps = round(seconds / step)
    if steps == 0 and seconds > 0.0:
        raise checks.MechanismError(
            f"simulate: duration = {seconds:g} s is shorter than half a step of {step:g} s, so that "
            "nothing would run"
        )
    return steps


def _keep(recorder: Recorder, error: BaseException) -> None:
    """Hand what was recorded on with what ended the run."""
    sim = recorder.simulation
    if not isinstance(error, SimulationError) and sim.time > recorder.last_time:
        recorder.take()  # the end of the last step; after a SimulationError it means nothing
    error.trajectory = recorder.trajectory()  # type: ignore[attr-defined]
    error.add_note(
        f"bodies.simulate: what was recorded to t = {recorder.last_time:.6g} s is this exception's "
        "attribute 'trajectory'"
    )


def _warn(sim: Simulation, missed: int, steps: int) -> None:
    """Say once what did not go as it should."""
    who, told = f"mechanism {sim.model.mechanism.name!r}", []
    if missed:
        told.append(
            f"{missed} of {steps} steps missed the tolerance of their contact problem (largest natural "
            f"residual {sim.residual():.2g}); a shorter step or another scheme may help"
        )
    size, error = sim.work.machine.clock.parted, sim.joint_error()[0]
    if error > APART * size:
        told.append(
            f"a joint was {error:.3g} m apart, {error / size:.2g} of the mechanism's size; try a "
            "shorter step"
        )
    for sentence in told:
        warnings.warn(f"{who}: {sentence}.", SimulationWarning, stacklevel=3)
