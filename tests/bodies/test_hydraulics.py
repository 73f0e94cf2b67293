"""Cylinders, valves and pumps with their loads agree with closed forms and SciPy's Radau."""

import dataclasses
import math

import numpy as np
import pytest

import bodies.hydraulics as H
from benchmarks.hydraulic_cases import circuits, reference
from bodies import MechanismError, Schedule, SimulationError
from bodies.hydraulics.tableaux import METHODS
from tests.bodies.oil_benches import BETA, IMPLICIT, SHUT, circuit, fed, one, ram, stiffness, valve
from tests.refusals import refusals

# ----- the reference circuits


@pytest.mark.parametrize(("name", "backward", "auto"), [("boom", 2e-3, 3e-4), ("bucket", 2e-4, 2e-4)])
def test_one_solve_is_near_radau_at_a_millisecond_and_stable_at_eight(name, backward, auto):
    bench = circuits.bench(name)
    times = np.linspace(0.0, circuits.DURATION, 3001)
    exact = reference.solve(bench, times, 1e-7)[:, 0]
    for integration, limit in (("backward", backward), ("auto", auto), ("centred", auto)):
        run = bench.run(circuits.DURATION, 1e-3, integration)
        assert run.missed == 0
        assert np.max(abs(run.length[:, 0] - exact)) < limit
        coarse = bench.run(circuits.DURATION, 8e-3, integration)
        assert coarse.missed == 0
        assert np.max(abs(coarse.length[:, 0] - exact[::8])) < 6e-3
    fine = bench.run(circuits.DURATION, 1e-4, "ode5", record_every=10)
    assert np.max(abs(fine.length[:, 0] - exact)) < (2e-5 if name == "boom" else 1e-7)


@pytest.mark.parametrize("name", circuits.CASES)
def test_energy_and_oil_are_accounted_for(name):
    bench = circuits.bench(name)

    def gap(step, integration):
        run = bench.run(circuits.DURATION, step, integration)
        assert abs(run.oil) < 1e-12 * 1e-2  # [m^3] gain of oil, 1e-12 of 10 litres
        return abs(run.pumped - run.done - run.lost - run.gained) / run.pumped

    assert gap(1e-3, "auto") < 1e-3
    assert gap(1e-4, "auto") < 1e-4
    assert gap(1e-3, "backward") < 0.015
    assert gap(1e-4, "backward") < 0.25 * gap(1e-3, "backward")


@pytest.mark.parametrize(("method", "order"), [*zip(METHODS, (1, 2, 3, 4, 5), strict=True)])
def test_explicit_methods_have_their_order(method, order):
    bench = one(force=Schedule(((0.0, -6e4), (1.0, 6e4))), mass=32e3, cylinder=ram(damping=0.0))
    exact = bench.run(0.3, 2e-4, "ode5").length[-1, 0]
    error = [abs(bench.run(0.3, h, method).length[-1, 0] - exact) for h in (1e-2, 5e-3)]
    assert math.log2(error[0] / error[1]) > order - 0.4


# ----- closed forms


@pytest.mark.parametrize("pumps", ["one", "each"])
@pytest.mark.parametrize("lever", [0.3, 0.55, 0.9, -0.6])
def test_speed_is_metered_whatever_the_load(pumps, lever):
    fluid, comp = H.Fluid(), H.Compensator()
    names, loads = ("a", "b", "c"), (-20e3, -80e3, -160e3)
    begin_at = 0.1 if lever > 0.0 else 0.7
    # one cylinder moves at a time: the other two levers are at zero
    for mover in range(3):
        branches = tuple(
            H.Branch(
                valve=valve(lever if k == mover else 0.0),
                compensator=comp,
                cylinder=ram(name=names[k], extension=begin_at),
            )
            for k in range(3)
        )
        way = 1.0 if lever > 0.0 else -1.0
        rods = tuple(H.Rod(mass=100.0, force=way * load) for load in loads)
        run = H.Bench(circuit(*branches, pumps=pumps, fluid=fluid), rods).run(0.7, 1e-3)
        area = 60e-6 * (abs(lever) - 0.05) / 0.95
        side = 0 if lever > 0.0 else 1
        oil = area * fluid.discharge * math.sqrt(2.0 * comp.drop / fluid.density)
        pressure = run.pressure[-1, mover, side]
        speed = way * oil * math.exp(-pressure / BETA) / branches[mover].cylinder.areas[side]
        assert run.missed == 0
        assert run.speed[-1, mover] == pytest.approx(speed, rel=2e-4)


