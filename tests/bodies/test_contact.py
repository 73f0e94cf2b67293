"""Rigid contact with Coulomb friction: stick, slip, stop, roll, bounce, stack, lift off, land."""

import math

import numpy as np
import pytest

import bodies as B
from mlcp import ProjectedGaussSeidel

G = 9.80665


def touching(body, shape, surface=None, **contact):
    """Model of one body with one rigid contact, by default with the plane z = 0."""
    surface = surface or B.Plane()
    touches = B.RigidContact(name="c", body=body.name, shape=shape, surface=surface, **contact)
    return B.compile(B.Mechanism(body.name, (body,), contacts=(touches,)))


def incline(angle, friction, model, speed=0.0):
    n = np.array([np.sin(angle), 0, np.cos(angle)])
    down = np.array([np.cos(angle), 0, -np.sin(angle)])
    block = B.Body(
        "block",
        2.0,
        (0.01, 0.02, 0.03),
        position=tuple(0.1 * n),
        orientation=(np.cos(angle / 2), 0, np.sin(angle / 2), 0),
        velocity=tuple(speed * down),
    )
    given = {"friction": friction, "friction_model": model}
    return touching(block, B.Box(0.4, 0.3, 0.2), B.Plane(normal=tuple(n)), **given), down


@pytest.mark.parametrize("model", ["cone", "box"])
@pytest.mark.parametrize("excess", [0.01, -0.01])
def test_block_on_incline_sticks_or_slips(model, excess):
    angle = 0.3
    mu = np.tan(angle) + excess
    compiled, down = incline(angle, mu, model)
    sim = B.Simulation(compiled, 1e-3)
    sim.run(1000)
    speed = sim.velocity("block") @ down
    expected = 0.0 if excess > 0 else G * (np.sin(angle) - mu * np.cos(angle))
    assert speed == pytest.approx(expected, abs=1e-9)
    assert sim.missed == 0


def test_sliding_block_stops_after_its_braking_distance():
    mu, speed = 0.4, 2.0
    compiled, down = incline(0.0, mu, "cone", speed)
    sim = B.Simulation(compiled, 1e-4)
    sim.run(10000)
    assert sim.velocity("block") @ down == pytest.approx(0.0, abs=1e-10)
    assert sim.position("block") @ down == pytest.approx(speed**2 / (2 * mu * G), abs=2e-4)


def test_cone_friction_is_isotropic():
    """Sliding in any direction decelerates along that direction by mu g."""
    for angle in (0.0, 0.3, 0.785):
        d = np.array([np.cos(angle), np.sin(angle), 0.0])
        puck = B.Body("puck", 1.0, (1, 1, 1), position=(0, 0, 0.1), velocity=tuple(d))
        sim = B.Simulation(touching(puck, B.Sphere(0.1), friction=0.2), 1e-3)
        sim.run(50)
        v = sim.velocity("puck")
        assert v @ d == pytest.approx(1.0 - 0.2 * G * 0.05, rel=1e-6)
        assert abs(np.cross(d, v)[2]) < 1e-9


@pytest.mark.parametrize(("friction", "rolls"), [(0.2, True), (0.08, False)])
def test_ball_rolls_or_slides_down_an_incline(friction, rolls):
    """A solid ball rolls without sliding iff mu >= (2/7) tan(angle)."""
    angle, r, m = 0.4, 0.1, 1.5
    n = np.array([np.sin(angle), 0, np.cos(angle)])
    down = np.array([np.cos(angle), 0, -np.sin(angle)])
    assert rolls == (friction >= 2 / 7 * np.tan(angle))
    ball = B.Body("ball", m, (0.4 * m * r * r,) * 3, position=tuple(r * n))
    plane = B.Plane(normal=tuple(n))
    sim = B.Simulation(touching(ball, B.Sphere(r), plane, friction=friction), 1e-3)
    sim.run(500)
    a = 5 / 7 * G * np.sin(angle) if rolls else G * (np.sin(angle) - friction * np.cos(angle))
    assert sim.velocity("ball") @ down == pytest.approx(0.5 * a, rel=1e-6)


