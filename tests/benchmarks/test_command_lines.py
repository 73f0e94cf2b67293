"""Benchmarks refuse a wrong command line by one sentence and exit code 2."""

import subprocess
import sys
from pathlib import Path

import pytest

from bodies import vehicle
from tests.commands import python, typed
from wheelground.reports import cli

ROOT = Path(__file__).parent.parent.parent


HMMWV = vehicle.path_of("hmmwv").read_text()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("mass_kg = 420.0", "mass_kg = -420.0", "[[cab]] 'cab', body: mass_kg = -420.0 must be above 0"),
        ('driven = "rear pinion"', 'driven = "reer pinion"', "did you mean 'rear pinion'"),
        ("diameter_m = 0.94", 'diameter_m = "0.94"', "diameter_m must be a number, got '0.94'"),
        ('law = "brixius"', 'law = { type = "brixus" }', "did you mean 'brixius'"),
        ('name = "hmmwv"', 'name = "hmmwv"\nbase = "mine.toml"', "base leads back"),
        ("steering = 0.0", "steering = 90.0", "90 degrees are 1.571 rad"),
        ("throttle = 0.0", "throtle = 0.0", "did you mean 'throtle'"),
        ('name = "rear"\nguide', 'name = "reer"\nguide', "reer"),
        ("mass_kg = 1076.68", "mass_kg = 900076.68", "its spring pushes with"),
    ],
)
def test_a_vehicle_that_is_none_is_refused_by_a_sentence(tmp_path, old, new, said):
    assert old in HMMWV
    path = tmp_path / "mine.toml"
    path.write_text(HMMWV.replace(old, new, 1))
    words = ("--vehicle", path, "--duration", "0.1", "--out", tmp_path / "out")
    run = typed("benchmarks.full_vehicle", *words, "--solver", "direct")
    assert run.returncode == 2, run.stdout + run.stderr
    assert run.stderr.splitlines()[-1].startswith("error: ")  # messages of the compilation may precede
    assert said in run.stderr
    assert not (tmp_path / "out").exists()


def test_links_and_devices_are_files_to_write(tmp_path):
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    for path in (tmp_path / "link.json", Path("/dev/null")):
        cli.writable_file(path)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("quarter --vehicle-mass -5", "vehicle_mass = -5.0 kg must be above 0"),
        ("quarter --cone-index nan", "cone_index = nan must be a finite number"),
        ("quarter --step 0", "step = 0.0 s must be above 0"),
        ("quarter --regularisation locl", "did you mean 'local'?"),
        ("quarter --solver osqpp", "did you mean 'osqp'?"),
        ("quarter --deflection-ratio 1.5", "deflection_ratio = 1.5 must be at least 0"),
        ("quarter --v0 -1", "v_0 = -1.0 m/s must be above 0"),
        ("quarter --json /nowhere/results.json", "does not exist"),
        ("quarter --json=-", "--json - is no file; standard output holds the tables"),
        ("quarter --out /proc/nowhere", "--out /proc/nowhere cannot be written"),
        ("full --json -", "--json - is no file; standard output holds the tables"),
        ("full --vehicle hmwv", "did you mean 'hmmwv'"),
        ("full --step 0", "step = 0.0 s must be above 0"),
        ("full --cone-index -3", "cone_index = -3.0 Pa must be above 0"),
        ("full --regularisation globl", "did you mean 'global'"),
        ("compare schemes --step 7", "step = 7.0 s must be at least 1e-05 and at most 1 s"),
        ("compare schemes --case brakin", "did you mean 'braking'?"),
        ("compare schemes --law wett", "did you mean 'wet'?"),
        ("compare laws --json -", "--json - is no file; standard output holds the tables"),
        ("compare laws --out README.md", "--out README.md is a file; give a directory"),
        ("compare solvers --out /proc/nowhere", "--out /proc/nowhere cannot be written"),
    ],
)
def test_a_wrong_command_line_is_one_sentence_and_writes_nothing(words, sentence, tmp_path):
    out = () if "--out" in words else ("--out", tmp_path / "out")
    run = typed("wheelground", *words.split(), *out)
    assert run.returncode == 2, run.stdout + run.stderr
    assert run.stderr.startswith("error: ")
    assert sentence in run.stderr
    assert len(run.stderr.splitlines()) == 1
    assert not (tmp_path / "out").exists()
    assert not (ROOT / "-").exists()


@pytest.mark.parametrize(
    ("module", "words"),
    [
        ("contact.hosts.fmu", ("--fmi", "2.5", "--out", "never.fmu")),
        ("contact.hosts.fmu", ("--fmi", "4", "--out", "never.fmu")),
        ("benchmarks.full_vehicle", ("--port", "80.5", "--view")),
        ("benchmarks.host_cases.quarter_unit", ("--fmi", "2.5", "--out", "never.fmu")),
    ],
)
def test_a_number_that_is_not_whole_is_not_rounded(module, words):
    run = typed(module, *words)
    assert run.returncode != 0
    assert not (ROOT / "never.fmu").exists()
    assert words[1] in run.stdout + run.stderr


def test_a_narrow_screen_cuts_no_number(tmp_path):
    run = python("-m", "wheelground", "drawbar", "--out", tmp_path, COLUMNS="40")
    assert run.returncode == 0
    assert "\u2026" not in run.stdout
    assert "tractive efficiency [-]" in run.stdout


@pytest.mark.parametrize("words", [("benchmarks",), ("wheelground", "doctor")])
def test_a_reader_that_has_gone_ends_it_as_a_closed_pipe_does(words):
    with subprocess.Popen(
        [sys.executable, "-m", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.close()
        told = run.stderr.read()
        assert run.wait(timeout=300) == cli.CLOSED
    assert told == ""


def test_a_unit_in_brackets_is_printed_and_a_colour_is_not(capsys):
    from rich.table import Table

    table = Table(title="ticks [us]")
    for head in ("step [ms]", "speed [m/s]", "creep [mm]", "pressure [MPa]", "[green]good", "gap [-]"):
        table.add_column(head)
    table.add_row("x [m]", *5 * [""])
    cli.console().print(table)
    told = capsys.readouterr().out
    for word in ("ticks [us]", "step [ms]", "speed [m/s]", "creep [mm]", "[MPa]", "gap [-]", "x [m]"):
        assert word in told
    assert "[green]" not in told