@pytest.mark.parametrize("step", [5e-4, 1e-3, 5e-3])
def test_a_shut_cylinder_is_a_spring_without_creep(step):
    cylinder = ram()
    force = Schedule(((0.0, -50e3), (0.1, -60e3), (50.0, -60e3), (50.1, -50e3)))
    run = one(force=force, mass=500.0, cylinder=cylinder).run(100.0, step)
    k = stiffness(cylinder, 0.35)
    at = round(1.0 / step), round(49.0 / step)
    moved = run.length[at[0], 0] - run.length[0, 0]
    assert moved == pytest.approx(-10e3 / k, rel=0.015)  # tolerance: k grows with pressure P by P/beta
    assert abs(run.length[at[1], 0] - run.length[at[0], 0]) < 1e-8
    assert run.pressure[-1, 0] == pytest.approx(run.pressure[0, 0], rel=1e-9)
    assert abs(run.oil) < 1e-13  # [m^3] gain of oil (some 10 litres) in 2e4 to 2e5 steps


def test_through_a_leak_it_sinks():
    leak, load = 1e-12, -60e3
    run = one(force=load, valve=valve(leakage=leak), make_up=H.MakeUp(pressure=1e5)).run(20.0, 1e-3)
    drop = run.pressure[-1, 0, 0] - H.Fluid().tank
    head = ram().areas[0]
    # oil's mass is conserved, not its volume: 1.1 % less speed, the factor ``share`` below
    assert run.speed[-1, 0] == pytest.approx(-leak * drop / head, rel=0.011)
    share = math.exp(-run.pressure[-1, 0, 0] / BETA)
    assert run.speed[-1, 0] == pytest.approx(-leak * drop / head * share, rel=1e-3)


def eigenvalue(x):
    """(a, d) fitted to ``x_(n+1) = a x_n - d x_(n-1)``; d: squared ratio of amplitudes per step."""
    (a, d), *_ = np.linalg.lstsq(np.column_stack([x[1:-1], -x[:-2]]), x[2:], rcond=None)
    return a, d


@pytest.mark.parametrize(
    ("integration", "theta"), [("backward", 0.3), ("centred", 0.25), ("centred", 0.5), ("centred", 0.3)]
)
@pytest.mark.parametrize("turn", [0.05, 0.5, 3.0, 20.0])
def test_numerical_damping_of_an_oil_spring(integration, theta, turn):
    cylinder = ram(damping=0.0, extension=0.4)
    head, rod = cylinder.areas
    at_rest = 5e6 * np.array([1.0, head / rod])
    k = sum(
        BETA * a**2 / v for a, v in ((head, 5e-4 + head * 0.4), (rod, 5e-4 + rod * 0.4))
    )  # v: volume at this extension, without the oil's compression
    mass = 1e4
    step = turn / math.sqrt(k / mass)
    away = np.array([200.0, 0.0])  # pressures [Pa] small enough for a linear response
    bench = one(mass=mass, cylinder=cylinder, pressures=tuple(at_rest + away))
    run = bench.run(60 * step, step, integration, theta=theta)
    (_, d), size = eigenvalue(run.speed[3:, 0]), np.max(abs(run.speed))
    assert size > 0.0
    if integration == "backward":
        if turn <= 3.0:
            assert math.sqrt(d) == pytest.approx((1.0 + turn**2) ** -0.5, rel=1e-4)
    else:
        assert d == pytest.approx(1.0, abs=1e-4)
    if turn == 0.05:
        a, d = eigenvalue(run.speed[3:, 0])
        angle = math.acos(a / (2.0 * math.sqrt(d)))
        assert angle / step == pytest.approx(math.sqrt(k / mass), rel=2e-3)


@pytest.mark.parametrize("slope", [0.0, 1.95e8])
def test_a_stalled_cylinder_meets_the_relief(slope):
    pump = H.LoadSensingPump(relief=H.Relief(pressure=20e6, slope=slope))
    branch = H.Branch(valve=valve(1.0), compensator=H.Compensator(), cylinder=ram())
    run = H.Bench(circuit(branch, pump=pump), (H.Rod(speed=0.0),)).run(3.0, 1e-3)
    flow = pump.flow - pump.leakage * (run.line[-1, 0] - 1e5)
    assert run.line[-1, 0] == pytest.approx(20e6 + slope * flow, rel=1e-4 if slope else 1e-9)
    assert run.missed == 0