def test_lying_cylinder_rolls_and_standing_cylinder_stands():
    r = 0.1
    shape = B.Cylinder(r, 0.5)
    lying = B.Body(
        "lying",
        1.0,
        (0.02, 0.02, 0.005),
        position=(0, 0, r),
        orientation=(np.sqrt(0.5), np.sqrt(0.5), 0, 0),
        velocity=(1, 0, 0),
        angular_velocity=(0, 1 / r, 0),
    )
    standing = B.Body("standing", 1.0, (0.02, 0.02, 0.005), position=(0, 5, 0.25))
    contacts = tuple(
        B.RigidContact(name=k, body=k, shape=shape, surface=B.Plane()) for k in ("lying", "standing")
    )
    sim = B.Simulation(B.compile(B.Mechanism("cylinders", (lying, standing), contacts=contacts)), 1e-3)
    sim.run(1000)
    np.testing.assert_allclose(sim.velocity("lying"), (1, 0, 0), atol=1e-6)
    np.testing.assert_allclose(sim.position("standing"), (0, 5, 0.25), atol=1e-6)


def test_elastic_ball_bounces_back_to_its_height():
    ball = B.Body("ball", 1.0, (1, 1, 1), position=(0, 0, 1.1))
    run = B.simulate(touching(ball, B.Sphere(0.1), restitution=1.0), 4.0, 1e-4, record_every=10)
    z = run.position("ball")[:, 2] - 0.1
    v = run.velocity("ball")[:, 2]
    bounces = np.sum((v[:-1] < -0.5) & (v[1:] > 0.5))
    assert bounces >= 4
    energy = G * z + 0.5 * v**2
    assert np.max(np.abs(energy / G - 1.0)) < 5e-3
    assert z.min() > -1e-3


def cradle(gap):
    r, n = 0.05, 5
    balls = tuple(
        B.Body(
            f"b{k}",
            1.0,
            (1e-3,) * 3,
            position=(k * (2 * r + gap), 0, 0),
            velocity=(1.0 if k == 0 else 0.0, 0, 0),
        )
        for k in range(n)
    )
    contacts = tuple(
        B.RigidContact(
            name=f"c{k}",
            body=f"b{k}",
            body_b=f"b{k + 1}",
            shape=B.Sphere(r),
            surface=B.Ball(((k + 1) * (2 * r + gap), 0, 0), r),
            friction=0.0,
            restitution=1.0,
        )
        for k in range(n - 1)
    )
    model = B.compile(B.Mechanism("cradle", balls, contacts=contacts, gravity=B.Gravity((0, 0, 0))))
    sim = B.Simulation(model, 1e-3)
    sim.run(100)
    return np.array([sim.velocity(f"b{k}")[0] for k in range(n)])


def test_newtons_cradle_with_gaps_hands_the_momentum_on():
    np.testing.assert_allclose(cradle(4e-3), (0, 0, 0, 0, 1), atol=1e-6)


def test_newtons_cradle_touching_shares_the_impulse():
    """Newton restitution of simultaneous impacts: energy is conserved and shared by all balls."""
    np.testing.assert_allclose(cradle(0.0), (-0.6, 0.4, 0.4, 0.4, 0.4), atol=1e-6)


def test_stack_of_ten_boxes_at_rest():
    edge, n = 0.2, 10
    boxes, contacts = [], []
    for k in range(n):
        boxes.append(B.Body(f"box {k}", 1.0, (1 / 150,) * 3, position=(0, 0, edge * (k + 0.5))))
        below = "ground" if k == 0 else f"box {k - 1}"
        contacts.append(
            B.RigidContact(
                name=f"c{k}",
                body=f"box {k}",
                body_b=below,
                shape=B.Box(edge, edge, edge),
                surface=B.Plane(point=(0, 0, edge * k)),
            )
        )
    sim = B.Simulation(B.compile(B.Mechanism("stack", tuple(boxes), contacts=tuple(contacts))), 2e-3)
    sim.run(250)
    for k in range(n):
        np.testing.assert_allclose(sim.position(f"box {k}"), (0, 0, edge * (k + 0.5)), atol=1e-6)


def test_ball_on_a_height_field_slope():
    """On a plane slope given as heights the ball rolls as on the plane itself."""
    slope = 0.2
    x = np.arange(6) * 2.0 - 5.0
    heights = tuple((-slope * xi,) * 4 for xi in x)
    field = B.HeightField((-5.0, -3.0), (2.0, 2.0), heights)
    n = np.array([slope, 0, 1.0]) / np.hypot(slope, 1.0)
    r = 0.2
    results = []
    for surface in (field, B.Plane(normal=tuple(n))):
        ball = B.Body("ball", 1.0, (0.4 * r * r,) * 3, position=tuple(r * n))
        sim = B.Simulation(touching(ball, B.Sphere(r), surface), 1e-3)
        sim.run(500)
        results.append(sim.position("ball"))
    np.testing.assert_allclose(results[0], results[1], atol=1e-9)


