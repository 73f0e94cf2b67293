"""What need not hold while a search for rest is on its way; each returns what undoes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from contact.kernels import layout as soft

from ..many.fleet import Fleet

EASED = 100.0  # v_0 while a search eases the wheels, over that of a run
CREEP = 1e3  # times as fast as in a run; a scheme that creeps is at rest when it need not hold
HURRIED = 25  # passes of a quick search's rounds at most


def ease_wheels(work: Any, mechanism: Any, channels: Any) -> Callable[[], None]:
    """Wheels on soil resist sliding by a viscous force alone, ``F = -F_n mu'(0) v / v_0``, which lets go
    of what the tyres have locked in; hard wheels have no lateral friction."""
    coefficient = work.machine.channels.coefficient
    kept = [(coefficient, coefficient.copy())]
    for wheel in mechanism.wheels:
        coefficient[channels[wheel.name][0] + 2] = 0.0
    each = work.contact().wheels.each
    if len(each):
        kept += [(numbers, numbers.copy()) for numbers in (each.ints, each.floats)]
        each.holds[:], each.ellipse[:], each.sliding[:], each.relaxes[:] = 0, 0, 0, 0
        each.scheme[each.scheme == soft.LUGRE] = soft.KEPT
        each.v_0[:] = EASED * each.v_0
        each.resists[:] = 0.0

    def restore() -> None:
        for numbers, before in kept:
            numbers[:] = before

    return restore


def hurry(batch: Fleet, patient: bool) -> Callable[[], None]:
    """Let a quick search leave alone what takes many passes: on the way, a round that misses is as good
    as another."""
    if patient or not len(batch.store.work.contact().wheels.each):
        return lambda: None
    settings = batch.store.work.contact().settings
    kept = settings.max_passes

    def take(passes: float) -> None:
        batch.store.work.contact().settings.max_passes = passes
        batch.store.forget_spaces()

    take(min(kept, HURRIED))
    return lambda: take(kept)


def let_creep(work: Any) -> Callable[[], None]:
    """Soften the traction of schemes that creep at rest, ``c = F_n mu'(0) / v_0``: what they let go
    in the end anyway, they let go at once."""
    wheels = work.contact().wheels.each
    if not len(wheels):
        return lambda: None
    v_0 = wheels.v_0
    kept = v_0.copy()
    creeping = (wheels.scheme == soft.KEPT) & (wheels.holds == 0)
    v_0[creeping] *= CREEP

    def restore() -> None:
        v_0[:] = kept

    return restore
