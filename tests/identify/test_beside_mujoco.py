"""Fits to a double pendulum equal those of MuJoCo's least squares and of ``mujoco.sysid`` by SciPy."""

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
    return mujoco.MjSpec.from_string(to_mjcf(compile(mechanism)).xml)


SPEC = pendulum()
MODEL = SPEC.compile()
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


@pytest.fixture(scope="module")
def sysid():
    """The module ``mujoco.sysid``; skips the test if it is not installed with its dependencies."""
    found = pytest.importorskip("mujoco.sysid")
    if not hasattr(found, "optimize"):
        pytest.skip("mujoco.sysid is not installed whole: pip install 'mujoco[sysid]'")
    return found


def modifier(name):
    """Function that writes an unknown into MuJoCo's model before its compilation."""

    def change(spec, parameter):
        value = float(np.asarray(parameter.value).ravel()[0])
        if name == "damping":
            for joint in spec.joints:
                joint.damping = [value, 0.0, 0.0]
        else:
            spec.body(name).mass = value
            spec.body(name).fullinertia = value * np.array([0.02, 0.02, 1e-3, 0.0, 0.0, 0.0])

    return change


def test_values_are_those_of_mujoco_sysid(sysid):
    """``mujoco.sysid`` and ``identify`` fit the same values to one log of one exported model.

    ``mujoco.sysid`` weighs each signal by its norm, and so does the log here.
    """
    measured = log()
    norms = {name: NOISE * float(np.linalg.norm(y)) for name, y in measured.measured.items()}
    measured = Log(measured.time, measured.signals, norms)
    found = fit_log(measured, swinging, UNKNOWN, outliers=0.0)
    spec = SPEC.copy()
    spec.option.timestep = STEP
    hinge = spec.joints[0]
    spec.add_actuator(name="torque", trntype=mujoco.mjtTrn.mjTRN_JOINT, target=hinge.name)
    model = spec.compile()
    names = [(joint.name, sysid.SignalType.MjStateQPos) for joint in spec.joints]
    angles = np.array([measured.measured[name] for name in ("first", "second")]).T
    clock = STEP * np.arange(round(SECONDS / STEP) + 1)
    sequences = sysid.ModelSequences(
        "pendulum",
        spec,
        "drive",
        sysid.create_initial_state(model, np.zeros(2)),
        sysid.TimeSeries.from_control_names(clock, 2.0 * np.sin(3.0 * clock)[:, None], model),
        sysid.TimeSeries.from_names(np.asarray(measured.time), angles, model, names),
        allow_missing_sensors=True,
    )
    parameters = sysid.ParameterDict(
        {
            name: sysid.Parameter(name, one.start, one.low, one.high, modifier=modifier(name))
            for name, one in UNKNOWN.items()
        }
    )
    seen = [(f"{name}_qpos", kind) for name, kind in names]
    residual = sysid.build_residual_fn(
        models_sequences=[sequences], enabled_observations=seen, n_threads=1
    )
    best, _ = sysid.optimize(parameters, residual, "scipy", verbose=False)
    for name, value in zip(UNKNOWN, best.as_vector(), strict=True):
        assert found.values[name] == pytest.approx(value, rel=1e-5)
