"""Relaxations during a search for static equilibrium; each returns the function that undoes it.

F_n: load of a wheel; mu(slip): thrust of the wheel over F_n, mu': derivative; v_0: speed below which the
scheme regularises the slip.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from contact.kernels.wheel import layout as soft

from ..many.ensemble import Ensemble

V_0_FACTOR = 100.0  # ratio of v_0 of smoothed wheels to v_0 of a run, for steps of up to 1 s
QUICK_PASSES = 25  # most contact solves (passes) of a time step in the search with ``patient=False``


def smooth_wheels(work: Any, mechanism: Any, channels: Any, factor: float) -> Callable[[], None]:
    """Replace the friction of wheels on soil by a viscous force ``F = -F_n mu'(0) v / (factor v_0)``, v:
    sliding velocity, under which locked-in tyre forces decay; remove their motion resistance, and the
    lateral friction of wheels on hard ground."""
    coefficient = work.machine.channels.coefficient
    kept = [(coefficient, coefficient.copy())]
    for wheel in mechanism.wheels:
        coefficient[channels[wheel.name][0] + 2] = 0.0
    each = work.contact().wheels.each
    if len(each):
        kept += [(numbers, numbers.copy()) for numbers in (each.ints, each.floats)]
        each.static_friction[:], each.ellipse[:], each.sliding[:], each.relaxes[:] = 0, 0, 0, 0
        each.scheme[each.scheme == soft.LUGRE] = soft.KEPT
        each.v_0[:] = factor * each.v_0
        each.resists[:] = 0.0

    def restore() -> None:
        for numbers, before in kept:
            numbers[:] = before

    return restore


def limit_passes(batch: Ensemble, passes: float) -> Callable[[], None]:
    """Limit the passes (iterations of a step on the soil laws) of a search, whose intermediate rounds
    need not converge."""
    if not len(batch.store.work.contact().wheels.each):
        return lambda: None
    settings = batch.store.work.contact().settings
    kept = settings.max_passes

    def take(passes: float) -> None:
        batch.store.work.contact().settings.max_passes = passes
        batch.store.forget_spaces()

    take(min(kept, passes))
    return lambda: take(kept)


def let_creep(work: Any) -> Callable[[], None]:
    """Reduce the viscous coefficient ``c = F_n mu'(0) / v_0`` of schemes whose wheels creep at rest, so
    that locked-in forces decay in one round."""
    wheels = work.contact().wheels.each
    if not len(wheels):
        return lambda: None
    v_0 = wheels.v_0
    kept = v_0.copy()
    creeping = (wheels.scheme == soft.KEPT) & (wheels.static_friction == 0)
    v_0[creeping] *= 1e3  # ratio of v_0 of creeping schemes during a search to v_0 of a run

    def restore() -> None:
        v_0[:] = kept

    return restore
