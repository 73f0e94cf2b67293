"""Exudyn, Pinocchio, Drake and the co-simulation units: the quarter vehicle moves as in ``bodies``."""

import importlib.util
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.host_cases import quarter as q
from benchmarks.hosts import NEEDS, not_installed, runner
from contact.hosts import HostError
from contact.hosts.wheel_unit import WheelOnSoftGround
from tests.commands import printed

BELOW = "wheel 0 is 5.* m below the terrain, more than its diameter; .* too soft for the load"


def function_of(host):
    if (command := not_installed(host)) is not None:
        pytest.skip(f"{host} is not installed: {command}")
    return runner(host)[0]


@pytest.mark.parametrize("host", list(NEEDS))
@pytest.mark.parametrize("scheme", ["implicit", "local"])
def test_first_seconds_of_the_quarter_vehicle(host, scheme):
    function = function_of(host)
    case = q.Quarter.of_table_1(scheme, begin=6.0)
    exact = q.reference(case, scheme, 1000, own_pull=host.endswith("quarter"))
    run = function(case, 1000)
    assert np.abs(exact).max() > 0.5  # the vehicle moves
    assert q.error(run, exact, case.wheel.tyre.radius) < 1e-5
    assert run.worst_residual < 1e-10
    assert run.missed == 0


@pytest.mark.slow
@pytest.mark.parametrize("host", list(NEEDS))
@pytest.mark.parametrize("scheme", ["implicit", "local"])
def test_the_whole_test_of_the_paper(host, scheme):
    """Quarter vehicle of Peiret et al. in each host, 20 s with steps of 1 ms: the error of velocities is
    below 1e-3 of the largest speed, of the steady slip below 1e-5."""
    function = function_of(host)
    case = q.Quarter.of_table_1(scheme)
    exact = q.reference(case, scheme, 20_000)
    run = function(case, 20_000)
    assert q.error(run, exact, case.wheel.tyre.radius) < 1e-3
    assert q.slip(run, case.wheel.tyre.radius) == pytest.approx(0.322534, abs=1e-5)


@pytest.mark.parametrize("host", [host for host in NEEDS if not host.startswith("fmi")])
def test_a_wheel_metres_below_the_terrain_is_a_sentence_in_every_host(host):
    function, deep = function_of(host), replace(q.Quarter.of_table_1("implicit"), height=-5.0)
    with pytest.raises(HostError, match=BELOW):
        function(deep, 5)


def test_a_wheel_metres_below_the_terrain_is_a_sentence_in_the_unit():
    unit = WheelOnSoftGround()
    unit.values["position_z"] = -5.0
    unit.start()
    with pytest.raises(HostError, match=BELOW):
        unit.step(0.0, 1e-3)


def test_pinocchio_refuses_what_it_cannot_use():
    pin = pytest.importorskip("pinocchio", reason="pip install 'wheelground[pinocchio]'")
    from contact.hosts.pinocchio import PinocchioGround

    model = pin.buildModelFromXML(
        '<robot name="r"><link name="a"/><link name="b"><inertial><mass value="0"/>'
        '<inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        '<joint name="hub" type="continuous"><parent link="a"/><child link="b"/>'
        '<axis xyz="0 1 0"/></joint></robot>'
    )
    wheel = q.Quarter.of_table_1("implicit").wheel
    with pytest.raises(HostError, match="no joint 'wheel' in the model .joints: hub"):
        PinocchioGround(model, {"wheel": wheel})
    ground = PinocchioGround(model, {"hub": wheel})
    with pytest.raises(HostError, match="mass matrix is not positive definite"):
        ground.step(pin.neutral(model), np.zeros(1), np.zeros(1), 1e-3)


def test_exudyn_with_algebraic_equations_is_refused():
    exu = pytest.importorskip("exudyn", reason="pip install 'wheelground[exudyn]'")
    from exudyn.itemInterface import (
        MarkerBodyRigid,
        MarkerNodeCoordinate,
        NodeRigidBodyEP,
        ObjectConnectorCoordinate,
        ObjectRigidBody,
    )

    from contact.hosts.exudyn import ExudynGround

    mbs = exu.SystemContainer().AddSystem()
    node = mbs.AddNode(NodeRigidBodyEP(referenceCoordinates=[0, 0, 0.3, 1, 0, 0, 0]))
    body = mbs.AddObject(ObjectRigidBody(nodeNumber=node, mass=1.0, inertia=[1.0] * 6))
    ends = [mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=k)) for k in (0, 1)]
    mbs.AddObject(ObjectConnectorCoordinate(markerNumbers=ends))
    marker = mbs.AddMarker(MarkerBodyRigid(bodyNumber=body))
    ground = ExudynGround(mbs, {marker: q.Quarter.of_table_1("implicit").wheel})
    mbs.Assemble()
    with pytest.raises(HostError, match="algebraic equations"):
        ground.simulate(exu.SimulationSettings())


def test_adapters_load_their_hosts_on_use_only():
    code = (
        "import sys, contact.hosts.generic, contact.hosts.mujoco, contact.hosts.exudyn\n"
        "import contact.hosts.pinocchio, contact.hosts.drake, contact.hosts.fmu\n"
        "print([m for m in ('mujoco', 'exudyn', 'pinocchio', 'pydrake', 'pythonfmu3', 'scipy.linalg')"
        " if m in sys.modules])"
    )
    assert printed("-c", code).strip() == "[]"


def test_benchmark_names_the_missing_and_refuses_the_unknown(monkeypatch, capsys):
    from benchmarks import hosts

    found = importlib.util.find_spec
    monkeypatch.setattr(
        hosts.importlib.util, "find_spec", lambda name: None if name == "exudyn" else found(name)
    )
    assert hosts.main(host=("exudyn",)) == 1
    assert "exudyn: not installed; pip install 'wheelground[exudyn]'" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        hosts.main(host=("mujocco",))
    assert "did you mean 'mujoco'?" in capsys.readouterr().err


def test_benchmark_writes_the_agreed_keys(tmp_path, capsys):
    import json

    from benchmarks import hosts

    file = tmp_path / "hosts.json"
    assert hosts.main(host=("generic",), duration=3.0, json_file=file) == 0
    rows = json.loads(file.read_text())
    keys = ["host", "version", "case", "max_velocity_error", "steady_slip", "creep_mm",
            "us_per_step_host", "us_per_step_ground", "passed"]  # fmt: skip
    assert [list(row) for row in rows] == [keys, keys]
    assert all(row["passed"] is True and row["host"] == "generic" for row in rows)
