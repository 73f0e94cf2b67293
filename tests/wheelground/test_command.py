"""The command ``wheelground``: printed numbers against balances, messages for wrong arguments."""

import csv
import importlib.util

import numpy as np
import pytest

import bodies
import mlcp
import wheelground
from bodies import vehicle
from contact import LAWS, ConeIndexSoil, Tyre
from wheelground.command import COMPARISONS, app, main
from wheelground.commands import doctor
from wheelground.commands.drive import static_loads


def run(capsys, *words):
    """(exit code, standard output, standard error)."""
    with pytest.raises(SystemExit) as left:
        main(words)
    printed = capsys.readouterr()
    return left.value.code, printed.out, printed.err


def test_the_main_names_are_those_of_the_packages():
    for name in wheelground.__all__:
        assert getattr(wheelground, name) is not None
    assert wheelground.simulate is bodies.simulate
    assert wheelground.solve is mlcp.solve
    with pytest.raises(AttributeError, match="did you mean 'simulate'"):
        assert wheelground.simulat


@pytest.mark.parametrize("name", ["hmmwv", "rover"])
def test_static_loads_balance_the_weight(name):
    mechanism = vehicle.read(name).mechanism()
    loads, gravity = static_loads(mechanism), -mechanism.gravity.acceleration[2]
    weights = np.array([gravity * body.mass for body in mechanism.bodies])
    assert loads.sum() == pytest.approx(weights.sum())
    for axis in (0, 1):
        levers = [wheel.centre[axis] for wheel in mechanism.wheels]
        moment = weights @ [b.position[axis] for b in mechanism.bodies]
        assert loads @ levers == pytest.approx(moment, abs=1e-9 * weights.sum())  # moments [N m]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("drve",), "did you mean 'drive'"),
        (("drive", "hmmvw"), "did you mean 'hmmwv'"),
        (("drive", "--regularisation", "implict"), "did you mean 'implicit'"),
        (("drive", "--cone-index", "300"), "300 kPa are 300000"),
        (("drawbar", "--cone-index", "400"), "400 kPa are 400000"),
        (("quarter", "--cone-index", "0.4"), "0.4 MPa are 400000"),
        (("full", "--cone-index", "400"), "400 kPa are 400000"),
        (("drive", "--table", "run.xls"), "known: .csv, .nc, .parquet"),
        (("drive", "--video", "run.avi"), "known: .gif, .mp4"),
        (("drive", "--duration", "0"), "duration"),
        (("compare", "solver"), "did you mean 'solvers'"),
        (("drawbar", "--law", "brixus"), "did you mean 'brixius'"),
        (("drawbar", "--soil", "dry snd"), "did you mean 'dry sand'"),
        (("drawbar", "--law", "wong-reece"), "it needs pressure-sinkage and shear parameters"),
        (("drawbar", "--load", "-1"), "load"),
        (("examples", "pendlum"), "did you mean 'pendulum'"),
        (("solve", "nowhere.npz"), "nowhere.npz is no file"),
        (("examples", "pendulum", "--to", __file__), "--to "),
        (("drive", "--html", f"{__file__}/run.html"), "--html "),
        (("landscape", "--out", "place", "--seed", "-1"), "make_landscape.seed = -1"),
        (("landscape", "--out", "place", "--cells", "99999999999"), "allocate"),
        (("report", "laaws"), "did you mean 'laws'"),
    ],
)
def test_bad_input_is_one_sentence_with_the_nearest_name(capsys, tmp_path, monkeypatch, words, sentence):
    monkeypatch.chdir(tmp_path)
    code, out, complained = run(capsys, *words)
    assert code == 2
    assert sentence in complained
    assert len(complained.strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == []
    assert "Traceback" not in out + complained


@pytest.mark.parametrize(
    ("option", "module", "extra"),
    [
        ("--html=run.html", "viser", "view"),
        ("--video=run.mp4", "imageio_ffmpeg", "video"),
        ("--table=run.nc", "xarray", "data"),
    ],
)
def test_a_missing_extra_is_told_before_the_drive(capsys, monkeypatch, option, module, extra):
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == module else find(name))
    code, _, complained = run(capsys, "drive", option)
    assert code == 2
    assert f"pip install 'wheelground[{extra}]'" in complained


def test_a_drive_on_a_slope_begins_where_its_file_puts_it(capsys, tmp_path):
    text = 'base = "hmmwv"\norigin_m = [20.0, 5.0]\n[ground]\ntype = "slope"\ngrade_x = 0.2\n'
    (tmp_path / "uphill.toml").write_text(text)
    words = ["--duration", "0.1", "--table", str(tmp_path / "run.csv"), "--out", str(tmp_path)]
    assert run(capsys, "drive", str(tmp_path / "uphill.toml"), *words)[0] == 0
    with open(tmp_path / "run.csv", newline="") as file:
        first = next(csv.DictReader(file))
    frame = next(b for b in vehicle.load(tmp_path / "uphill.toml").bodies if b.name == "frame")
    for axis, value in zip("xy", frame.position, strict=False):
        assert float(first[f"frame.{axis} [m]"]) == pytest.approx(value, abs=0.2)


