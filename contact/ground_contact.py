"""Contact solver for any multibody code: set up once for its wheels, then called once a step.

The host passes its inverse inertia and velocities in terms of the wheels' channels, and gets the
channel impulses. A channel is a velocity; every wheel has four, in this order:

    0 normal   contact point along the ground normal, separating positive        [m/s]
    1 sliding  contact point along the heading, v_t = v_x - omega r              [m/s]
    2 lateral  contact point to the left                                         [m/s]
    3 centre   wheel centre along the heading, v_x                               [m/s]

and the host's own bounded rows (a brake, a clutch) follow, one channel each. The host has the mass
matrix M, the velocities v, and v_free at the end of the step without contact; J_c is the Jacobian of
the channels. It passes ``B = J_c M^-1 J_c'``, ``u = J_c v`` and ``u_free = J_c v_free``, gets the
channel impulses q, and computes its end velocities ``v+ = v_free + M^-1 J_c' q``.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp import MLCP, SOLVERS
from mlcp.checks import number, shown
from mlcp.kinds import above, at_least, checked, within
from mlcp.solvers.base import KernelSettings, Solver

from . import checks
from .ground_arrays import contact_memory
from .grounds import varies
from .kernels.solve import entry
from .kernels.wheel import layout as at
from .kernels.wheel.data import Settings
from .passes import BackEnd, problem_of, solve_by_passes
from .soil import BekkerSoil, ConeIndexSoil
from .terrain import Terrain
from .wheel import WheelContact

Floats = NDArray[np.float64]

MOST_ROWS = 10_000  # largest number of extra rows of the host, since B is a dense matrix


@checked
class GroundContact:
    """Contact problem of all wheels in their channels (contact velocities), with memory allocated once.

    Arguments:
        wheels: the wheels, ``WheelContact`` each.
        extra_rows: number of the host's own bounded rows, one channel each, after the wheels'.
        solver: a name in ``mlcp.SOLVERS`` or a configured solver such as ``Direct(max_pivots=50)``;
            direct, pgs and newton are compiled into the step; others are called from Python.
        law_tolerance: tolerance on the ground law, relative to its peak force [-].
        solver_tolerance: largest natural residual of a linearised problem.
        max_passes: largest number of passes (linearisations of the law, each with a solve); a step that
            needs more counts as missed.
        max_iterations: largest number of sweeps or pivots in a pass, for a solver given by name.
        relaxation: relaxation factor of projected Gauss-Seidel given by name, at most 1.99; 0: adapted
            to the observed rate of convergence.
        grounds: the terrain under each wheel (or one for all), for varying soil or ruts: call
            ``see_ground`` before and ``leave_tracks`` after each solve with the wheels' positions.
            Gap and normal are computed by the host.
        max_newton_steps: largest number of steps of Newton's method in a solve, which begins where five
            passes do not agree with the law. A smaller number shortens the longest solves; a solve that
            needs more counts as missed.

    ``data`` is the kernels' memory, with parts ``wheel_arrays``, ``row_arrays`` and ``ground_arrays``.
    Its impulses of the last step are the warm start of the next, so they belong to the state of a run.

    Raises:
        ValueError: no wheels, an unknown solver, grounds for another number of wheels, a number out of
            its range.

    Source: the rows are those of Peiret et al., eqs 21-30.
    """

    def __init__(
        self,
        wheels: Sequence[WheelContact],
        extra_rows: Annotated[int, within(0, MOST_ROWS)] = 0,
        solver: str | Solver = "direct",
        law_tolerance: Annotated[float, above(0.0)] | None = None,
        solver_tolerance: Annotated[float, above(0.0)] | None = None,
        max_passes: Annotated[int, at_least(1)] = 200,
        max_iterations: Annotated[int, at_least(1)] = 20_000,
        relaxation: Annotated[float, within(0.0, 1.99)] = 0.0,
        grounds: Terrain | Sequence[Terrain | None] | None = None,
        max_newton_steps: Annotated[int, at_least(0)] = 2500,
    ) -> None:
        if not wheels:
            raise ValueError("GroundContact: wheels is empty, give at least one WheelContact")
        chosen: Solver = SOLVERS.find(solver)
        self.solver: str = chosen.name
        self.number: int | None = SOLVERS.number(solver)
        # with an exact solver the forces can agree with the law to round-off, else to its tolerance
        exact = self.solver == "direct"
        if law_tolerance is None:
            law_tolerance = 1e-10 if exact else 1e-9
        if solver_tolerance is None:
            solver_tolerance = 1e-12 if exact else 1e-11
        settings = Settings(
            law_tolerance=law_tolerance,
            solver_tolerance=solver_tolerance,
            max_passes=max_passes,
            max_newton_steps=max_newton_steps,
        )
        own = KernelSettings(max_iterations, relaxation)
        if self.number is not None and not isinstance(solver, str):
            own = SOLVERS.settings(solver)
        for name, value in own._asdict().items():
            setattr(settings.solver, name, value)
        self.wheels: tuple[WheelContact, ...] = tuple(wheels)
        if grounds is None or isinstance(grounds, Terrain):
            grounds = [grounds] * len(self.wheels)
        if len(grounds) != len(self.wheels):
            raise ValueError(
                f"GroundContact: grounds has {len(grounds)} entries for {len(self.wheels)} wheels"
            )
        self.grounds: tuple[Terrain | None, ...] = tuple(grounds)
        self.varies: bool = varies(self.grounds)
        made = contact_memory(self.wheels, self.grounds, extra_rows, settings)
        self.data: Any = made[0]
        self._wheel_rows: int = made[1]
        self._own: list[tuple[int, Any]] = [
            (i, wheel.scheme)
            for i, wheel in enumerate(self.wheels)
            if wheel.scheme.line is not None and wheel.lugre is None
        ]
        #: Function that solves one dense problem: ``(A, b, lower, upper, start) -> z``.
        self.back_end: Callable[[Floats, Floats, Floats, Floats, Floats], Floats] = BackEnd(chosen)

    def __copy__(self) -> GroundContact:
        return copy.deepcopy(self)  # compiled code uses the addresses of its arrays

    @property
    def wheel_arrays(self) -> Any:
        """Records of the wheels in the kernels' memory."""
        return self.data.wheels

    @property
    def row_arrays(self) -> Any:
        """Arrays of the contact problem's rows in the kernels' memory."""
        return self.data.rows

    @property
    def ground_arrays(self) -> Any:
        """Soil maps and ruts in the kernels' memory."""
        return self.data.grounds

    @property
    def _where(self) -> tuple[Any, Any, int]:
        """The memory as kernels take it: its floats, its integers, and the index in the integers at
        which the table of offsets begins."""
        return self.data.F, self.data.N, self.data.base

    def set_soil(self, wheel: int, soil: ConeIndexSoil | BekkerSoil) -> None:
        """Change the soil under wheel number ``wheel`` from the next solve on, e.g. at a map's border.

        The change affects the ground law and the lateral law, but the stiffness of the normal row only
        with ``slip_sinkage``. The new soil must be of the same class as in the wheel's description.

        Raises:
            ValueError: no such wheel, another class of soil, or a wheel with a terrain.
        """
        wheel = checks.whole("GroundContact.set_soil", "wheel", wheel, 0, len(self.wheels) - 1)
        if not isinstance(soil, type(self.wheels[wheel].soil)):
            raise ValueError(
                f"GroundContact.set_soil: soil = {shown(soil)} must be a "
                f"{type(self.wheels[wheel].soil).__name__}, as the wheel was described with"
            )
        if self.grounds[wheel] is not None:
            raise ValueError(
                f"GroundContact.set_soil: wheel {wheel} stands on a terrain; give the terrain a "
                "soil map instead"
            )
        self.wheels = tuple(
            replace(w, soil=soil) if i == wheel else w for i, w in enumerate(self.wheels)
        )
        there = self.wheels[wheel]
        row = self.wheel_arrays.variant[wheel, 0]
        p = np.asarray(there.ground_law.parameters(there.tyre, there.ground))
        self.wheel_arrays.law[row, : p.size] = p
        if there.lateral is not None:
            p = there.lateral.parameters(there.tyre, there.lateral_ground)
            self.wheel_arrays.lateral[row, : p.size] = p

    def see_ground(self, x: ArrayLike, y: ArrayLike = 0.0) -> NDArray[np.float64]:
        """Look up the soils and ruts at the wheels' contact points; call it before ``solve``.

        Arguments: coordinates of the contact points, shape (wheels,) [m].
        Returns: depth of the rut under each wheel, shape (wheels,) [m]: the ground is lower than the
        terrain by this depth, so add it times the normal's z to the gap.
        """
        shape, who = (len(self.wheels),), "GroundContact.see_ground"
        x, y = checks.spread(f"{who}: x", x, shape), checks.spread(f"{who}: y", y, shape)
        entry.see_grounds(x, y, *self._where)
        return self.ground_arrays.rut.copy()

    def leave_tracks(
        self,
        step: float,
        gap: ArrayLike,
        x: ArrayLike,
        y: ArrayLike = 0.0,
        left: ArrayLike = (0, 1),
    ) -> None:
        """Write the wheels' ruts to the ground's memory; call it after ``solve``.

        Arguments:
            step: step length h [s]. gap: as in ``solve``, (wheels,) [m]. x, y: as in ``see_ground`` [m].
            left: x, y of the wheels' unit axle vectors to the left, shape (2,) or (wheels, 2).
        """
        shape, who = (len(self.wheels),), "GroundContact.leave_tracks"
        step = checks.positive(who, "step", step, unit="s")
        x, y = checks.spread(f"{who}: x", x, shape), checks.spread(f"{who}: y", y, shape)
        gap = checks.array("GroundContact", "gap", gap, shape)
        axle = checks.spread(f"{who}: left", left, (*shape, 2))
        entry.leave_tracks(step, gap, x, y, axle, *self._where)

    @property
    def memory(self) -> NDArray[np.float64]:
        """Memory of the ruts, a flat array; a copy of the array, written back, restores the ruts."""
        return self.ground_arrays.memory

    @property
    def compiled(self) -> bool:
        """Whether a step is one compiled call; otherwise Python calls each linearisation and solve."""
        return self.number is not None and not self._own

    @property
    def channels(self) -> int:
        """Number of channels: four for each wheel, one for each extra row."""
        return self.row_arrays.q.shape[0]

    @property
    def impulses(self) -> NDArray[np.float64]:
        """Channel impulses q of the last solve, shape (channels,) [N s]."""
        return self.row_arrays.q

    def forces(self, step: float) -> dict[str, NDArray[np.float64]]:
        """Forces of the ground on every wheel in the last solve, as in Peiret et al., eqs 9-12.

        Arguments: step: h of that solve [s].
        Returns: arrays (wheels,): load F_n along the normal, traction F_t forward at the contact,
            lateral to the left, resistance F_c backward at the centre [N], rolling_moment T_rr against
            forward rolling [N m].

        The channels' impulses include the rolling moment:
        ``q[sliding] / h = F_t + T_rr / r`` and ``-q[centre] / h = F_c + T_rr / r``.
        """
        checks.positive("GroundContact.forces", "step", step, unit="s")
        count = len(self.wheels)
        rolling = self.wheel_arrays.now.rolling / step
        q = self.row_arrays.q[: at.CHANNELS * count].reshape(count, at.CHANNELS) / step
        radius = np.array([wheel.tyre.radius for wheel in self.wheels])
        return {
            "load": q[:, at.NORMAL],
            "traction": q[:, at.SLIDING] + rolling,
            "lateral": q[:, at.LATERAL],
            "resistance": rolling - q[:, at.CENTRE],
            "rolling_moment": -rolling * radius,
        }

    @property
    def velocities(self) -> NDArray[np.float64]:
        """End-of-step channel velocities u+ of the last solve, shape (channels,) [m/s]."""
        return self.row_arrays.u

    @property
    def report(self) -> dict[str, float]:
        """Report of the last solve: natural residual, passes, missed (1: no convergence), and largest
        mismatch of a force with its law."""
        report = self.row_arrays.report
        return {name: getattr(report, name) for name in report.fields}

    def set_extra_row(
        self, index: int, lower: float, upper: float, e: float = 0.0, bias: float = 0.0
    ) -> None:
        """Set a row of the host: impulse bounds [N s], compliance e [1/kg], bias [m/s].

        Raises:
            ValueError: no such row, crossed or NaN bounds, a compliance below 0.
        """
        who = "GroundContact.set_extra_row"
        extra = self.row_arrays.z.size - self._wheel_rows
        if extra == 0:
            raise ValueError(
                f"{who}: there are no extra rows; GroundContact(..., extra_rows=n) makes them"
            )
        index = checks.whole(who, "index", index, 0, extra - 1)
        lower = number(f"{who}.lower", lower, finite=False, unit="N s")
        upper = number(f"{who}.upper", upper, lower, finite=False, unit="N s")
        e, bias = checks.within(who, "e", e, 0.0, unit="1/kg"), checks.finite(who, "bias", bias)
        row, rows = self._wheel_rows + index, self.row_arrays
        rows.e[row], rows.bias[row], rows.lower[row], rows.upper[row] = e, bias, lower, upper

    @checked.bare
    def solve(
        self, step: float, gap: ArrayLike, B: ArrayLike, u: ArrayLike, u_free: ArrayLike
    ) -> NDArray[np.float64]:
        """Solve one step's contacts.

        Arguments:
            step: step length h [s].
            gap: distance of each undeformed tyre's lowest point from the ground, negative when
                compressed, shape (wheels,) [m].
            B: Delassus matrix of the channels, shape (channels, channels) [1/kg].
            u: channel velocities at the start of the step, shape (channels,) [m/s].
            u_free: channel velocities at the end of the step without the channels' impulses, shape
                (channels,) [m/s].

        Returns:
            q, the channel impulses, shape (channels,) [N s]; a view, valid until the next call.

        Raises:
            ValueError: wrong shape, numbers that are not finite, a step that is not positive; the
                object is unchanged.
        """
        count, channels = len(self.wheels), self.channels
        gap = checks.array("GroundContact", "gap", gap, (count,))
        B = checks.array("GroundContact", "B", B, (channels, channels))
        u = checks.array("GroundContact", "u", u, (channels,))
        u_free = checks.array("GroundContact", "u_free", u_free, (channels,))
        h = checks.positive("GroundContact.solve", "step", step, unit="s")
        if self.compiled:
            self.data.gap[:], self.data.start[:] = gap, u
            entry.solve_reduced(h, self.number, B, u_free, *self._where)
        else:
            self.solve_by_passes(h, gap, B, u, u_free)
        return self.impulses

    def problem(self, B: ArrayLike, u_free: ArrayLike) -> MLCP:
        """Dense problem of the last pass: ``A = J B J' + diag(e)``, ``b = J u_free + bias``.

        J has 1 for the channel of a row and -1 for a subtracted channel; e: compliance. For inspection
        and other solvers; ``solve`` itself works on the channels.

        Arguments:
            B: Delassus matrix of the channels, (channels, channels) [1/kg].
            u_free: channel velocities without ground forces, (channels,) [m/s].

        Raises:
            ValueError: wrong shape, or numbers that are not finite.
        """
        channels = self.channels
        B = checks.array("GroundContact", "B", B, (channels, channels))
        return problem_of(
            self.row_arrays, B, checks.array("GroundContact", "u_free", u_free, (channels,))
        )

    def solve_by_passes(
        self,
        h: float,
        gap: Floats,
        B: Floats,
        u: Floats,
        u_free: Floats,
        back_end: Callable[[Any], tuple[float, bool]] | None = None,
    ) -> None:
        """Solve one step by passes (linearisation of the laws, then a solve) that Python calls.

        ``solve`` uses this method for solvers without a kernel and for users' linearisations (schemes).
        ``back_end(rows)`` solves the linearised rows in place, and returns (residual, whether it
        converged). A host passes a ``back_end`` for rows with other conditions than constant bounds,
        such as friction.
        """

        def dense(rows: Any) -> None:
            rows.z[:] = self.back_end(rows.A, rows.b, rows.lower, rows.upper, rows.z)

        solve_by_passes(self.data, self._own, back_end or dense, h, gap, B, u, u_free)