def test_lift_off_and_landing():
    """A force lifts a resting ball off; it flies, falls and rests again."""
    ball = B.Body("ball", 1.0, (1, 1, 1), position=(0, 0, 0.1))
    sim = B.Simulation(touching(ball, B.Sphere(0.1)), 1e-3)
    sim.run(100)
    sim.apply("ball", force=(0, 0, 2 * G))
    sim.run(100)
    sim.apply("ball")
    height = sim.position("ball")[2] - 0.1
    assert height == pytest.approx(0.5 * G * 0.1**2, rel=0.02)
    sim.run(1000)
    assert sim.position("ball")[2] == pytest.approx(0.1, abs=1e-9)
    assert abs(sim.velocity("ball")[2]) < 1e-9


@pytest.mark.parametrize("solver", ["pgs", "newton", "osqp"])
def test_solvers_agree_on_a_sliding_box(solver):
    compiled, _ = incline(0.3, 0.2, "cone")
    runs = []
    for name in ("direct", solver):
        sim = B.Simulation(compiled, 1e-3, solver=name)
        sim.run(50)
        runs.append(sim.position("block"))
    np.testing.assert_allclose(runs[0], runs[1], atol=1e-7 if solver == "osqp" else 1e-8)


def test_a_configured_solver_keeps_its_settings_in_the_compiled_step():
    """A solver object with the defaults of ``pgs`` equals ``pgs``; ``max_sweeps=1`` takes effect."""
    compiled, _ = incline(0.3, 0.2, "cone")
    same = ProjectedGaussSeidel(max_sweeps=5000, symmetric=True, time_limit=math.inf)
    runs = []
    for solver in ("pgs", same, ProjectedGaussSeidel(max_sweeps=1)):
        sim = B.Simulation(compiled, 1e-3, solver=solver)
        sim.run(20)
        runs.append((sim.position("block").tolist(), sim.work.machine.count.iterations))
    assert runs[0] == runs[1]
    assert runs[2][1] != runs[0][1]


def test_a_hard_wheel_without_rolling_resistance_moves_like_one_with_next_to_none():
    """Without rolling resistance a contact has one constraint fewer, but the same motion and record."""
    runs = []
    for rolling in (0.0, 1e-14):
        spin = B.Body(
            "wheel",
            20.0,
            (0.5, 0.9, 0.5),
            position=(0, 0, 0.29),
            velocity=(3.0, 0.1, 0),
            angular_velocity=(0, 2.0, 0),
        )
        wheel = B.Wheel(name="tyre", body="wheel", centre=spin.position, radius=0.3, rolling=rolling)
        run = B.simulate(B.compile(B.Mechanism("wheel", (spin,), wheels=(wheel,))), 0.3)
        assert run.channel_force("tyre").shape[1] == (3 if rolling == 0.0 else 4)
        runs.append((run, run.wheel("tyre")))
    np.testing.assert_allclose(runs[0][0].positions, runs[1][0].positions, atol=1e-10)
    for name in ("load", "traction", "lateral", "resistance", "v_x", "rim_speed", "slip"):
        np.testing.assert_allclose(
            getattr(runs[0][1], name), getattr(runs[1][1], name), atol=1e-7, err_msg=name
        )


@pytest.mark.parametrize("seed", range(18))
def test_a_box_that_is_pushed_and_turned_at_random_misses_no_step(seed):
    """The four corners' impulses are not unique, with friction or without."""
    rng = np.random.default_rng(seed)
    edges, mass = rng.uniform(0.2, 1.2, 3), rng.uniform(20.0, 2000.0)
    inertia = mass / 12.0 * (edges @ edges - edges**2)
    drop, friction = rng.choice([0.0, 0.001, 0.05]), rng.choice([0.0, rng.uniform(0.0, 0.8)])
    body = B.Body("box", mass, tuple(inertia), position=(0, 0, 0.5 * edges[2] + drop))
    given = {"friction": friction, "friction_model": str(rng.choice(["cone", "box"]))}
    sim = B.Simulation(touching(body, B.Box(*edges), **given), 1e-3)
    for _ in range(4):
        push, turn = rng.uniform(-2.0, 2.0, (2, 3)) * mass * G
        sim.apply("box", (push[0], push[1], -abs(push[2])), 0.2 * turn * edges.min())
        sim.run(25)
    assert sim.missed == 0
    lowest = sim.position("box")[2] - 0.5 * np.linalg.norm(edges)
    assert lowest < 0.06  # the box has not been thrown into the air
