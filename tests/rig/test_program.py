"""The command ``rig`` lists blocks, drives, and refuses bad input; ``import rig`` loads little."""

import sys
import types

import numpy as np
import pytest

from rig.__main__ import app
from rig.command.arguments import boundary_of, machine
from rig.command.driving import drive_paced
from rig.command.report import report
from tests.commands import printed


def call(*words):
    return app(list(words), exit_on_error=False, print_error=False, result_action="return_value")


def test_list_names_every_block(capsys):
    assert call("list") == 0
    told = capsys.readouterr().out
    for word in ("chassis", "bicycle", "look-ahead", "third-order", "rtk"):
        assert word in told


def test_a_drive_says_how_it_went_and_comes_back_from_its_file(tmp_path, capsys):
    words = ("--seconds", "20", "--save", str(tmp_path / "rig.toml"), "--csv", str(tmp_path / "run.csv"))
    assert call("drive", *words) == 0
    first = capsys.readouterr().out
    assert first.startswith("20 s, 90.")
    assert call("drive", str(tmp_path / "rig.toml"), "--seconds", "20") == 0
    assert capsys.readouterr().out == first
    assert len((tmp_path / "run.csv").read_text().splitlines()) == 2002


def test_a_live_machine_stands_until_somebody_comes():
    def driven(speed, **more):
        run = machine(speed, 1.0, "straight", 0, **more).run(3.0)
        assert ("guidance did not steer" in report(run)) == (speed is None and bool(more))
        return np.ptp(run["position"][:, :2], axis=0).max(), np.ptp(run["steer_angle"])

    assert driven(None, live=True) == (0.0, 0.0)
    assert driven(2.0, live=True)[0] == pytest.approx(6.0, rel=0.01)
    assert driven(None)[0] == pytest.approx(13.5, rel=0.01)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--block", "chasis=bicycle"), "error: unknown category 'chasis'; did you mean 'chassis'"),
        (("--block", "chassis"), "must read category=block"),
        (("--path", "strait"), "unknown path 'strait'; did you mean 'straight'"),
        (("nowhere.toml",), "error: nowhere.toml cannot be read as a rig"),
        (("--seconds", "0.001"), "no multiple of the tick"),
        (("--csv", "/no/such/folder/a.csv"), "error: /no/such/folder/a.csv cannot be written"),
        (("hmmwv", "--live", "--web-port", "0", "--seconds", "0.001"), "no multiple of the tick"),
        (("hmmwv", "--live", "--web-port", "0", "--policy", "strickt"), "did you mean 'strict'"),
        (("--speed", "1e300"), "s a block cannot use its numbers: "),
        (("--off", "1e300"), "s a block cannot use its numbers: "),
        (("--seconds", "9e8"), "a record of 90000000000 ticks does not fit into the memory"),
        (("--can", "hub"), "--can needs --live"),
        (("--boundary", "field.csv"), "--boundary needs --live"),
        (("--policy", "strict"), "--policy needs --live"),
    ],
)
def test_bad_input_is_one_line(words, told, capsys):
    assert call("drive", *words) == 2
    error = capsys.readouterr().err
    assert told in error
    assert len(error.splitlines()) == 1


def test_a_controller_without_a_duration_is_refused(capsys):
    assert call("guide", "4711", "--seconds", "nan") == 2
    assert "--seconds nan must be above 0" in capsys.readouterr().err


def test_corners_of_a_spreadsheet_are_a_boundary(tmp_path):
    (tmp_path / "field.csv").write_text("0,0\n10,0\n10,10\n", encoding="utf-8-sig")
    assert boundary_of(tmp_path / "field.csv", None).tolist() == [[0, 0], [10, 0], [10, 10]]


def test_a_swap_that_names_no_block_is_told_by_its_own_option(tmp_path, capsys):
    journal = str(tmp_path / "a.mcap")
    assert call("drive", "--seconds", "0.1", "--journal", journal) == 0
    capsys.readouterr()
    assert call("replay", journal, "--swap", "guidance") == 2
    assert "error: --swap guidance must read category=block" in capsys.readouterr().err


@pytest.mark.parametrize(("host", "at"), [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "field-computer")])
def test_a_cockpit_s_address_can_be_opened(host, at, monkeypatch, capsys):
    front = types.SimpleNamespace(lines=[], hub=-1, port=4711, web_port=8010, token="key")

    def live(rig, seconds, *, on_start, **named):
        on_start(front)
        return types.SimpleNamespace(deficit="")

    monkeypatch.setattr("rig.outside.live.live", live)
    monkeypatch.setattr("socket.gethostname", lambda: "field-computer")
    drive_paced(None, 1.0, None, host=host, scene=False)
    told = capsys.readouterr().out.splitlines()
    assert told[0].split()[1] == f"http://{at}:8010/#key"
    assert told[1].split()[1] == f"{at}:4711,"


def test_importing_the_rig_loads_no_more_than_bodies():
    code = "import sys, {}; print(*{{name.split('.')[0] for name in sys.modules}})"
    loaded = [
        set(printed("-c", code.format(name)).split())
        for name in ("bodies", "rig", "rig.outside.front_process")
    ]
    assert loaded[1] - loaded[0] - set(sys.stdlib_module_names) == {"rig"}
    assert not {"numba", "bodies"} & loaded[2]  # the process with the sockets imports no compiler


def test_a_guide_interrupted_before_its_controller_exists_says_so(capsys, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("rig.outside.can.controller.Controller", interrupt)
    assert call("guide", "1") == 130
    assert capsys.readouterr().out == "stopped\n"
