"""On curved ground the normal force has no lever about the axle, and a wheel gains no energy."""

import itertools
import warnings

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from contact import REGULARISATIONS, ConeIndexSoil, Tyre, WheelContact
from contact import terrain as T

TYRE = Tyre(0.94, 0.3175, 0.26, pressure=138e3)
SOIL = WheelContact(TYRE, ConeIndexSoil(2.6e5))
_RANDOM = np.random.default_rng(7)


def field(size, spacing):
    """Random heights of standard deviation ``size`` [m], every ``spacing`` metres."""
    count = int(40 / spacing)
    return T.HeightField(size * _RANDOM.standard_normal((count, count)), (spacing, spacing), (-10, -20))


# (amplitude, wavelength) of sine grounds [m]; ASKEW: of those driven across at an angle
SINES = [
    (0.1, 1.0), (0.05, 2.0), (0.1, 4.0), (0.05, 0.3), (0.2, 1.5), (0.02, 0.1), (0.3, 3.0), (0.1, 0.5),
]  # fmt: skip
ASKEW = [(0.1, 1.0), (0.05, 2.0), (0.05, 0.3), (0.2, 4.0), (0.1, 0.6)]
RISES = itertools.product((0.1, 0.3, 0.5, 1.0), (1e-4, 0.03, 0.3, 1.0))
FIELDS = [(0.02, 0.25), (0.05, 0.5), (0.1, 0.5), (0.1, 1.0), (0.3, 1.0)]
GROUNDS = {
    **{f"sine {a} over {w}": T.Sine(a, w, 0.0, 0.3) for a, w in SINES},
    **{f"sine askew {a} over {w}": T.Sine(a, w, 0.7) for a, w in ASKEW},
    **{f"step {z} over {x}": T.Step(3.0, z, x) for z, x in RISES},
    "wall 5": T.Step(3.0, 5.0, 0.01),
    "down 0.5": T.Step(3.0, -0.5, 0.1),
    "down 1": T.Step(3.0, -1.0, 1e-3),
    **{f"rough {name}": T.rough_ground(name, 40.0, seed=3) for name in "ABCDEFGH"},
    "rough H fine": T.rough_ground("H", 40.0, spacing=0.03, seed=5),
    **{f"field {a} over {w}": field(a, w) for a, w in FIELDS},
    "slope": T.Plane(grade_x=0.1, grade_y=0.05),
}
FEW = ["sine 0.05 over 0.3", "sine askew 0.1 over 0.6", "step 1.0 over 0.3", "step 0.5 over 0.0001"]


def held(ground, x, soil=SOIL, up=0.42, speed=(0.0, 0.0), sideways=0.0, name="held"):
    """An undriven wheel on a vertical post; with a ``speed`` (of travel, of spin) free along x too."""
    z = float(ground.height(x, sideways)) + up
    at = dict(position=(x, sideways, z))
    moving = dict(velocity=(speed[0], 0.0, 0.0))
    own = dict(soil=soil) if soil else dict(radius=0.47)
    joints = [
        B.Prismatic(name="post", body_a="slide", body_b="carrier", axis=(0, 0, 1), **at),
        B.Revolute(name="hub", body_a="carrier", body_b="rim", axis=(0, 1, 0), **at),
    ]
    bodies = [
        B.Body("carrier", 570.0, (20.0, 20.0, 20.0), **at, **moving),
        B.Body("rim", 71.0, (4.0, 6.88, 4.0), angular_velocity=(0.0, speed[1], 0.0), **at, **moving),
    ]
    if speed == (0.0, 0.0):
        joints[0] = B.Prismatic(name="post", body_a="ground", body_b="carrier", axis=(0, 0, 1), **at)
    else:
        bodies.append(B.Body("slide", 5.0, (1.0, 1.0, 1.0), **at, **moving))
        joints.append(B.Prismatic(name="along", body_a="ground", body_b="slide", axis=(1, 0, 0), **at))
    wheel = B.Wheel(name="t", body="rim", centre=(x, sideways, z), ground=ground, **own)
    return B.Mechanism(name, tuple(bodies), tuple(joints), wheels=(wheel,))


def arms(record, axis=(0.0, 1.0, 0.0)):
    """Lever [m] of the normal force about the axle at each record, 0 for a round wheel."""
    down, across = record.contact_point - record.centre, np.cross(axis, record.normal)
    return np.abs(np.sum(down * across, axis=1)) / np.linalg.norm(across, axis=1)


@pytest.mark.parametrize("soil", [SOIL, None], ids=["soft", "hard"])
@pytest.mark.parametrize("step", [1e-3, 5e-3])
def test_a_wheel_held_over_the_flank_of_a_sine_stays_at_rest(soil, step):
    run = B.simulate(B.compile(held(T.Sine(0.1, 1.0), 0.12, soil, 0.65)), 3.0, step, record_work=True)
    spin = np.abs(run.angular_velocity("rim")[:, 1])
    assert spin.max() < 1.0  # spin [rad/s] while the wheel falls onto the flank
    assert spin[-1] < 0.01
    assert run.work()["t"][-1] <= 0.0
    assert arms(run.wheel("t")).max() < 1e-9
    assert run.missed == 0


def energy_of_coasting(ground, scheme, step, seconds=3.0, speed=3.0, y=0.0, soil=True):
    """Largest gain of total energy [J] during a run, and the kinetic energy [J] at its start."""
    start = min(1.2, 3.0 - 1.5)
    contact = WheelContact(TYRE, ConeIndexSoil(2.6e5), regularisation=scheme) if soil else None
    x = np.linspace(start - 0.5, start + 0.5, 201)
    top = float(np.max(ground.height(x, np.full_like(x, y)))) - float(ground.height(start, y))
    model = B.compile(held(ground, start, contact, top + 0.475, (speed, speed / 0.47), sideways=y))
    sim = B.Simulation(model, step)
    first, most = sim.energy().total, 0.0
    kinetic = sim.energy().kinetic
    for _ in range(round(seconds / step / 4)):
        sim.run(4)
        most = max(most, sim.energy().total - first)
    return most, kinetic


