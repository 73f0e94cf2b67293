"""Fits to a double pendulum equal those of MuJoCo's least squares."""

import numpy as np
import pytest

from bodies import Body, Gravity, Mechanism, compile, to_mjcf
from bodies.joints import Revolute
from identify import Log, Unknown, fit_log

mujoco = pytest.importorskip("mujoco", reason="mujoco is not installed: no peer to fit with")
minimize = pytest.importorskip("mujoco.minimize", reason="this mujoco has no least squares")

STEP, SAMPLE, SECONDS, NOISE = 2e-3, 25, 4.0, 0.01
TRUTH = {"upper": 1.2, "lower": 0.7, "damping": 0.15}  # masses of the rods [kg], damping [N m s]
UNKNOWN = {
    "upper": Unknown(1.0, 0.3, 3.0),
    "lower": Unknown(1.0, 0.3, 3.0),
    "damping": Unknown(0.05, 0.0, 1.0),
}


def pendulum():
    """Two rods of 0.5 m on hinges, as a MuJoCo model exported from ``bodies``."""
    rods = [
        Body(name, 1.0, (0.02, 0.02, 1e-3), position=(0.0, 0.0, -0.25 - 0.5 * k))
        for k, name in enumerate(("upper", "lower"))
    ]
    hinges = [
        Revolute(
            name=f"hinge {b}", body_a=a, body_b=b, position=(0.0, 0.0, -0.5 * k), axis=(0.0, 1.0, 0.0)
        )
        for k, (a, b) in enumerate((("ground", "upper"), ("upper", "lower")))
    ]
    mechanism = Mechanism("pendulum", rods, hinges, gravity=Gravity((0.0, 0.0, -9.81)))
    return mujoco.MjModel.from_xml_string(to_mjcf(compile(mechanism)).xml)


MODEL = pendulum()
LINKS = {name: MODEL.body(name).id for name in ("upper", "lower")}


def swinging(values):
    """Angles of both hinges from a known torque on the upper one, by MuJoCo."""
    model, data = MODEL, mujoco.MjData(MODEL)
    model.opt.timestep = STEP
    for name, k in LINKS.items():
        model.body_mass[k] = values[name]
        model.body_inertia[k] = values[name] * np.array([0.02, 0.02, 1e-3])
    model.dof_damping[:] = values["damping"]
    mujoco.mj_setConst(model, data)
    times, angles = [], []
    for k in range(round(SECONDS / STEP) + 1):
        if k % SAMPLE == 0:
            times.append(data.time)
            angles.append(data.qpos.copy())
        data.qfrc_applied[0] = 2.0 * np.sin(3.0 * data.time)
        mujoco.mj_step(model, data)
    return np.array(times), dict(zip(("first", "second"), np.array(angles).T, strict=True))


def log():
    times, angles = swinging(TRUTH)
    rng = np.random.default_rng(3)
    spoilt = {name: y + NOISE * rng.standard_normal(y.size) for name, y in angles.items()}
    return Log(times, spoilt, dict.fromkeys(angles, NOISE))


def test_values_and_residual_are_those_of_mujocos_least_squares():
    measured = log()
    found = fit_log(measured, swinging, UNKNOWN)

    def residual(x):
        columns = [measured.errors(swinging, dict(zip(UNKNOWN, one, strict=True))) for one in x.T]
        return np.array(columns).T

    bounds = [np.array([getattr(one, end) for one in UNKNOWN.values()]) for end in ("low", "high")]
    start = np.array([one.start for one in UNKNOWN.values()])
    x, _ = minimize.least_squares(
        start, residual, bounds=bounds, verbose=minimize.Verbosity.SILENT, gtol=1e-10, xtol=1e-10
    )
    theirs = dict(zip(UNKNOWN, x.ravel(), strict=True))
    assert found.verdict == "determined"
    assert found.chi_square == pytest.approx(float(np.sum(residual(x.reshape(-1, 1)) ** 2)), rel=1e-8)
    for name, value in theirs.items():
        assert found.values[name] == pytest.approx(value, rel=1e-5)
        low, high = found.interval(name, 0.999)
        assert low < TRUTH[name] < high