@pytest.mark.parametrize("integration", IMPLICIT)
def test_pulled_empty_a_void_grows_and_closes(integration):
    out_and_in = Schedule(((0.0, 0.0), (0.1, 0.1), (1.0, 0.1), (1.2, -0.1), (2.1, -0.1), (2.2, 0.0)))
    bench = one(speed=out_and_in, pressures=(2e6, 2e6), relief=H.Relief(pressure=28e6))
    half = bench.run(1.1, 1e-3, integration)
    cylinder, cavity = ram(), H.Fluid().cavitation
    head = cylinder.areas[0]
    assert half.pressure[-1, 0, 0] == cavity
    volume = cylinder.dead_volume + head * 0.35
    missing = head * (half.length[-1, 0] - 0.35) - volume * math.expm1((2e6 - cavity) / BETA)
    assert half.void[0, 0] == pytest.approx(missing, rel=1e-6)
    whole = bench.run(2.2, 1e-3, integration)
    back = whole.length[-1, 0] - 0.35
    now = 2e6 - BETA * math.log1p(head * back / volume)
    assert whole.pressure[-1, 0, 0] == pytest.approx(now, rel=1e-9)
    assert whole.void[0, 0] == 0.0


def test_a_set_valued_relief_bounds_a_chamber():
    bench = one(speed=-0.05, relief=H.Relief(pressure=28e6), make_up=H.MakeUp(pressure=9e4))
    run = bench.run(1.0, 1e-3)
    assert run.pressure[-1, 0, 0] == pytest.approx(28e6, rel=1e-12)
    assert run.pressure[-1, 0, 1] == pytest.approx(9e4, rel=1e-9)
    assert run.void.max() == 0.0
    assert abs(run.oil) < 1e-15


def test_conserved_volume_makes_the_speed_independent_of_pressure():
    comp, fluid = H.Compensator(), H.Fluid(conserve="volume")
    branch = H.Branch(valve=valve(0.55), compensator=comp, cylinder=ram(extension=0.1))
    run = H.Bench(circuit(branch, fluid=fluid), (H.Rod(mass=100.0, force=-80e3),)).run(0.8, 1e-3)
    oil = 60e-6 * 0.5 / 0.95 * fluid.discharge * math.sqrt(2.0 * comp.drop / fluid.density)
    assert run.speed[-1, 0] == pytest.approx(oil / ram().areas[0], rel=2e-4)


def test_walls_that_widen_soften_the_spring():
    cylinder = ram(hose_volume=(1e-4, 1e-4))
    fluid = H.Fluid(modulus=1.5e9, hose_modulus=1.5e8, wall_modulus=31.5e9)
    force = Schedule(((0.0, 0.0), (0.1, 0.0), (0.2, -10.0)))
    branch = H.Branch(valve=valve(), cylinder=cylinder)
    run = H.Bench(circuit(branch, fluid=fluid), (H.Rod(mass=500.0, force=force),)).run(3.0, 1e-3)
    k = 0.0
    for area, way in zip(cylinder.areas, (0.35, 0.45), strict=True):
        volume = cylinder.dead_volume + area * way
        k += area**2 / ((volume + 1e-4) / 1.5e9 + 1e-4 / 1.5e8 + volume / 31.5e9)
    moved = run.length[-1, 0] - run.length[0, 0]
    assert moved == pytest.approx(-10.0 / k, rel=3e-3)  # tolerance: the oil's compression


def cushioned():
    """Bench of the bucket cylinder, which extends into a cushion over the last 60 mm of its stroke."""
    bench = circuits.bench("bucket")
    (branch,) = bench.circuit.branches
    cushion = H.Cushion(length=0.06, orifice=4e-6)
    cylinder = dataclasses.replace(branch.cylinder, extension=0.66, cushion=cushion)
    changed = dataclasses.replace(branch, cylinder=cylinder)
    return H.Bench(dataclasses.replace(bench.circuit, branches=(changed,)), bench.rods)


def test_a_cushion_brakes_the_piston_before_its_stop():
    bench = cushioned()
    run = bench.run(1.2, 1e-3)
    exact = reference.solve(bench, run.time)
    assert run.missed == 0
    assert exact[-1, 0] > 0.77  # the piston is in the cushion
    assert run.length[:, 0] == pytest.approx(exact[:, 0], abs=2e-5)
    back = exact[:, 3].max()
    assert back > 4.0 * exact[:600, 3].max()  # braking needs a high pressure
    assert run.pressure[:, 0, 1] == pytest.approx(exact[:, 3], abs=0.02 * back)
    gap = run.pumped - run.done - run.lost - run.gained
    assert abs(gap) < 2e-3 * run.pumped


# ----- bad input


