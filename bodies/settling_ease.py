"""What need not hold while a search for rest is on its way; each returns what undoes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from contact.kernels import lateral
from contact.kernels import layout as soft

from .batch import Batch
from .kernels import layout as L

CREEP = 1e3  # times as fast as in a run; a scheme that creeps is at rest when it need not hold
HURRIED = 25  # passes of a quick search's rounds at most


def free_sideways(work: Any, mechanism: Any, channels: Any) -> Callable[[], None]:
    """Take the lateral friction from all wheels."""
    coefficient, law, kind = work.f(L.CHANNEL_COEFFICIENT), work.f(L.SOIL_LATERAL), work.i(L.SOIL_I)
    sides = work.i(L.SOIL_SIDES_I)
    kept = coefficient.copy(), law.copy(), kind.copy(), sides.copy()
    for wheel in mechanism.wheels:
        coefficient[channels[wheel.name][0] + 2] = 0.0
    if len(kind):
        wheels = work.contact().wheels
        wheels.each.side_by_load[:], wheels.each.ellipse[:], wheels.each.sliding[:] = 0, 0, 0
        wheels.sides[:] = lateral.CROLLA
        numbers = law.reshape(len(wheels.sides), -1)
        numbers[:, lateral.FRICTION], numbers[:, lateral.RATE] = 1e-12, 1.0

    def restore() -> None:
        coefficient[:], law[:], kind[:], sides[:] = kept

    return restore


def hurry(batch: Batch, patient: bool) -> Callable[[], None]:
    """Let a quick search leave alone what takes many passes: on the way, a round that misses is as good
    as another."""
    if patient or not batch._work.i(L.SOIL_I).size:
        return lambda: None
    settings = batch._work.contact().settings
    kept = settings.max_passes

    def take(passes: float) -> None:
        batch._work.contact().settings.max_passes = passes
        batch._forget_spaces()

    take(min(kept, HURRIED))
    return lambda: take(kept)


def let_creep(work: Any) -> Callable[[], None]:
    """Soften the traction of schemes that creep at rest, ``c = F_n mu'(0) / v_0``: what they let go
    in the end anyway, they let go at once."""
    if not work.i(L.SOIL_I).size:
        return lambda: None
    wheels = work.contact().wheels.each
    v_0 = wheels.v_0
    kept = v_0.copy()
    creeping = (wheels.scheme == soft.KEPT) & (wheels.holds == 0)
    v_0[creeping] *= CREEP

    def restore() -> None:
        v_0[:] = kept

    return restore