def test_a_file_that_is_no_problem_is_a_sentence_without_advice_of_others(capsys, tmp_path):
    (tmp_path / "text.npz").write_text("hello")
    code, _, complained = run(capsys, "solve", str(tmp_path / "text.npz"))
    assert code == 2
    assert "is not a dumped problem: it is no .npz file." in complained
    assert "pickle" not in complained


def test_a_file_that_cannot_be_written_is_named_with_its_option(capsys, tmp_path):
    mlcp.dump(mlcp.MLCP([[1.0]], [-1.0], [0.0], [2.0]), tmp_path / "one.npz")
    code, _, complained = run(capsys, "solve", str(tmp_path / "one.npz"), "--out", str(tmp_path))
    assert (code, complained) == (2, f"error: --out {tmp_path} is a directory; give a file\n")


def test_without_a_word_it_shows_what_there_is(capsys):
    code, out, _ = run(capsys)
    assert code == 0
    for name in (
        "quarter",
        "full",
        "pull",
        "drive",
        "drawbar",
        "compare",
        "solve",
        "report",
        "doctor",
        "examples",
    ):
        assert name in out
        assert name in list(app)


def test_comparisons_are_programs_that_exist():
    for module in COMPARISONS.values():
        assert importlib.util.find_spec(module) is not None


def test_drawbar_is_the_energy_balance_of_the_law(capsys, tmp_path):
    """Tractive efficiency: pull times speed over the shaft's power, (mu - gamma) (1 - i) / (mu + rho).

    mu, gamma, rho: ratios of thrust, resistance and rolling moment; i: slip.
    """
    code, out, _ = run(capsys, "drawbar", "--out", str(tmp_path))
    law, soil, tyre = LAWS["brixius"], ConeIndexSoil(4e5), Tyre(0.94, 0.32, 0.24)
    mu, gamma, rho = (
        float(f(0.1, 6500.0, tyre, soil))
        for f in (law.thrust_ratio, law.resistance_ratio, law.rolling_moment_ratio)
    )
    (row,) = (line.split() for line in out.splitlines() if line.split()[:1] == ["0.10"])
    assert code == 0
    assert float(row[2]) == pytest.approx(6500.0 * (mu - gamma), abs=0.5)
    assert float(row[4]) == pytest.approx((mu - gamma) * 0.9 / (mu + rho), abs=5e-4)
    assert (tmp_path / "drawbar.png").stat().st_size > 10_000


def test_solve_writes_what_it_found_and_judges_it(capsys, tmp_path):
    file = mlcp.dump(mlcp.MLCP([[2.0, 1.0], [1.0, 2.0]], [-5.0, -6.0]), tmp_path / "problem")
    code, out, _ = run(capsys, "solve", str(file), "--out", str(tmp_path / "z.npz"))
    assert code == 0
    assert "natural residual" in out
    np.testing.assert_allclose(np.load(tmp_path / "z.npz")["z"], [4 / 3, 7 / 3])
    worse = mlcp.dump(mlcp.MLCP([[0.0]], [-1.0]), tmp_path / "impossible")
    assert run(capsys, "solve", str(worse))[0] == 1


def test_examples_are_copied_whole_and_never_over_others(capsys, tmp_path):
    code, _, _ = run(capsys, "examples", "pendulum", "--to", str(tmp_path))
    assert code == 0
    assert "def main" in (tmp_path / "pendulum.py").read_text()
    code, _, complained = run(capsys, "examples", "pendulum", "--to", str(tmp_path))
    assert code == 2
    assert "is there already" in complained
    assert run(capsys, "examples", "leaf_springs", "--to", str(tmp_path))[0] == 0
    assert (tmp_path / "leaf_springs.toml").exists()  # copied too, since the script reads it


def test_the_doctor_lists_every_extra_with_its_command(capsys):
    code, out, _ = run(capsys, "doctor")
    assert code == 0
    for extra in doctor.EXTRAS:
        assert extra.name in out
        if extra.absent:
            assert f"pip install 'wheelground[{extra.name}]'" in out  # in one line, to be copied


def test_the_doctor_names_what_is_missing(capsys, monkeypatch):
    monkeypatch.setattr(doctor, "NEEDED", (*doctor.NEEDED, "no_such_package"))
    code, out, _ = run(capsys, "doctor")
    assert code == 1
    assert "pip install no_such_package" in out


@pytest.mark.parametrize(
    "words",
    [
        ("quarter",),
        ("full",),
        ("pull",),
        ("report",),
        ("compare", "laws"),
        ("drawbar",),
        ("drive",),
        ("solve",),
    ],
)
def test_help_names_what_was_typed(capsys, words):
    code, printed, _ = run(capsys, *words, "--help")
    assert code == 0
    assert printed.startswith(f"Usage: wheelground {' '.join(words)}")


@pytest.mark.parametrize("command", ["drive", "quarter"])
def test_a_scheme_has_a_short_name_and_an_unknown_one_a_sentence(capsys, command):
    code, _, complained = run(capsys, command, "--scheme", "implicite")
    assert code == 2
    assert "unknown regularisation 'implicite'; did you mean 'implicit'?" in complained


def test_an_example_that_lacks_an_extra_says_how_to_get_it(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "mujoco" else name)
    _, printed, _ = run(capsys, "examples", "host_mujoco", "pendulum", "--to", str(tmp_path))
    assert "host_mujoco.py needs: pip install 'wheelground[mujoco]'" in printed
    assert "pendulum.py needs" not in printed
