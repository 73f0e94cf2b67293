"""A recorded run of a model: ``simulate``."""

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

PIECE = 10_000  # steps between two updates of the progress line


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

    An exception that ends the run early (:class:`SimulationError`, an exception of the callback,
    KeyboardInterrupt by Ctrl-C) has an attribute ``trajectory`` with the records so far.

    Arguments:
        model: compiled mechanism.
        duration: duration of the run [s], rounded to whole steps.
        step: step length h [s].
        record_every: number of steps per record; without a callback the run stays inside compiled code
            between records. The last record is the end of the run in any case.
        callback: function called with the :class:`Simulation` before every step; it may set inputs
            and apply forces.
        state: initial state, which is also the first record; default: the initial state of the model.
        reactions: names of joints whose reactions are recorded, see :meth:`Trajectory.reaction`.
        progress: whether to show the remaining time on a terminal or in a notebook, in runs of more than
            two seconds of computing.
        settings: further arguments of :class:`Simulation`, for example ``record_work=True`` for the work
            and power of every element.

    Raises:
        MechanismError: a duration, step or count out of range; records of more than 4 GB.
        SimulationError: velocities that are not finite, a piston outside its stroke, or a joint error
            above the mechanism's size (its largest distance from a body's centre of mass to a joint, or
            its largest radius of gyration).
        UnknownName: an unknown joint or solver.

    Warns, at the end:
        SimulationWarning: steps whose contact solve did not reach its tolerance, or a joint error above
            a tenth of the mechanism's size.
        contact.OutsideValidity: a wheel outside the range of validity of its law.
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
    bar = Progress(f"simulate {model.mechanism.name!r}", steps * sim.step) if progress else None
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
            if bar is not None:
                bar.at(done * sim.step)
    except BaseException as error:
        _keep(recorder, error)
        raise
    finally:
        if bar is not None:
            bar.end()
    run = recorder.trajectory()
    check_validity(run)
    _warn(sim, sim.missed - missed, steps)
    return run


def steps_of(duration: float, step: float) -> int:
    """Number of steps in a run of ``duration`` [s].

    Raises:
        MechanismError: a negative duration, or a duration above 0 but shorter than half a step.
    """
    seconds = checks.number("simulate", "duration [s]", duration, 0.0, 1e12 * step)  # at most 1e12 steps
    steps = round(seconds / step)
    if steps == 0 and seconds > 0.0:
        raise checks.MechanismError(
            f"simulate: duration = {seconds:g} s is shorter than half a step of {step:g} s, so that "
            "nothing would run"
        )
    return steps


def _keep(recorder: Recorder, error: BaseException) -> None:
    """Attach the records so far to the exception that ended the run, as attribute ``trajectory``."""
    sim = recorder.simulation
    if not isinstance(error, SimulationError) and sim.time > recorder.last_time:
        recorder.take()  # state at the end of the last step; after a SimulationError it is not valid
    error.trajectory = recorder.trajectory()  # type: ignore[attr-defined]
    error.add_note(
        f"bodies.simulate: what was recorded to t = {recorder.last_time:.6g} s is this exception's "
        "attribute 'trajectory'"
    )


def _warn(sim: Simulation, missed: int, steps: int) -> None:
    """Warn once if contact solves missed their tolerance or joint errors were large."""
    who, sentences = f"mechanism {sim.model.mechanism.name!r}", []
    if missed:
        sentences.append(
            f"{missed} of {steps} steps missed the tolerance of their contact problem (largest natural "
            f"residual {sim.residual():.2g}); a shorter step or another scheme may help"
        )
    size, error = sim.work.machine.clock.parted, sim.joint_error()[0]
    if error > 0.1 * size:
        sentences.append(
            f"a joint was {error:.3g} m apart, {error / size:.2g} of the mechanism's size; try a "
            "shorter step"
        )
    for sentence in sentences:
        warnings.warn(f"{who}: {sentence}.", SimulationWarning, stacklevel=3)
