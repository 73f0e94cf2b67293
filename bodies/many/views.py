"""Array views of a batch's present state, with one row per vehicle."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from contact.kernels.wheel import layout as at

from ..frames import quaternion_matrix
from ..kernels.records import ClockRecord, WheelFrame
from ..model import lookup
from ..report.wheel_record import WheelRecord, record_of
from .parameter_names import replaced, values_of
from .parameters import Parameters


class Views(Parameters):
    """Read-only arrays whose numbers change with the run, and copied readings of the last step."""

    _contacts: dict[str, Any]  # contact of each wheel by name, with the parameters of all vehicles

    def _view(self, path: str, first: int, size: int | None) -> NDArray[np.float64]:
        """Read-only view of a state array of all vehicles: ``size`` numbers from ``first`` on, (n,
        size); if ``size`` is None one number, (n,)."""
        at = self.store.first(path) + first
        found = self.store.states[:, at] if size is None else self.store.states[:, at : at + size]
        found.flags.writeable = False
        return found

    def position(self, body: str) -> NDArray[np.float64]:
        """Centres of mass of a body (n, 3) [m]: a view of the present state, as are the arrays down to
        :attr:`fallbacks`."""
        return self._view("position", 3 * self.model.body(body), 3)

    def quaternion(self, body: str) -> NDArray[np.float64]:
        """Orientations of a body (n, 4), unit quaternions, scalar first."""
        return self._view("quaternion", 4 * self.model.body(body), 4)

    def velocity(self, body: str) -> NDArray[np.float64]:
        """Velocities of a body's centre of mass (n, 3) [m/s], world axes."""
        return self._view("velocity", 6 * self.model.body(body), 3)

    def angular_velocity(self, body: str) -> NDArray[np.float64]:
        """Angular velocities of a body (n, 3) [rad/s], world axes."""
        return self._view("velocity", 6 * self.model.body(body) + 3, 3)

    def coordinate(self, name: str) -> NDArray[np.float64]:
        """Values of a joint coordinate (n,) [rad or m]; angles include full turns."""
        return self._view("coordinate", self.model.coordinate(name), None)

    @property
    def time(self) -> NDArray[np.float64]:
        """Time of each vehicle [s], (n,)."""
        return self._view("clock", ClockRecord.time.offset, None)

    @property
    def residual(self) -> NDArray[np.float64]:
        """Largest natural residual of the contact solves since the start [-], (n,)."""
        return self._view("clock", ClockRecord.residual_max.offset, None)

    @property
    def missed(self) -> NDArray[np.int64]:
        """Number of steps whose contact solve did not reach its tolerance, (n,)."""
        found = self.store.counts("missed")
        found.flags.writeable = False
        return found

    @property
    def fallbacks(self) -> NDArray[np.int64]:
        """Number of steps in lanes (side by side in one SIMD register) in which a vehicle's contacts
        were solved singly, (n,).

        The results are the same; contacts other than wheels on soil are always solved singly.
        """
        found = self.store.alone[:]
        found.flags.writeable = False
        return found

    def channel_force(self, name: str) -> NDArray[np.float64]:
        """Mean forces in the last step of a bounded coupling, contact or wheel with k channels
        (components), (n, k) [N]; torques [N m] of a bounded coupling of shafts."""
        channels = self.model.channels
        first, size = lookup(channels, f"model {self.model.mechanism.name!r}: channel", name)
        return self.store.rows("channels.impulse")[:, first : first + size] / self._step

    def wheel(self, name: str) -> WheelRecord:
        """Forces, velocities, slip and sinkage of a wheel in the last step, copied arrays (n,).

        The velocities are those at the end of the step, at the contact point of the step's start, as in
        a run's records.
        """
        k, wheel = self.model.wheel(name)
        frame = self.store.rows("wheel_state").reshape(self.n, -1, WheelFrame.FLOATS)[:, k]
        force = self.channel_force(name)
        force = np.pad(force, ((0, 0), (0, at.CHANNELS - force.shape[1])))
        rolling = WheelFrame.rolling.of(frame) / self._step
        contact = self._contact(wheel)
        u = self._channel_velocities(k, contact, frame, force[:, 0])
        return record_of(SimpleNamespace(soil=contact), force, u, rolling, frame, self._step)

    def wheels(self) -> WheelRecord:
        """:meth:`wheel` of all wheels in the order of the mechanism, copied arrays (n, wheels)."""
        each = [self.wheel(wheel.name) for wheel in self.model.mechanism.wheels]
        return WheelRecord(
            **{
                field.name: np.stack([getattr(one, field.name) for one in each], axis=1)
                for field in dataclasses.fields(WheelRecord)
            }
        )

    @property
    def _step(self) -> float:
        return float(self.store.work.machine.clock.step)

    def _contact(self, wheel: Any) -> Any:
        """Contact of a wheel with the parameters that readings need, as arrays (n,) over the vehicles;
        None on hard ground."""
        if wheel.soil is None:
            return None
        kept = self._contacts.get(wheel.name)
        if kept is None or kept[0] is not self.varied:
            each = self._contacts_of(wheel)
            tyre = SimpleNamespace(
                stiffness=np.array([c.tyre.stiffness for c in each]),
                radius=np.array([c.tyre.radius for c in each]),
            )
            own = SimpleNamespace(
                tyre=tyre,
                v_0=np.array([c.v_0 for c in each]),
                rolling_share=np.array([c.rolling_share for c in each]),
            )
            kept = self._contacts[wheel.name] = self.varied, own
        return kept[1]

    def _contacts_of(self, wheel: Any) -> list[Any]:
        """Contact of a wheel in each vehicle."""
        number = self.model.mechanism.wheels.index(wheel)
        if self.store.models[1:]:
            return [model.mechanism.wheels[number].soil for model in self.store.models]
        paths = {
            name: [p.path for p in self.variants.known[name] if (p.kind, p.number) == ("wheels", number)]
            for name in self.varied
        }
        paths = {n: p for n, p in paths.items() if any(path[1:2] != ("soil",) for path in p)}
        if not paths:
            return [wheel.soil] * self.n
        found = []
        for k in range(self.n):
            own = wheel.soil
            for name, value in values_of({n: self.varied[n] for n in paths}, k).items():
                for path in paths[name]:
                    own = replaced(own, path[1:], value) if path[0] == "soil" else own
            found.append(own)
        return found

    def _channel_velocities(
        self, k: int, contact: Any, frame: NDArray[Any], load: NDArray[Any]
    ) -> NDArray[np.float64]:
        """Velocities of wheel k at the end of the step, (n, 4) [m/s]: normal, longitudinal and lateral
        at the contact point, longitudinal at the centre."""
        body = self.model.mechanism.wheel_order[k].body
        made = self.store.work.machine.wheels[k]
        # arrays (3, n), so that each component is contiguous
        v, w = self.velocity(body).T.copy(), self.angular_velocity(body).T.copy()
        normal, point = WheelFrame.normal.of(frame).T.copy(), WheelFrame.point.of(frame).T
        forward, left = WheelFrame.forward.of(frame).T.copy(), WheelFrame.left.of(frame).T.copy()
        # radius of the longitudinal and lateral velocity: on soil the effective rolling radius, on hard
        # ground the loaded radius
        lift = np.minimum(WheelFrame.gap.of(frame), 0.0)
        if contact is not None:
            lift = -contact.rolling_share / contact.tyre.stiffness * np.maximum(load, 0.0)
        square = np.sum(normal * normal, axis=0)
        lift = lift / np.where(square > 0.0, square, 1.0)
        arm = point - lift * normal - WheelFrame.centre.of(frame).T
        turn = quaternion_matrix(self.quaternion(body).T)
        centre = v + _cross(w, np.einsum("ijn,j", turn, np.asarray(made.centre)))
        point = centre + _cross(w, arm)
        along = ((normal, point), (forward, point), (left, point), (forward, centre))
        return np.stack([np.sum(axis * u, axis=0) for axis, u in along], axis=1)


def _cross(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cross products of vectors in columns, (3, n)."""
    return np.array([a[i] * b[j] - a[j] * b[i] for i, j in ((1, 2), (2, 0), (0, 1))])
