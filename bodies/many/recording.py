"""Motion of a batch's vehicles, recorded at equal intervals, under inputs constant in each interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.compiled.failures import deferred_signals

from .. import checks
from ..checks import checked
from .parameters import WHO
from .rounds import Rounds
from .views import Views


@checked.explained
class Recording(Rounds, Views):
    """Runs that record the motion of some bodies."""

    def record(
        self, rows: int, every: int, inputs: Mapping[str, ArrayLike], bodies: Sequence[str]
    ) -> NDArray[np.float64]:
        """Advance all vehicles in one thread; record their motion at the start of each interval (row).

        Much faster than a loop with :meth:`set_input` and :meth:`Batch.run`, and with the same bytes.

        Arguments:
            rows: number of intervals. every: number of steps in each interval.
            inputs: values of named inputs, (rows,), one for each interval, the same for all vehicles.
            bodies: names of the recorded bodies.

        Returns:
            Motion of each body at the start of each interval, (rows, n, bodies, 13): position of the
            centre of mass [m], quaternion (scalar first), velocity [m/s] and angular velocity [rad/s],
            world axes. A vehicle that stops keeps its last motion, see :attr:`Batch.stopped`.

        Raises:
            UnknownName: no such input or body. MechanismError: a number out of range, or inputs of
                another length. The batch is then unchanged.
        """
        rows, every = (checks.whole(WHO, name, n) for name, n in (("rows", rows), ("every", every)))
        table = {name: np.asarray(column, float) for name, column in inputs.items()}
        for name, column in table.items():
            self.check_known_input(name)
            if column.shape != (rows,):
                raise checks.MechanismError(
                    f"{WHO}: input {name!r} must have {rows} values, one for each row, not shape "
                    f"{column.shape}"
                )
            self.check_range_of_input(name, column)
        each = [
            [self.store.first(path) + width * self.model.body(name) + i for i in range(width)]
            for name in bodies
            for path, width in (("position", 3), ("quaternion", 4), ("velocity", 6))
        ]
        places = np.array([place for part in each for place in part], np.int64)
        first = self.store.first("input")
        found = np.empty((rows, self.n, places.size))
        columns = [first + self.model.input(name) for name in table]
        values, every_one = np.array(list(table.values())).reshape(-1, rows), np.arange(self.n)
        with ThreadPoolExecutor(1) as pool:
            for k in range(rows):
                with self.turn(), deferred_signals():
                    self._halfway = True
                    try:
                        found[k] = self.store.states[:, places]
                        self.store.states[:, columns] = values[:, k]
                        self.do_steps(every, 1, pool, every_one)
                    finally:
                        self._halfway = False
        return found.reshape(rows, self.n, len(bodies), 13)
