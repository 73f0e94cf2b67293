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

REPORTED_JOINT_ERROR = 0.1  # joint error over the mechanism's size that is reported at the end
LARGEST_STEP_COUNT = 1e12
PIECE = 10_000  # steps between two reports of progress


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

    An exception that ends the run early (:class:`SimulationError`, one of the callback, Ctrl-C's
    KeyboardInterrupt) has the records until then as its attribute ``trajectory``.

    Arguments:
        model: compiled mechanism.
        duration: [s]; rounded to whole steps.
        step: step length h [s].
        record_every: steps per record; between records the run stays inside compiled code. The last
            record is the end of the run, even if this does not divide its steps.
        callback: function called before every step with the :class:`Simulation`; it may set inputs
            and apply forces.
        state: initial state, which is also the first record.
        reactions: names of joints with recorded reactions, see :meth:`Trajectory.reaction`.
        progress: whether to report the remaining time on a terminal or in a notebook, from two
            seconds on.
        settings: as for :class:`Simulation`; ``record_work=True`` for the work and power of every
            element.

    Raises:
        MechanismError: naming a duration, step or count out of range; records beyond 4 GB.
        SimulationError: velocities not finite, or a joint apart by more than the mechanism's size
            (its largest arm from a body's centre of mass to a joint, or its largest radius of
            gyration).

    Warns:
        SimulationWarning: once, at the end: steps beyond the tolerance of their contact problem, or
            joints apart by more than a tenth of that size.
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
        MechanismError: a negative duration, or one above 0 but shorter than half a step.
    """
    seconds = checks.number("simulate", "duration [s]", duration, 0.0, LARGEST_STEP_COUNT * step)
    steps = round(seconds / step)
    if steps == 0 and seconds > 0.0:
        raise checks.MechanismError(
            f"simulate: duration = {seconds:g} s is shorter than half a step of {step:g} s, so that "
            "nothing would run"
        )
    return steps


def _keep(recorder: Recorder, error: BaseException) -> None:
    """Attach the records to the exception that ended the run."""
    sim = recorder.simulation
    if not isinstance(error, SimulationError) and sim.time > recorder.last_time:
        recorder.take()  # end of the last step; not valid after a SimulationError
    error.trajectory = recorder.trajectory()  # type: ignore[attr-defined]
    error.add_note(
        f"bodies.simulate: what was recorded to t = {recorder.last_time:.6g} s is this exception's "
        "attribute 'trajectory'"
    )


def _warn(sim: Simulation, missed: int, steps: int) -> None:
    """Warn once of missed tolerances and large joint errors."""
    who, sentences = f"mechanism {sim.model.mechanism.name!r}", []
    if missed:
        sentences.append(
            f"{missed} of {steps} steps missed the tolerance of their contact problem (largest natural "
            f"residual {sim.residual():.2g}); a shorter step or another scheme may help"
        )
    size, error = sim.work.machine.clock.parted, sim.joint_error()[0]
    if error > REPORTED_JOINT_ERROR * size:
        sentences.append(
            f"a joint was {error:.3g} m apart, {error / size:.2g} of the mechanism's size; try a "
            "shorter step"
        )
    for sentence in sentences:
        warnings.warn(f"{who}: {sentence}.", SimulationWarning, stacklevel=3)