test_bad_input_is_one_sentence = refusals(
    (lambda: ram(rod=0.12), "rod = 0.12 m must be thinner than the bore, 0.12 m"),
    (lambda: ram(extension=0.9), "extension = 0.9 m must lie within the stroke, 0 to 0.8 m"),
    (lambda: ram(dead_volume=-1e-4), "dead_volume"),
    (lambda: ram(buffer=H.EndBuffer(length=0.6)), "a buffer of 0.6 m at both ends does not fit"),
    (lambda: ram(cushion=H.Cushion(length=0.6)), "a cushion of 0.6 m at both ends does"),
    (lambda: ram(hose_volume=(1e-4,)), "hose_volume must be 2 finite numbers"),
    (lambda: valve(math.nan), "command"),
    (lambda: valve(1.5), "command"),
    (lambda: H.SpoolValve(command=0.0, inlet=((0.5, 0.0), (0.1, 1e-5)), outlet=SHUT), "increase"),
    (lambda: H.SpoolValve(command=0.0, inlet=((0, 0), (100, 1e-5)), outlet=SHUT), "the last position"),
    (lambda: fed(H.ConstantPressure(pressure=9e4)), "must be above the tank"),
    (lambda: fed(H.LoadSensingPump(relief=H.Relief(pressure=2e6))), "above what the pump keeps without"),
    (lambda: H.SpoolValve(command=0.0, inlet=SHUT, outlet=((0.0, -1e-5), (1.0, 0.0))), "area"),
    (lambda: valve(fastest=3.0), "fastest = 3 needs a bandwidth"),
    (
        lambda: H.Circuit(name="c", branches=(H.Branch(valve=valve(), cylinder=ram()),), pump=None),
        "pump",
    ),
    (lambda: circuit(), "one Branch or more"),
    (lambda: circuit(H.Branch(valve=valve(), cylinder=ram()), pumps="two"), "'two' is unknown"),
    (lambda: H.Branch(valve=valve(), cylinder=None), "cylinder = .* must be a HydraulicCylinder"),
    (lambda: H.Fluid(cavitation=2e5), "cavitation = 200000 Pa must not be above"),
    (lambda: one(make_up=H.MakeUp(pressure=2e5)), "must lie between cavitation"),
    (lambda: one(compensator=H.Compensator(drop=3e6)), "below the pump's margin"),
    (lambda: one(relief=H.Relief(pressure=5e4)), "must be above the tank"),
    (lambda: H.Bench(one().circuit, ()), "1 cylinders need as many rods, got 0"),
    (lambda: one().run(1.0, 0.0), "step"),
    (lambda: one().run(1.0, 1e-3, "ode6"), "'ode6' is unknown"),
    (lambda: one().run(1.0, 1e-3, theta=0.1), "theta"),
    (lambda: one(relief=H.Relief(pressure=28e6)).run(1.0, 1e-3, "ode3"), "set-valued"),
    (
        lambda: H.Bench(
            circuit(H.Branch(valve=valve(), cylinder=ram()), fluid=H.Fluid(modulus=1.2)),
            (H.Rod(mass=1),),
        ).run(0.01, 1e-3),
        "'ram': a pressure of .* is beyond the oil's bulk modulus, 1.2 Pa",
    ),
    (lambda: one(cylinder=ram(pressure=1e12)).run(0.01, 1e-3), "'ram': .* beyond the oil's bulk"),
    (lambda: one(60e3, cylinder=ram(rod=0.12 - 1e-9)).run(0.01, 1e-3), "'ram': a pressure of"),
    error=MechanismError,
)


def test_a_piston_that_leaves_its_cylinder_ends_the_run():
    with pytest.raises(SimulationError, match="'ram': at .* outside its stroke of 0 to 0.8 m"):
        one(speed=0.5).run(2.0, 1e-3)


def test_a_constant_pressure_feeds_a_valve_without_compensator():
    branch = H.Branch(valve=valve(0.5), cylinder=ram(extension=0.1))
    bench = H.Bench(circuit(branch, pump=H.ConstantPressure(pressure=15e6)), (H.Rod(force=-50e3),))
    run = bench.run(2.0, 1e-3)
    assert run.missed == 0
    assert np.all(run.line == 15e6)
    u, p = run.speed[-1, 0], run.pressure[-1, 0]
    head, rod = ram().areas
    c = 0.65 * math.sqrt(2.0 / 860.0)
    a_in, a_out = 60e-6 * 0.45 / 0.95, 90e-6 * 0.45 / 0.95
    assert head * u == pytest.approx(
        c * a_in * math.sqrt(15e6 - p[0]) * math.exp(-p[0] / BETA), rel=2e-3
    )
    assert rod * u == pytest.approx(c * a_out * math.sqrt(p[1] - 1e5) * math.exp(-p[1] / BETA), rel=2e-3)
    assert dataclasses.replace(bench.circuit, pumps="each").states == 2
