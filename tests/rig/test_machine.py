"""A user's machine: its signals, panel, journal, and a client of its signals."""

import pathlib
import re

import numpy as np
import pytest

import rig
from bodies import vehicle
from contact.terrain import Plane
from rig import Gauge, Lever, Links, Panel, RigError
from rig.__main__ import app
from rig.command.arguments import rig_of
from rig.command.report import report
from rig.outside.cockpit import describe
from rig.outside.journal import Journal
from rig.outside.net.client import Client
from rig.outside.net.schema import Hello
from rig.outside.net.server import Server, values_of
from rig.outside.replay import read
from rig.outside.view.picture import Picture
from tests.refusals import refusals

from .machines import loader

ENDS = ("up", "down")
LIFT = Lever("lift_lever", keys=("a", "b"), stick=(0, 1), ends=ENDS)
LINKS = {"signal": "x", "pin": [0.0, 0.0], "lengths": [], "degrees": []}
PANEL = """
[panel]
signals = { lift_lever = { low = -0.5, high = 0.5, timeout_s = 0.4 } }

[[panel.levers]]
signal = "lift_lever"
low = -0.5
high = 0.5
keys = ["s", "w"]

[[panel.gauges]]
signal = "cylinder_extension"
label = "lift"
unit = "m"

[panel.camera]
eye = [3.0, -4.0, 2.0]
target = [1.0, 0.0, 1.0]
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "my_loader.toml"
    path.write_text(loader(), encoding="utf-8")
    return path


def made(file, **given):
    return rig.Rig(0.01, machine=rig.make("machine", "described", file=str(file)), **given)


def test_each_input_is_a_signal_and_a_lever_and_each_cylinder_two_gauges(file):
    r = rig_of(file, None, 0.0, "straight", 0, True, True)
    assert [lever.signal for lever in r.panel.levers] == ["lift_lever", "tilt_lever"]
    assert [g.label for g in r.panel.gauges] == ["oil", "lift head", "lift rod", "tilt head", "tilt rod"]
    assert r.bus.signals["cylinder_pressure"].port.shape == (4,)
    assert "swing_lever" not in r.bus.signals
    machine = describe(r, "loader")
    assert {"lift_lever", "cylinder_pressure", "position"} <= set(machine["signals"])
    assert len(Picture.of(r).drawn.bodies) == 2


def test_a_lever_moves_its_cylinder_and_a_held_machine_stands(file):
    run = made(file).run(1.0, outside=lambda time: {"lift_lever": 0.5})
    lift, tilt = run["cylinder_extension"].T
    assert lift[-1] - lift[0] > 0.02
    assert abs(tilt[-1] - tilt[0]) < 2e-3
    still = made(file).run(1.0)["cylinder_extension"]
    assert np.ptp(still, axis=0).max() < 1e-3


def test_its_journal_replays_to_the_byte_without_its_file(file, tmp_path):
    r, path = made(file, begin=False), tmp_path / "a.mcap"
    levers = lambda time: {"lift_lever": 0.4, "tilt_lever": -0.3 if time > 0.1 else 0.0}  # noqa: E731
    with Journal(path, r, signals=("cylinder_pressure", "position"), rate=100.0) as journal:
        run = r.run(0.3, outside=journal.outside(levers))
    file.unlink()
    again, differs = read(path).replay()
    assert differs is None
    assert again.digest() == run.digest()


def test_a_client_reads_a_signal_of_its_own_and_moves_another(file):
    r = made(file, begin=False)
    hello = Hello("operator", signals=("cylinder_extension",), inputs=("tilt_lever",))
    with Server(bus=r.bus) as server, Client(server.port, hello) as desk:
        desk.send({"tilt_lever": 0.5})
        while not (came := server.inputs()):
            pass
        assert came == {"tilt_lever": 0.5}
        server.publish(0, 0.0, values_of(r))
        _, seen = desk.newest(5.0)
        assert seen["cylinder_extension"].shape == (2,)


def test_a_rig_file_has_its_own_panel(file, tmp_path):
    path, again = tmp_path / "my_rig.toml", tmp_path / "again.toml"
    path.write_text(f'[machine]\nblock = "described"\nfile = {str(file)!r}\n{PANEL}', encoding="utf-8")
    r = rig_of(path)
    assert r.panel.levers == (Lever("lift_lever", low=-0.5, high=0.5, keys=("s", "w")),)
    assert r.panel.gauges == (Gauge("cylinder_extension", "lift", unit="m"),)
    assert r.bus.signals["lift_lever"].timeout == 0.4
    assert Picture.of(r).camera == ((3.0, -4.0, 2.0), (1.0, 0.0, 1.0))
    r.write(again)
    assert rig.Rig.read(again, begin=False).panel == r.panel


def test_a_machine_is_found_beside_its_rigs_file(file, tmp_path, monkeypatch):
    path = tmp_path / "there" / "my_rig.toml"
    path.parent.mkdir()
    (path.parent / "own.toml").write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    path.write_text('[machine]\nblock = "described"\nfile = "own.toml"\n', encoding="utf-8")
    (tmp_path / "own.toml").write_text("another file of the working directory", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert {"lift_lever", "tilt_lever"} <= set(rig_of(path).bus.signals)


@pytest.mark.parametrize(
    ("panel", "words"),
    [
        (Panel((Lever("lift_leaver"),)), "a lever sets an unknown signal 'lift_leaver'; did you mean"),
        (Panel((Lever("position"),)), "lever 'position': a block of the rig writes this signal"),
        (Panel(gauges=(Gauge("cylinder_extension", index=2),)), "index = 2 must be 0 to 1"),
        (Panel(links=Links("position", (0.0, 0.0), (1.0,) * 4, (0.0,) * 4)), "'position' has 3 angles"),
        (Panel((Lever("lift_lever", high=2.0),)), "from -1 to 2 must stay within the signal's -1 to 1"),
        (Panel(signals={"lift_leaver": {}}), "panel: unknown signal 'lift_leaver'"),
        (Panel(signals={"lift_lever": {"hgih": 1.0}}), "unknown key 'hgih'; did you mean 'high'"),
        (Panel(signals={"lift_lever": {"safe": 7.0}}), "must be within -1 to 1, safe between both"),
        (Panel(signals={"lift_lever": {"low": -5.0}}), "signals.lift_lever: low = -5"),
        (Panel(signals={"position": {"low": 0.0}}), "signals.position: a block of the rig writes"),
        (Panel(signals={"lift_lever": {"by": "x"}}), "signals.lift_lever: by = 'x' cannot be changed"),
        (Panel(signals={"lift_lever": {"timeout_s": -1.0}}), "timeout = -1 s must be 0 or more"),
        (Panel((Lever("lift_lever"),) * 2), "signal 'lift_lever' of lever 'lift_lever' is that of"),
        (Panel((LIFT, Lever("tilt_lever", keys=("b", "c")))), "key 'b' of lever 'tilt_lever' is that"),
        (Panel((LIFT, Lever("tilt_lever", stick=(0, 1), ends=ENDS))), "stick (0, 1) of lever 'tilt_l"),
        (Panel((Lever("lift_lever", keys=("g", "h")),), guidance=True), "is that of the switch of gui"),
    ],
)
def test_a_panel_that_does_not_fit_is_a_sentence(file, panel, words):
    with pytest.raises(RigError, match=re.escape(words)):
        made(file, panel=panel, begin=False)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"leavers": []}, "unknown key 'leavers'; did you mean 'levers'"),
        ({"levers": [{"label": "x"}]}, "levers[0]: the key 'signal' is missing"),
        ({"levers": [{"signal": "x", "low": 1.0, "high": 0.0}]}, "low = 1 must be below high = 0"),
        ({"levers": [{"signal": "x", "low": 0.2}]}, "low = 0.2 to high = 1 must contain 0"),
        ({"levers": 3}, "levers must be tables [[panel.levers]]"),
        ({"levers": [{"signal": "x", "keys": ["a", "a"]}]}, "keys = ('a', 'a') must be two, down"),
        ({"levers": [{"signal": "x", "keys": ["a", " "]}]}, "not the space bar, which stops"),
        ({"levers": [{"signal": "x", "stick": [3, 0], "ends": ["a", "b"]}]}, "must be a stick 0, 1"),
        ({"levers": [{"signal": "x", "stick": [2, 2], "ends": ["a", "b"]}]}, "and its axis 0 or 1"),
        ({"levers": [{"signal": "x", "stick": [0, 0]}]}, "stick 0, 1 or 2 and its axis 0 or 1, with "),
        ({"levers": [{"signal": "x", "pad": [-1, 1.0]}]}, "pad = (-1.0, 1.0) must begin with 0"),
        ({"levers": [{"signal": "x", "buttons": [0, -1]}]}, "buttons = (0, -1) must begin with"),
        ({"levers": [{"signal": "x", "keys": ["ab", "c"]}]}, "'ab' must be one character or a"),
        ({"levers": [{"signal": "x", "keys": ["Control", "c"]}]}, "'Control' must be one character"),
        ({"levers": [{"signal": "x", "rate": 0.0}]}, "rate = 0"),
        ({"levers": [{"signal": "x", "back": -1.0}]}, "back = -1"),
        ({"levers": [{"signal": "x", "step": -1.0}]}, "step = -1"),
        ({"levers": [{"signal": "x", "step": 3.0}]}, "step = 3 must be within its range"),
        ({"levers": [{"signal": "x", "factor": 0.0}]}, "factor = 0 must not be 0"),
        ({"levers": [{"signal": "x", "pad": [0, 0.0]}]}, "pad = (0.0, 0.0) must end with its sign"),
        ({"levers": [{"signal": "x", "buttons": [1, 1]}]}, "(1, 1) must be two different ones"),
        ({"gauges": [{"signal": "x", "factor": 0.0}]}, "gauge 'x': factor = 0"),
        ({"links": LINKS | {"lengths": [-1.0], "degrees": [0.0]}}, "lengths above 0"),
        ({"gauges": [{"signal": "x", "digits": 13}]}, "digits"),
        ({"gauges": [{"signal": "x", "low": 1.0}]}, "low below high, got low = 1.0, high = None"),
        ({"gauges": [{"signal": "x", "low": 1.0, "high": 1.0}]}, "a bar needs low below high"),
        ({"links": LINKS}, "need lengths"),
        ({"camera": {"eye": [1.0, 0, 0], "target": [1.0, 0, 0]}}, "must be at another place"),
        ({"camera": {"eye": [1e300, 0.0, 0.0], "target": [1.0, 0.0, 0.0]}}, "less than 10000 m away"),
        ({"gauges": [{"signal": "x", "digits": "two"}]}, "digits"),
        ({"camera": {"eye": [0.0, 0.0], "target": [0.0, 0.0, 0.0]}}, "eye"),
    ],
)
def test_a_table_that_is_no_panel_is_a_sentence(table, words):
    with pytest.raises(RigError, match=re.escape(words)):
        Panel.of(table)


test_a_machine_that_is_none_is_a_sentence = refusals(
    ({"file": "skid_stear"}, "machine 'described': .*'skid_stear' is unknown.*skid_steer"),
    ({"file": "a.toml", "text": 'name = "a"\n[[body]]\nname = "b"'}, "mass_kg"),
    ({"file": 3}, "file = 3 must be the name of a file"),
    *(({"file": "rover", "step": step}, "step") for step in (1e-300, 1e-7, -1.0, np.nan)),
    of=lambda given: rig.make("machine", "described", **given),
    error=RigError,
)


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("command = 'lift lever'", "command = 'left lever'", "'left lever' is unknown"),
        ("[inputs]", "[inputs]\nlift_lever = 0.0", "have the same signal 'lift_lever'"),
        ("name = 'loader'", "", "the key 'name'"),
        ("name = 'loader'", "name = 'loader'\n[panel]", "[panel] belongs in the file of a rig"),
        (None, "", "describes no machine: it has no name and no block"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_machine_s_file_is_one_line_of_the_program(file, before, after, words, capsys):
    text = file.read_text(encoding="utf-8").replace('"', "'") if before else ""
    assert before is None or before in text
    file.write_text(text.replace(before or " ", after, 1), encoding="utf-8")
    given = {"exit_on_error": False, "print_error": False, "result_action": "return_value"}
    assert app(["drive", str(file), "--seconds", "0.1"], **given) == 2
    told = capsys.readouterr().err
    assert told.startswith("error: ")
    assert words in told
    assert told.count("\n") == 1


def test_outline_in_the_cockpit_is_in_axes_of_the_machine_at_any_heading():
    def outline(yaw):
        start = {"attitude": (0.0, 0.0, yaw)}
        r = rig.Rig(0.01, machine=rig.make("machine", "described"), start=start, begin=False)
        shown = describe(r)
        return [*shown["hull"], *np.ravel(shown["wheels"])]

    assert outline(np.pi / 2.0) == pytest.approx(outline(0.0), abs=1e-12)


@pytest.mark.parametrize("terrain", [None, Plane(grade_x=0.1)])
def test_an_origin_without_a_height_stands_on_the_ground(terrain, tmp_path):
    path = tmp_path / "standing.toml"
    path.write_text('base = "tractor"\norigin_m = [30.0, 0.0]\n', encoding="utf-8")
    r = made(path, terrain=terrain, begin=False)
    lowest = [
        w.centre[2] - w.radius - (0.0 if terrain is None else terrain.height(*w.centre[:2]))
        for w in r.blocks["machine"].described().wheels
    ]
    assert min(lowest) == pytest.approx(0.0, abs=1e-9)


def test_a_solve_beyond_its_limits_is_counted_and_the_machine_drives_on(monkeypatch):
    def driven(limits):
        monkeypatch.setattr("rig.posed.STRESS_LIMITS", limits)
        r = rig.Rig(0.01, machine=rig.make("machine", "described", file="rover"))
        return r.run(3.0, outside=lambda time: {"left": 0.5, "right": -0.5})

    exact = driven({})
    limited = driven({"max_newton_steps": 0, "max_passes": 6})
    assert exact.missed == 0 < limited.missed < 300
    assert np.abs(limited["position"] - exact["position"]).max() < 1e-3
    assert f"{limited.missed} steps missed" in report(limited)[-1]
    assert "missed" not in " ".join(report(exact))


def test_a_base_beside_the_file_is_found_from_another_folder(tmp_path, monkeypatch):
    (tmp_path / "its_base.toml").write_text('base = "skid_steer"\nname = "base"\n', encoding="utf-8")
    own = tmp_path / "own.toml"
    own.write_text('base = "its_base.toml"\nname = "mine"\n', encoding="utf-8")
    monkeypatch.chdir(pathlib.Path(__file__).parent)
    written = tmp_path / "rig.toml"
    made(own, begin=False).write(written)
    assert rig.Rig.read(written).blocks["machine"].found.name == "mine"


def test_a_machine_beside_the_origin_of_its_file_begins_at_the_height_of_its_ground(tmp_path):
    """With a height of its origin; the height of the ground was taken at the world's origin."""
    text = vehicle.path_of("skid_steer").read_text(encoding="utf-8")
    heights = []
    for x in (0.0, 30.0):
        (tmp_path / "car.toml").write_text(f"origin_m = [{x}, 0.0, 0.1]\n{text}", encoding="utf-8")
        block = rig.make("machine", "described", file=str(tmp_path / "car.toml"))
        rig.Rig(0.01, machine=block, terrain=Plane(grade_x=0.1), begin=False)
        heights.append(block.described().bodies[0].position[2])
    assert heights[1] - heights[0] == pytest.approx(3.0)
