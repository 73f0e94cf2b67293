"""Each joint: Jacobian against the derivative of its error, closure, conservation of momentum."""

import numpy as np
import pytest

import bodies as B
from bodies.frames import quaternion_matrix
from bodies.kernels.coordinates import coordinate_row
from bodies.kernels.data import run_of
from bodies.kernels.rotation import turn

from .mechanisms import JOINTS, two_bodies

RIGID = [k for k in JOINTS if k != "bushing"]


def test_every_joint_of_the_table_has_an_example_here():
    assert {cls for cls, _ in JOINTS.values()} == set(B.joints.JOINTS.values())


@pytest.mark.parametrize("kind", JOINTS)
def test_a_joints_rows_are_independent_and_as_declared(kind):
    """The Jacobian has as many independent rows as declared, those in metres first.

    Rows of the joint's coordinates are independent of the Jacobian's: these motions are free.
    """
    model = B.compile(two_bodies(kind))
    work = B.Workspace(model)
    work.stage("detect", "assemble")
    J, _ = model.structure.dense_rows(work.machine.jacobian[: model.structure.jac_size])
    (joint,) = model.joint_order
    assert len(J) == joint.rows == np.linalg.matrix_rank(J, 1e-9)
    # rows that constrain angles have zeros for translations
    moves = np.any(J[:, :3] != 0.0, axis=1)
    assert moves.tolist() == [row < joint.linear_rows for row in range(joint.rows)]
    C = work.machine.coordinate_jac.reshape(-1, 12)
    for c in range(len(joint.coordinates)):
        coordinate_row.py_func(
            run_of(work.F, work.N).coordinates[c],
            work.machine.position,
            work.machine.rotation,
            C.ravel(),
            12 * c,
        )
    assert np.linalg.matrix_rank(np.vstack([J, C]), 1e-9) == joint.rows + len(joint.coordinates)


@pytest.mark.parametrize("kind", RIGID)
def test_jacobian_is_the_derivative_of_the_error(kind):
    model = B.compile(two_bodies(kind))
    work = B.Workspace(model)
    work.stage("detect", "assemble")
    J, _ = model.structure.dense_rows(work.machine.jacobian[: model.structure.jac_size])
    eps = 1e-6
    q0, x0 = work.machine.quaternion.copy(), work.machine.position.copy()
    for column in range(12):
        errors = []
        for sign in (1.0, -1.0):
            work.machine.quaternion[:], work.machine.position[:] = q0, x0
            body, k = divmod(column, 6)
            if k < 3:
                work.machine.position[3 * body + k] += sign * eps
            else:
                r = np.zeros(3)
                r[k - 3] = sign * eps
                turn.py_func(work.machine.quaternion, 4 * body, *r, True)
            work.stage("detect")  # updates rotation matrices, not the Jacobian
            work.stage("measure")
            errors.append(work.machine.error.copy())
        slope = (errors[0] - errors[1]) / (2 * eps)
        np.testing.assert_allclose(slope, J[:, column], atol=2e-8)


@pytest.mark.parametrize("kind", RIGID)
def test_joint_stays_closed_while_tumbling(kind):
    model = B.compile(two_bodies(kind, gravity=True))
    for tolerance in (5e-7, 1e-7):  # the first is the default
        sim = B.Simulation(model, 1e-3, tolerance=tolerance)
        sim.run(2000)
        assert max(sim.joint_error()) <= tolerance


@pytest.mark.parametrize("ground", ["body_a", "body_b"])
@pytest.mark.parametrize("kind", RIGID)
def test_two_joints_of_opposite_axes_on_the_ground_stay_closed(kind, ground):
    """Both joints write the ground's block of the Jacobian: errors are measured along the bodies'."""
    tumbling = two_bodies(kind, gravity=True)
    cls, options = JOINTS[kind]
    given = {"position": (0.4, 0.1, -0.2), "axis": (0.3, -0.5, 0.8)} | options
    joints = []
    for body, sign in (("first", 1.0), ("second", -1.0)):
        ends = {"body_a": body, "body_b": body} | {ground: "ground"}
        axes = {k: tuple(sign * x for x in given[k]) for k in ("axis", "axis_b") if k in given}
        joints.append(cls(name=f"joint of {body}", **(given | ends | axes)))
    sim = B.Simulation(B.compile(B.Mechanism("on the ground", tumbling.bodies, tuple(joints))), 1e-3)
    sim.run(500)
    assert max(sim.joint_error()) <= 5e-7


def momentum(sim):
    """Linear momentum of all bodies [N s], and their angular momentum about the origin [N m s]."""
    linear, angular = np.zeros(3), np.zeros(3)
    for body in sim.model.mechanism.bodies:
        R, p = quaternion_matrix(sim.quaternion(body.name)), body.mass * sim.velocity(body.name)
        spin = R @ body.inertia_array @ R.T @ sim.angular_velocity(body.name)
        linear, angular = linear + p, angular + np.cross(sim.position(body.name), p) + spin
    return linear, angular


