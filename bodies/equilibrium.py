"""Static equilibrium: a mechanism at rest on its springs, joints and ground."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from contact import WheelContact
from contact.grounds import soils_of
from contact.kernels import lateral
from contact.kernels import layout as soft
from contact.terrain import Terrain
from mlcp.checks import shown

from . import checks
from .checks import SimulationError
from .hydraulics.lowering import at_rest, lock_pistons
from .kernels import layout as L
from .model import Model
from .simulation import Simulation
from .state import State

FIRST = 5e-3  # [s] step of the first rounds
LONGEST = 1.0  # [s] step of the late ones: a round leaves 1/(1 + (h w)^2) of an error, and joints
# give way by h^2 times their numerical compliance
JUDGED = 1e-3  # [s] step at which the acceleration is judged
CREEP = 1e3  # times as fast as in a run; a scheme that creeps is at rest when it need not hold
MOST_GIVE = 0.01  # [m/s^2] and no pose is at rest that gives way by more
CLOSED = 1e-6  # share of the mechanism's size by which joints may be apart at rest
LEVER = 100.0  # arms, gears and wheels that stick to the ground make more of what a joint gives way


def equilibrium(
    model: Model,
    *,
    inputs: Mapping[str, float] | None = None,
    tolerance: float = 1e-7,
    scrub: bool = False,
    rounds: int = 3000,
    state: State | None = None,
) -> State:
    """The state in which nothing accelerates, all velocities zero, time zero.

    Steps with the velocities set to zero before each: an implicit step from rest is a Newton step
    on the springs, damped by M/h^2; h grows from 5 ms to 1 s as it settles, and ends at 1 ms.
    Contacts, friction and brakes take part with their bounds. Pistons stand where they are described,
    and their oil gets the pressures that hold them. Directions without any stiffness (a
    car that may roll) stay where they are, as long as nothing pushes.

    Arguments:
        model: compiled mechanism.
        inputs: named inputs to hold, e.g. the brake; kept in the returned state.
        scrub: keep the wheels' lateral friction while the springs settle. Without it (default)
            the tyres end free of side force, as after rolling a little; a car across a slope
            needs it.
        tolerance: on the largest acceleration [m/s^2] of a last 1 ms step, angular ones times the
            body's radius of gyration; never less than what the joints' numerical compliance gives
            way under their load, which may be 0.01 m/s^2 at most.
        rounds: at most, a whole number.
        state: where to start; default: the described pose.

    Raises:
        SimulationError: it does not settle, and names the body that moves most; joints are apart by more
            than 1e-6 of the mechanism's size; a wheel carries more than its tyre or its ground can
            (deflected beyond the section height, sunk beyond 0.8 of its radius, centre below ground).
        MechanismError: an input, tolerance or number of rounds out of range.
    """
    tolerance = checks.number("equilibrium", "tolerance [m/s^2]", tolerance, 0.0, open_low=True)
    rounds = checks.whole("equilibrium", "rounds", rounds, 1)
    scrub = checks.flag("equilibrium", "scrub", scrub)
    inputs = {} if inputs is None else inputs
    if not isinstance(inputs, Mapping):
        raise checks.MechanismError(
            f"equilibrium: inputs = {shown(inputs)} must be a dict of names and values"
        )
    sim = Simulation(model, FIRST, state=state, tolerance=0.0, projections=3)
    for name, value in inputs.items():
        sim.set_input(name, value)
    work = sim.work
    lock_pistons(work)
    parted = float(work.f(L.SCALAR)[L.PARTED])
    work.f(L.SCALAR)[L.PARTED] = np.inf  # on its way it may be anywhere
    ruts = work.f(L.MEMORY).copy()
    restore = (lambda: None) if scrub else _free_sideways(sim)
    slow_down = _let_creep(sim)
    step, before, last = FIRST, FIRST, np.inf
    acceleration = np.zeros(1)
    for _ in range(rounds):
        acceleration = _round(sim, step)
        worst = float(np.max(np.abs(acceleration)))
        # a long step answers a push by 1/(1 + (h w)^2): ask for less than the tolerance
        if worst < 1e-3 * tolerance or (worst < tolerance and step < 1.1e-3):
            break
        # A shorter step answers by more, in stiff directions by 1/h^2: no reason to shorten it again.
        better = worst < last * max(1.0, (before / step) ** 2)
        before, last = step, worst
        step = min(1.3 * step, LONGEST) if better else max(step / 1.3, 1e-3)
    # Joint rows give by the compliance floor of the factorisation times their impulse F h: what a
    # long step leaves wrong by it, shorter ones take away.
    for _ in range(rounds):
        step = max(0.98 * step, FIRST)
        acceleration = _round(sim, step)
        if step == FIRST and np.max(np.abs(acceleration)) < 0.3 * tolerance:
            break
    restore()
    slow_down()
    for _ in range(3):  # impulses and active sets that fit an ordinary step
        acceleration = _round(sim, JUDGED)
    tolerance = max(tolerance, min(_give(sim), MOST_GIVE))
    if not np.max(np.abs(acceleration)) <= tolerance:
        k = int(np.argmax(np.abs(acceleration))) // 6
        name = list(model.body_index)[k]
        raise SimulationError(
            f"equilibrium of {model.mechanism.name!r}: it does not settle, body {name!r} still "
            f"accelerates by {np.max(np.abs(acceleration)):.3g} (allowed {tolerance:g}); "
            "something may push it without end: hold it with a brake or a smaller input."
        )
    work.f(L.SCALAR)[L.PARTED] = parted
    _check_joints(sim)
    check_standing(sim)
    work.f(L.VELOCITY)[:] = 0.0
    work.f(L.SOIL_U)[:] = 0.0
    at_rest(work)
    work.f(L.MEMORY)[:] = ruts  # settling leaves no tracks
    scalars, count = work.f(L.SCALAR), work.i(L.COUNT_I)
    for k in (L.TIME, L.RESIDUAL_MAX, L.ERROR_M_MAX, L.ERROR_RAD_MAX):
        scalars[k] = 0.0
    for k in (L.STEPS, L.MISSED, L.ITERATIONS):
        count[k] = 0
    return sim.state()


def _check_joints(sim: Simulation) -> None:
    """Refuse a rest in which joints are apart."""
    joint, error = sim.work.worst_joint()
    size = sim.work.f(L.SCALAR)[L.PARTED]
    if error > CLOSED * size:
        raise SimulationError(
            f"equilibrium of {sim.model.mechanism.name!r}: joint {joint!r} is {error:.3g} m apart; the "
            "mechanism cannot carry its load: look for a mass, stiffness or pressure in the wrong unit."
        )


def check_standing(sim: Simulation) -> None:
    """Refuse wheels that carry more than tyre and ground can, by the last step of ``sim``.

    Raises:
        SimulationError: naming the wheel, by how much, and what to change.
    """
    who = f"equilibrium of {sim.model.mechanism.name!r}"
    work, h = sim.work, sim.step
    frames = work.f(L.WHEEL_STATE).reshape(-1, L.WHEEL_STATE_FLOATS)
    wheels = sorted(sim.model.mechanism.wheels, key=lambda w: sim.model.channels[w.name][0])
    for wheel, frame in zip(wheels, frames, strict=True):
        load = float(work.f(L.CHANNEL_IMPULSE)[sim.model.channels[wheel.name][0]]) / h
        if load <= 0.0:
            continue
        if wheel.soil is not None:
            ground = wheel.ground if isinstance(wheel.ground, Terrain) else None
            refusals = [_refusal(there, load) for there in soils_of(wheel.soil, ground)]
            if all(refusals):  # on a map it stands on one of several soils
                raise SimulationError(f"{who}: wheel {wheel.name!r} cannot stand: {refusals[0]}")
        deep = -frame[15]
        if deep >= wheel.radius:
            raise SimulationError(
                f"{who}: the centre of wheel {wheel.name!r} is {deep - wheel.radius:.3g} m below ground "
                f"under {load:.4g} N; lighten the vehicle, or make its tyre or ground stiffer."
            )


def _refusal(wheel: WheelContact, load: float) -> str:
    """Why the wheel cannot carry a load [N]; empty if it can."""
    try:
        wheel.static_compression(load)
    except ValueError as error:
        return str(error)
    return ""


def _free_sideways(sim: Simulation) -> Callable[[], None]:
    """Take the lateral friction from all wheels; returns what gives it back."""
    work, model = sim.work, sim.model
    coefficient, law, kind = work.f(L.CHANNEL_COEFFICIENT), work.f(L.SOIL_LATERAL), work.i(L.SOIL_I)
    kept = coefficient.copy(), law.copy(), kind.copy()
    for wheel in model.mechanism.wheels:
        coefficient[model.channels[wheel.name][0] + 2] = 0.0
    if len(kind):
        wheels = work.contact().wheels.each
        wheels.lateral_law[:], wheels.ellipse[:] = lateral.CROLLA, 0
        numbers = law.reshape(len(wheels), -1)
        numbers[:, lateral.FRICTION], numbers[:, lateral.RATE] = 1e-12, 1.0

    def restore() -> None:
        coefficient[:], law[:], kind[:] = kept

    return restore


def _let_creep(sim: Simulation) -> Callable[[], None]:
    """Soften the traction of schemes that creep at rest, ``c = F_n mu'(0) / v_0``: what they let go
    in the end anyway, they let go at once. Returns what undoes it."""
    work = sim.work
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


def _round(sim: Simulation, step: float) -> np.ndarray:
    """One step from rest at time zero; accelerations (6 n,) [m/s^2], angular ones times the radius
    of gyration."""
    work = sim.work
    scalars = work.f(L.SCALAR)
    ratio = step / scalars[L.STEP]
    scalars[L.STEP] = step
    scalars[L.TIME] = -step
    work.f(L.CHANNEL_IMPULSE)[:] *= ratio
    work.f(L.VELOCITY)[:] = 0.0
    sim.run(1)
    mass, inertia = work.f(L.MASS), work.f(L.INERTIA).reshape(-1, 9)
    scale = np.ones((mass.size, 6))
    scale[:, 3:] = np.sqrt(inertia[:, ::4].sum(axis=1) / (3.0 * mass))[:, None]
    return work.f(L.VELOCITY)[: 6 * mass.size] * scale.ravel() / step


def _give(sim: Simulation) -> float:
    """Largest acceleration by which the rows give way, ``floor |p| / h``, times a lever.

    The factorisation gives every row a small compliance; no pose is at rest below it.
    """
    work = sim.work
    p = work.f(L.IMPULSE)
    floor = work.f(L.SCALE)[: p.size]
    return LEVER * float(np.max(floor * np.abs(p), initial=0.0)) / work.f(L.SCALAR)[L.STEP]
