"""Many vehicles of one structure, simulated together: ``Batch``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mlcp.compiled.failures import deferred_signals
from mlcp.cores import cores

from . import checks
from .many.ensemble import Ensemble
from .many.parameters import WHO
from .rest.equilibrium import checked_settings, rest_of


class Batch(Ensemble):
    """Vehicles of one structure, simulated together but independent of each other.

    The result of a vehicle is bit for bit independent of other vehicles and of the number of threads. If
    a vehicle fails, it stops and the others continue. A lock lets only one thread of the program call
    the batch at a time. Copies and pickles have memory of their own; runs continued from them give the
    same bytes, also in another process.

    Arguments:
        model: compiled mechanism, or a list of compiled mechanisms of the same structure, one for each
            vehicle.
        n: number of vehicles; not needed with a list of models.
        step: step length h [s].
        lanes: whether several vehicles are computed side by side in one SIMD register; default: true for
            at least eight vehicles, if the model has no hydraulic circuit and no terrain of more than
            some 200,000 points.
        settings: further arguments of :class:`bodies.Simulation`: solver, tolerance, contact, state, ...

    Raises:
        MechanismError: a number out of range; models of different structure; a solver without a compiled
            kernel. UnknownName: an unknown solver.
    """

    stopped: dict[int, str]  # reason why a vehicle has stopped, by its number

    def equilibrium(
        self,
        *,
        inputs: Mapping[str, Any] | None = None,
        tolerance: float = 1e-7,
        scrub: bool = False,
        rounds: int = 3000,
        patient: bool = True,
        threads: int | None = None,
        time_limit: float = 60.0,
    ) -> None:
        """Set every vehicle that has not stopped to its static equilibrium, see
        :func:`bodies.equilibrium`. The search starts from the model's initial state.

        Arguments:
            inputs: values of named inputs, (n,) or a number for all vehicles, which the inputs keep
                afterwards; other inputs are unchanged.
            tolerance, scrub, rounds, patient: see :func:`bodies.equilibrium`.
            threads: largest number of threads; default: one for every core this process may use.
            time_limit: limit of the computing time [s], times the number of vehicles.

        Raises:
            UnknownName, MechanismError: the errors of :meth:`set_input` and :func:`bodies.equilibrium`;
                the batch is then unchanged.

        Warns:
            SimulationWarning: vehicles without an equilibrium (they stop, see :attr:`stopped`), or with
                one more than a tyre's width from the initial position.
        """
        threads = checks.whole(WHO, "threads", cores() if threads is None else threads, 1, 4096)
        how = checked_settings(tolerance, scrub, rounds, patient, time_limit)
        with self.changing():
            kept = self.store.states.copy()
            try:
                for name, values in ({} if inputs is None else inputs).items():
                    self.set_input(name, values)
                found = rest_of(self, how, threads, time_limit)
            except BaseException:
                self.store.states[:] = kept
                raise
            new: dict[int, str] = {}
            with deferred_signals():
                for search, vehicles, why in found:
                    new |= why
                    self.adopt(search, [i for i, k in enumerate(vehicles) if k not in why], vehicles)
                self.stopped |= new
        self._warn_stopped(new)