@pytest.mark.parametrize("kind", JOINTS)
def test_momentum_passes_through_every_joint_unchanged(kind):
    """Linear momentum is constant without external force; angular momentum drifts by O(step)."""
    drift = []
    for step in (1e-3, 5e-4):
        sim = B.Simulation(B.compile(two_bodies(kind)), step)
        sim.run(1)  # the first step makes the described velocities agree with the joint
        p0, l0 = momentum(sim)
        sim.run(round(0.5 / step))
        p1, l1 = momentum(sim)
        np.testing.assert_allclose(p1, p0, atol=1e-9)
        drift.append(np.max(np.abs(l1 - l0)))
    assert drift[0] < 5e-3
    assert drift[1] < 0.7 * drift[0] + 1e-9


@pytest.mark.parametrize(("tolerance", "same"), [(1e-12, 1e-10), (5e-7, 5e-7)])
def test_world_axes_do_not_matter(tolerance, same):
    """A rotated mechanism has the rotated motion, except that its joint errors may be corrected in other
    steps."""
    model = B.compile(two_bodies("revolute"))
    sim = B.Simulation(model, 1e-3, tolerance=tolerance)
    turned = two_bodies("revolute")
    q = np.array([0.5, 0.1, -0.7, 0.4])
    q /= np.linalg.norm(q)
    R = quaternion_matrix(q)

    def product(a, b):
        w = a[0] * b[0] - np.dot(a[1:], b[1:])
        return (w, *(a[0] * np.array(b[1:]) + b[0] * np.array(a[1:]) + np.cross(a[1:], b[1:])))

    parts = [
        B.Body(
            b.name,
            b.mass,
            b.inertia,
            tuple(R @ b.position),
            product(q, b.orientation),
            tuple(R @ b.velocity),
            tuple(R @ b.angular_velocity),
        )
        for b in turned.bodies
    ]
    j = turned.elements[0]
    joint = B.Revolute(
        name="joint",
        body_a="first",
        body_b="second",
        position=tuple(R @ j.position),
        axis=tuple(R @ j.axis),
    )
    other = B.Simulation(
        B.compile(B.Mechanism("turned", tuple(parts), (joint,), gravity=B.Gravity((0, 0, 0)))),
        1e-3,
        tolerance=tolerance,
    )
    sim.run(500)
    other.run(500)
    for name in ("first", "second"):
        np.testing.assert_allclose(other.position(name), R @ sim.position(name), atol=same)
        np.testing.assert_allclose(
            other.angular_velocity(name), R @ sim.angular_velocity(name), atol=10 * same
        )


@pytest.mark.parametrize(("kind", "even"), [(B.ConstantVelocity, True), (B.Universal, False)])
def test_a_constant_velocity_joint_passes_the_spin_on_evenly(kind, even):
    """The first of two shafts at 30 degrees turns steadily; with a universal joint the second one's
    speed varies between cos and 1/cos of the angle times the first one's."""
    bend = (np.cos(np.pi / 6), np.sin(np.pi / 6), 0.0)
    bodies = (B.Body("in", 1.0, (0.1, 0.1, 0.1)), B.Body("out", 1.0, (0.1, 0.1, 0.1)))
    pins = {"axis": (0, 0, 1), "axis_b": (-bend[1], bend[0], 0.0)}
    shafts = {"axis": (1, 0, 0), "axis_b": bend}
    elements = (
        B.Revolute(name="a", body_a="ground", body_b="in", axis=(1, 0, 0)),
        B.Revolute(name="b", body_a="ground", body_b="out", axis=bend),
        kind(name="joint", body_a="in", body_b="out", **(shafts if even else pins)),
        B.Motor(name="motor", joint="a", target=5.0),
    )
    run = B.simulate(B.compile(B.Mechanism("m", bodies, elements)), 2.0, 1e-3)
    speeds = run.angular_velocity("out")[5:] @ np.array(bend)
    if even:
        np.testing.assert_allclose(speeds, 5.0, rtol=1e-6)
    else:
        assert speeds.max() == pytest.approx(5.0 / bend[0], rel=1e-2)
        assert speeds.min() == pytest.approx(5.0 * bend[0], rel=1e-2)


def test_the_axes_of_a_spinning_shaft_stay_together_to_third_order_in_the_step():
    """Constraints on velocities alone would part the axes by ``h^2 spin turn / 2`` [rad] in a step h.

    A prediction within the step avoids it. spin, turn: angular speeds of shaft and housing.
    """
    spin, turning = 300.0, (0.0, 0.5, 0.2)

    def bend(h):
        housing = B.Body("housing", 100.0, (10.0, 10.0, 10.0), angular_velocity=turning)
        shaft = B.Body("shaft", 5.0, (0.01, 0.02, 0.02), angular_velocity=(spin, *turning[1:]))
        bearing = B.Revolute(
            name="bearing", body_a="housing", body_b="shaft", position=(0, 0, 0), axis=(1, 0, 0)
        )
        model = B.compile(
            B.Mechanism("shaft", (housing, shaft), (bearing,), gravity=B.Gravity((0, 0, 0)))
        )
        sim = B.Simulation(model, h, tolerance=1.0)  # so large that no error is projected
        sim.run(round(0.2 / h))
        return sim.joint_error()[1]

    coarse, fine = bend(1e-3), bend(5e-4)
    assert coarse / fine > 6.0
    assert coarse < 0.5 * (0.5e-6 * spin * np.hypot(*turning[1:]))
