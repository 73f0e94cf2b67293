"""Interface for another multibody code (host): wrenches of the ground from the wheels' poses and twists.

For any integrator of the host, its step from velocities v to v+ under wheel wrenches W (force and
torque about the centre, constant over the step h) is, to first order in W,

    t+ = t_free + G (h W)

with t the wheels' twists, t_free the twists at the end of the step *without* the ground, and G the
host's mobility: the inverse inertia at the wheels, with all active joints, equality constraints and
implicit dampers of the host. The solver needs only G and t_free.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcp.checks import number, shown
from mlcp.checks import numbers as as_floats
from mlcp.compiled.failures import raise_kept
from mlcp.compiled.records import Records
from mlcp.kinds import checked

from .. import checks
from ..ground_contact import GroundContact
from ..kernels.wheel import layout as at
from ..lateral import Crolla, LateralLaw
from ..terrain import Slope, Terrain
from ..wheel import WheelContact
from .copies import Copied, HostError
from .kernels import layout as L
from .kernels.block import HostBlock, Rim
from .remembered import remembered, restore
from .sentences import sentence
from .watch import Watch

#: Tolerance on the ground law, relative to its peak force; one or two linearisations a step reach it.
LAW_TOLERANCE = 1e-7
#: Default lateral law, that of the example vehicles.
SIDE_FORCE = Crolla()


@checked
class WheelsOnGround(Copied):
    """All wheels of a vehicle on their ground, for the solve inside another code.

    Arguments:
        wheels: ``WheelContact`` each, in the host's order of wheels.
        terrain: shape of the ground, z up; a flat plane at z = 0 by default. Its soil map, if any,
            sets the soil of each wheel.
        lateral: lateral law of wheels without one; None: these have no lateral force.
        solver: as in ``contact.GroundContact``.
        settings: tolerances and limits of ``GroundContact``.

    All arrays are allocated here. A host writes into the arrays and calls ``call``, or passes arrays to
    ``solve``. World axes, z up; W wheels.
        position (W, 3) [m]; axis (W, 3) spin axes, unit, pointing left; twist, free_twist (W, 6)
        velocity of the centre [m/s] and angular velocity [rad/s]; mobility (6 W, 6 W): changes of the
        twists per unit impulse.
    Results: wrench (W, 6) force [N] and torque about the centre [N m] on each wheel, mean over the
        step; point (W, 3); frame (W, 3, 3) rows normal, forward, left; and per wheel slip [-],
        load [N], sinkage of the soil [m], sliding and speed [m/s]; residual, passes, missed.
        ``block``: every array by its name in ``hosts.kernels.block``.

    Copies and pickles have memory of their own, with the state of the original.

    Raises:
        ValueError: no wheels, an unknown solver, ``terrain`` not a Terrain, or a wheel with a trail or
            a ``rolling_share``.

    Source: the rows are those of ``GroundContact`` (Peiret et al., eqs 21-30).
    """

    def __init__(
        self,
        wheels: Sequence[WheelContact],
        terrain: Terrain | None = None,
        solver: str = "direct",
        lateral: LateralLaw | None = SIDE_FORCE,
        **settings: Any,
    ) -> None:
        if solver == "direct":
            settings.setdefault("law_tolerance", LAW_TOLERANCE)
        self._settings = {"solver": solver, "lateral": lateral, **settings}
        self.terrain = Slope() if terrain is None else terrain
        soils = self.terrain.soil_map is not None or self.terrain.memory is not None
        grounds = self.terrain if soils else None
        given = [wheel if wheel.lateral else replace(wheel, lateral=lateral) for wheel in wheels]
        self.contact = GroundContact(given, 0, solver, grounds=grounds, **settings)
        for k, wheel in enumerate(self.contact.wheels):
            if wheel.trail is not None or wheel.rolling_share != 0.0:
                raise ValueError(
                    f"WheelsOnGround: wheel {k} has a trail or a rolling_share, which only `bodies` uses"
                )
        self.count = len(self.contact.wheels)
        self._pack()
        self._step_function = None
        self.watch = Watch(self.count)

    def _pack(self) -> None:
        """Pack all arrays into one block of floats and one of integers, and make views of the arrays."""
        W, contact = self.count, self.contact
        record, *size = self.terrain.record()
        tyres = [(wheel.tyre.radius, wheel.tyre.stiffness) for wheel in contact.wheels]
        rims = Records.of(Rim, [Rim(radius=radius, stiffness=k) for radius, k in tyres])
        sizes = {"wheels": W, "channels": at.CHANNELS * W, "rows": len(contact.row_arrays.z)}
        made = HostBlock.made(sizes, tyre=rims, shape=record, contact=contact.data)
        self.floats = made.F
        self.ints = np.concatenate([np.zeros(L.TABLE, np.int64), made.N])
        self.ints[: L.ONLY_PYTHON + 1] = [
            L.MAGIC, W, at.CHANNELS * W, contact.number or 0, self.terrain.number, *size,
            self.floats.size, self.ints.size, -1, int(contact.varies or not contact.compiled),
        ]  # fmt: skip
        #: Every array by name.
        self.block: Any = HostBlock(self.floats, self.ints[L.TABLE :])
        block, C = self.block, at.CHANNELS * W
        contact.data = block.contact
        self.step, self.compiled = block.step, contact.compiled and not contact.varies
        self.position, self.axis = block.position.reshape(W, 3), block.axis.reshape(W, 3)
        self.twist, self.free_twist = block.twist.reshape(W, 6), block.free_twist.reshape(W, 6)
        self.mobility = block.mobility.reshape(6 * W, 6 * W)
        self.wrench, self.point = block.wrench.reshape(W, 6), block.point.reshape(W, 3)
        self.frame = block.frame.reshape(W, 3, 3)
        self.map, self.gap, self.B = block.map.reshape(C, 6), contact.data.gap, block.B.reshape(C, C)
        self.u, self.u_free = block.u, block.u_free
        self.impulses, self.u_end = contact.row_arrays.q, contact.row_arrays.u
        state = block.state
        self.slip, self.load, self.sinkage = state.slip, state.load, state.sinkage
        self.sliding, self.speed = state.sliding, state.speed
        self.addresses = self.floats.ctypes.data, self.ints.ctypes.data
        first, end = (block.N[2 * HostBlock.leaves[name].floats] for name in ("step", "wrench"))
        self._given = self.floats[first:end]  # all inputs of the host, which are contiguous

    def exchange(self) -> dict[str, Any]:
        """Memory shared with a compiled host: the fields of ``kernels.exchange.Exchange`` by name."""
        from .kernels import entry
        from .kernels.exchange import GroundCall

        function, (floats, ints) = entry.address(), self.addresses
        return {
            "call": GroundCall(function=function, floats_at=floats, ints_at=ints),
            "step": self.step,
            "position": self.position,
            "axis": self.axis,
            "map": self.map,
            "mobility": self.B,
            "u": self.u,
            "u_free": self.u_free,
            "impulses": self.impulses,
        }

    # -- copies ----------------------------------------------------------------------------------

    def made_of(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (self.contact.wheels, self.terrain), dict(self._settings)

    def arrays(self) -> tuple[NDArray[Any], ...]:
        return self.floats, self.ints

    # -- results ---------------------------------------------------------------------------------

    @property
    def residual(self) -> float:
        """Natural residual of the last solve."""
        return float(self.contact.data.rows.report.residual)

    @property
    def missed(self) -> bool:
        """Whether the last solve missed its tolerance."""
        return bool(self.contact.data.rows.report.missed)

    @property
    def passes(self) -> int:
        """Number of linearisations of the ground law in the last solve."""
        return int(self.contact.data.rows.report.passes)

    def forces(self) -> dict[str, NDArray[np.float64]]:
        """Forces of the last solve by their names in the ground law (``GroundContact.forces``)."""
        return self.contact.forces(float(self.step[0]))

    # -- calls -----------------------------------------------------------------------------------

    @checked.bare
    def solve(
        self,
        step: float,
        position: ArrayLike,
        axis: ArrayLike,
        twist: ArrayLike,
        free_twist: ArrayLike,
        mobility: ArrayLike,
    ) -> NDArray[np.float64]:
        """Solve one step's contacts from arrays (shapes: see the class); return ``wrench``, a view.

        Raises:
            HostError: wrong shape, numbers that are not finite, a spin axis that is not a unit vector,
                a wheel centre more than the radius below the ground, a mobility of a mass matrix that
                is not positive definite. Inputs, ``wrench`` and state are unchanged.
        """
        given = {
            "position": position,
            "axis": axis,
            "twist": twist,
            "free_twist": free_twist,
            "mobility": mobility,
        }
        arrays = {name: numbers(self, name, value) for name, value in given.items()}
        before = self._given.copy()
        for name, array in arrays.items():
            getattr(self, name)[...] = array
        try:
            return self.call(step)
        except HostError:
            self._given[:] = before
            raise

    @checked.bare
    def call(self, step: float, stages: int = L.ALL) -> NDArray[np.float64]:
        """Solve one step with the input in this object's arrays; ``stages``: sum of the numbers of
        stages in ``hosts.kernels.layout``."""
        self.step[0] = step_of("WheelsOnGround", step)
        if self.compiled or not stages & L.SOLVE:
            self.run(stages)
        else:
            self.run(stages & ~(L.SOLVE | L.REPORT))
            self._from_python(step)
        if stages & L.SOLVE:
            self.count_step()
        return self.wrench

    def count_step(self) -> None:
        """Raise a kept error of compiled code; count a step, and sample it if due (laws' validity)."""
        raise_kept()
        self.watch.left -= 1
        if self.watch.left <= 0:
            self.watch.look(self)

    def _from_python(self, step: float) -> None:
        """Solve stage by stage from Python, for soil maps, ruts, and solvers without a kernel."""
        contact, x, y = self.contact, self.point[:, 0], self.point[:, 1]
        if contact.varies:  # a rut lowers the ground, so the gap is larger
            self.gap += contact.see_ground(x, y) * self.map[:: at.CHANNELS, 2]
        if contact.compiled:
            self.run(L.SOLVE | L.PREPARED)
        else:
            contact.solve_by_passes(step, self.gap, self.B, self.u, self.u_free)
        if contact.varies:
            contact.leave_tracks(step, self.gap, x, y, self.axis[:, :2])
        self.run(L.REPORT)

    @checked.bare
    def run(self, stages: int) -> None:
        """Run stages of the compiled solve; a code other than 0 raises an error with its message."""
        step = self._step_function
        if step is None:
            from .kernels import entry

            step = self._step_function = entry.step.python
        code = step(*self.addresses, stages)
        if code != L.DONE:
            raise HostError(self.sentence(code))

    def sentence(self, code: int) -> str:
        """Message for an error code of the compiled call."""
        self.watch.look_back(self)
        return sentence(self, code)

    def state(self) -> dict[str, NDArray]:
        """Copy of the state between two solves, for ``restore``: warm start, bristles, ruts."""
        return {name: place.copy() for name, place in remembered(self).items()}

    def restore(self, state: Mapping[str, NDArray]) -> None:
        """Restore a state, from which a run continues bit for bit.

        Raises:
            HostError: a state of other wheels or another ground, or damaged; the object is unchanged.
        """
        restore(self, state)

    def start_from(self, load: ArrayLike, step: float) -> None:
        """Set the warm start of the first solve to given loads [N], as at rest.

        Arguments: load: one for all, or (W,) [N]; step: step length h [s].

        Raises:
            HostError: loads that are not finite or not one for each wheel, a step not above 0.
        """
        loads = checks.spread("WheelsOnGround: load", load, (self.count,), HostError)
        rows = self.contact.row_arrays
        first = self.contact.wheel_arrays.each.row + at.ROW_NORMAL
        rows.z[first] = loads * step_of("WheelsOnGround", step)


def numbers(owner: Any, name: str, value: ArrayLike) -> NDArray[np.float64]:
    """Return ``value`` as real numbers with the shape of the array ``name`` of ``owner``.

    Raises:
        HostError: another shape, or not real numbers.
    """
    shape, who = getattr(owner, name).shape, type(owner).__name__
    plain = isinstance(value, np.ndarray) and value.dtype.kind in "fiu"
    array: NDArray[Any] = np.asarray(value) if plain else as_floats(value)
    if array.shape == shape:
        return array
    if array.size == 0:
        raise HostError(f"{who}: {name} = {shown(value)} must be real numbers of shape {shape}")
    raise HostError(f"{who}: {name} has shape {array.shape}, needs {shape}")


def step_of(who: str, step: Any) -> float:
    """Return ``step`` as a float; HostError if it is no number. The compiled call refuses steps <= 0."""
    return step if type(step) is float else number(f"{who}: step", step, finite=False, error=HostError)