@pytest.mark.parametrize("name", [*FEW, "rough H", "field 0.1 over 0.5"])
@pytest.mark.parametrize("step", [1e-3, 1 / 60])
def test_a_coasting_wheel_gains_no_energy(name, step):
    most, kinetic = energy_of_coasting(GROUNDS[name], "implicit", step)
    assert most < 1e-3 * kinetic


@pytest.mark.slow
@pytest.mark.parametrize("name", GROUNDS)
def test_coasting_gains_nothing_on_any_ground_by_any_scheme_at_any_step(name):
    """A wheel coasts on soil by every scheme, and on hard ground, with every step, at random speed."""
    for k, (scheme, step) in enumerate(
        itertools.product((*REGULARISATIONS, None), (2e-4, 1e-3, 5e-3, 1 / 60))
    ):
        draw = np.random.default_rng([k, sum(map(ord, name))])
        speed, y = draw.uniform(1.0, 6.0), draw.uniform(-1.0, 1.0)
        soft = scheme is not None
        most, kinetic = energy_of_coasting(
            GROUNDS[name], scheme or "implicit", step, 2.0, speed, y, soft
        )
        assert most < 5e-3 * kinetic + 1.0, (name, scheme, step, speed, y, most, kinetic)


@pytest.mark.slow
@pytest.mark.parametrize("name", GROUNDS)
def test_a_vehicle_coasting_in_neutral_gains_no_energy(name):
    """An HMMWV coasts at 3 m/s, with three regularisation schemes and two step lengths."""
    for scheme, step in itertools.product(("implicit", "set-valued", "global"), (1e-3, 1 / 60)):
        x = np.linspace(-4.5, 0.8, 400)[:, None]
        top = float(np.max(GROUNDS[name].height(x, [-0.91, 0.91])))
        spec = vehicle.load(
            "hmmwv",
            controls={"gear": 0},
            ground=lowered(GROUNDS[name], top + 0.02),
            regularisation=scheme,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = B.compile(spec)
        sim = B.Simulation(model, step)
        velocity = sim.work.machine.velocity
        for body, k in model.body_index.items():
            velocity[6 * k] = 3.0
            if body.endswith("wheel"):
                velocity[6 * k + 4] = 3.0 / 0.47
        sim.run(2)
        first, most = sim.energy().total, 0.0
        for _ in range(round(3.0 / step / 5)):
            sim.run(5)
            most = max(most, sim.energy().total - first)
        # limit [J]: the vehicle has 13 kJ at the start, and relaxing springs release energy
        assert most < 300.0, (name, scheme, step, most)


def lowered(ground, by):
    """The same ground, lower by ``by`` [m]; steps and sines become height fields."""
    if isinstance(ground, T.HeightField):
        return T.HeightField(ground.grid - by, ground.spacing, ground.origin)
    if isinstance(ground, T.Plane):
        return T.Plane(ground.z_0 - by, ground.grade_x, ground.grade_y)
    x = np.arange(-10.0, 20.0, 0.02)
    if isinstance(ground, T.Step):
        return T.HeightField(np.tile(ground.height(x) - by, (2, 1)), (0.02, 8.0), (-10.0, -4.0))
    y = np.arange(-2.0, 2.0, 0.05)
    return T.HeightField(ground.height(x[None], y[:, None]) - by, (0.02, 0.05), (-10.0, -2.0))


def test_wheels_below_their_ground_are_refused():
    with pytest.raises(B.MechanismError, match=r"wheel 't': its lowest point is 3\.47 m below"):
        B.compile(held(T.Plane(), 0.0, up=-3.0))
    with pytest.raises(B.MechanismError, match=r"below its ground, more than its diameter of 0\.94 m"):
        B.compile(held(T.Sine(0.0, 1.0), 0.0, None, up=-0.5))
    B.compile(held(T.Plane(), 0.0, up=0.1))


def test_a_wheel_that_lies_flat_on_a_slope_is_named():
    slope = T.Plane(grade_x=0.3)
    lies = B.Wheel(
        name="t",
        body="rim",
        centre=(0, 0, 0.5),
        spin_axis=tuple(slope.normal(0.0)),
        soil=SOIL,
        ground=slope,
    )
    body = B.Body("rim", 20.0, (1.0, 1.0, 1.0), position=(0, 0, 0.5))
    with pytest.raises(B.MechanismError, match=r"wheel 't': spin_axis = .* normal, the wheel lies flat"):
        B.compile(B.Mechanism("flat", (body,), (), wheels=(lies,)))


def test_a_wheel_may_fall_flat_in_a_run():
    """A wheel with a vertical spin axis falls onto three grounds without gain of energy."""
    for ground in (T.Plane(), T.Sine(0.1, 1.0), T.Step(0.1, 0.2, 0.3)):
        model = B.compile(
            B.Mechanism(
                "falls",
                (B.Body("rim", 50.0, (2.0, 2.0, 2.0), position=(0, 0, 0.8)),),
                (),
                wheels=(B.Wheel(name="t", body="rim", centre=(0, 0, 0.8), radius=0.4, ground=ground),),
            )
        )
        sim = B.Simulation(model, 1e-3)
        sim.work.machine.quaternion[:4] = np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0
        energy = sim.energy().total
        sim.run(1500)
        assert sim.energy().total < energy + 1.0
        assert np.isfinite(sim.position("rim")).all()
