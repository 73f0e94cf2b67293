"""Blocks on one bus: exchange of blocks, messages on wrong connections, equal bytes of equal rigs."""

import copy
import dataclasses
import itertools
import pathlib
import pickle
from typing import ClassVar

import numpy as np
import pytest

import rig
from rig import bus
from rig.block import Block
from tests.refusals import refusals
from tests.rig.guided import GUIDED, STEERED, TRACTOR

FULL = TRACTOR | {"operator": "steady", "drive_train": "first-order", "implement": "drawn"}
RIGS = {
    "full": FULL,
    "driven by hand": STEERED | {"operator": "steady", "drive_train": "ideal"},
    "bare": {"chassis": "bicycle"},
}
PAIRS = [
    pytest.param(name, category, block, id=f"{name}: {category} {block}")
    for name, blocks in RIGS.items()
    for category in blocks
    for block in rig.BLOCKS[category]
]


def built(name="full", **more):
    return rig.Rig(0.01, speed=3.0, **RIGS[name] | more)


@pytest.mark.parametrize(("name", "category", "block"), PAIRS)
def test_every_block_takes_the_place_of_another(name, category, block):
    r = built(name)
    r.swap(category, block)
    run = r.run(0.3)
    assert np.isfinite(run.values).all()
    assert run["position"][-1, 0] > 0.1


@pytest.mark.parametrize("order", rig.ORDERS)
def test_the_same_rig_writes_the_same_bytes_whatever_order_its_blocks_came_in(order):
    digests = set()
    for names in itertools.islice(itertools.permutations(FULL), 0, 40320, 9001):
        r = rig.Rig(0.01, speed=3.0, order=order, **{c: FULL[c] for c in names})
        digests.add(r.run(2.0).digest())
        r.reset()
        digests.add(r.run(2.0).digest())
    assert len(digests) == 1


def test_in_parallel_a_change_takes_a_tick_for_every_block_it_passes():
    """The steer angle first changes three ticks later in parallel than in sequence."""
    moved = {}
    for order in rig.ORDERS:
        r = rig.Rig(0.01, order=order, speed=3.0, start={"position": (0.0, 1.0, 0.0)}, **GUIDED)
        moved[order] = int(np.flatnonzero(r.run(0.1)["steer_angle"])[0])
    assert moved == {"sequence": 1, "parallel": 4}


def test_a_state_gives_the_same_future():
    r = built()
    r.run(1.23)
    state = r.state()
    one = r.run(2.0)
    r.restore(state)
    two = r.run(2.0)
    assert one.digest() == two.digest()
    whole = built().run(3.23)
    assert (whole.values[123:] == one.values).all()


def test_a_rig_comes_back_from_its_file(tmp_path):
    r = built(
        path=rig.field_work(50.0, 12.0, 5.0),
        seed=4,
        start={"position": (0.0, 0.5, 0.0)},
        gnss=rig.make("gnss", "rtk", outages=((0.2, 0.3),), compensation="heading"),
        guidance=rig.make("guidance", "off-track", k_e=0.05, period=0.1),
    )
    r.write(tmp_path / "rig.toml")
    back = rig.Rig.read(tmp_path / "rig.toml")
    assert back.run(2.0).digest() == r.run(2.0).digest()
    assert "mass_kg = 9391.0" in (tmp_path / "rig.toml").read_text()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tick_s = 0.01\n[chasis]\nblock = 'bicycle'", "unknown key 'chasis'; did you mean 'chassis'"),
        ("[chassis]\nblock = 'bycicle'", "unknown chassis 'bycicle'; did you mean 'bicycle'"),
        ("[chassis]\nblock = 'bicycle'\nmass = 3.0", "unknown key 'mass'; did you mean 'mass_kg'"),
        ("[chassis]\nblock = 'bicycle'\nmass_kg = 'heavy'", "mass = 'heavy' must be a finite number"),
        ("chassis = 'bicycle'", "chassis must be a table"),
        ("[path]\nlength = 3.0", "path: unknown key 'length'"),
        ("[path]\nstart_m = [0.0, 0.0]", "must each be"),
        ("tick_s = ", "cannot be read as a rig"),
        ("tick_s = -1.0", "tick = -1.0 must be a time"),
        ("tick_s = 'a'", "tick = 'a' must be a time"),
    ],
)
def test_bad_files_are_sentences(tmp_path, text, words):
    (tmp_path / "rig.toml").write_text(text)
    with pytest.raises(rig.RigError, match=words):
        rig.Rig.read(tmp_path / "rig.toml")


class Own(Block):
    """A user's chassis with changeable ports, for wrong connections."""

    category, name = "chassis", "own"
    more: ClassVar[dict] = {}
    less: ClassVar[dict] = {}

    @property
    def inputs(self):
        return {**super().inputs, **self.less}

    @property
    def outputs(self):
        return {**super().outputs, **self.more}

    def advance(self, time, h):
        pass


class Twice(Own):
    """A chassis that writes the steer angle, as the steering does."""

    more: ClassVar[dict] = {"steer_angle": rig.Port("rad")}


def reading(**ports):
    """A rig whose chassis reads these ports, too."""
    return built(chassis=type("Reading", (Own,), {"less": ports})())


test_misconnections_are_sentences = refusals(
    (lambda: built().add(rig.make("chassis", "kinematic")), "'kinematic' would both write"),
    (lambda: built(chassis=Twice()), "both write 'steer_angle'"),
    (lambda: reading(steer_angle=rig.Port("deg")), r"in \[deg\], the bus carries it in \[rad\]"),
    (lambda: reading(steer_angle=rig.Port("rad", (2,))), r"shape \(2,\), on the bus it is \(\)"),
    (lambda: reading(steer_angel=rig.Port("rad")), "unknown signal 'steer_angel'; did you mean"),
    (lambda: rig.Rig(guidance="look-ahead"), "nobody writes: the rig has no gnss block"),
    (lambda: rig.Rig(guidance=rig.make("guidance", "stanley", period=0.015)), "0.01 s; 0.02 s is"),
    (lambda: rig.Rig(chasis="bicycle"), "unknown category 'chasis'; did you mean 'chassis'"),
    (lambda: rig.Rig(chassis="bycicle"), "did you mean 'bicycle'"),
    (lambda: rig.Rig(chassis=rig.make("steering", "perfect")), "is no chassis block; give it as steeri"),
    (lambda: rig.make("chassis", "bicycle", mas=3.0), "no parameter 'mas'; did you mean 'mass'"),
    (lambda: rig.make("chassis", "bicycle", mass=-3.0), "mass = -3.0 must be within 1 to"),
    (lambda: rig.make("chassis", "bicycle", sigma_f=0.0), "must both be above 0 m"),
    (lambda: rig.Rig(order="sequential"), "unknown order 'sequential'; did you mean 'sequence'"),
    (lambda: rig.Rig(start={"positon": 0.0}), "did you mean 'position'"),
    (lambda: rig.Rig(start={"position": (1.0, 2.0)}), "must be 3 finite numbers"),
    (lambda: rig.Rig(speed=float("nan")), "speed = nan must be a finite number"),
    (lambda: rig.Rig(path=[(0, 0), (1, 1)]), "must be a Path"),
    (lambda: rig.Rig(terrain=3.0), r"must have a height\(x, y\)"),
    (lambda: rig.Rig(seed=-1), "seed = -1 must be a whole number"),
    (lambda: built().run(0.015), "no multiple of the tick 0.01 s; 0.02 s is"),
    (lambda: built().run(0.1)["yawrate"], "did you mean 'yaw_rate'"),
    error=rig.RigError,
)


def test_a_swap_that_does_not_fit_changes_nothing():
    r = built()
    with pytest.raises(rig.RigError):
        r.swap("chassis", Twice())
    assert r.blocks["chassis"].name == "bicycle"
    r.run(0.1)


def test_a_block_of_ones_own_joins_by_its_category():
    @dataclasses.dataclass
    class Sliding(Block):
        """A chassis that moves along x."""

        category: ClassVar[str] = "chassis"
        name: ClassVar[str] = "sliding"

        def advance(self, time, h):
            self.output("position")[0] += h * self.input("speed_command")[0]

    assert rig.Rig(0.1, chassis=Sliding(), speed=2.0).run(3.0)["position"][-1, 0] == pytest.approx(6.0)


def test_a_number_that_is_none_stops_the_run_with_its_signal():
    class Broken(Own):
        def advance(self, time, h):
            if time > 0.495:
                self.output("yaw_rate")[0] = np.nan

    broken = rig.Rig(0.01, chassis=Broken())
    with pytest.raises(rig.RigError, match="at 0.51 s signal 'yaw_rate' is no longer a finite number"):
        broken.run(1.0)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_copy_is_refused(copied):
    """Views of the signals do not survive a copy: its machine stood still."""
    with pytest.raises(rig.RigError, match="cannot be copied"):
        copied(rig.Rig(chassis="kinematic", speed=2.0))


def test_files_of_a_written_rig_are_found_from_other_folders(tmp_path, monkeypatch):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    (tmp_path / "a" / "car.toml").write_text('base = "tractor"\n')
    monkeypatch.chdir(tmp_path / "a")
    r = rig.Rig(chassis=rig.make("chassis", "four-wheel", vehicle="car.toml"), begin=False)
    r.write("beside.toml")
    r.write(tmp_path / "b" / "away.toml")
    monkeypatch.chdir(tmp_path)
    for name in ("a/beside.toml", "b/away.toml"):
        found = rig.Rig.read(name, begin=False).blocks["chassis"].vehicle
        assert pathlib.Path(found).samefile("a/car.toml")
    assert 'vehicle = "car.toml"' in pathlib.Path("a/beside.toml").read_text()


def test_bad_bus_tables_are_sentences(tmp_path):
    good = bus.TABLE.read_text()
    for old, new, words in (
        ('by = "gnss"', 'by = "gns"', "unknown category 'gns'; did you mean 'gnss'"),
        ('reads = ["steer_command"', 'reads = ["steer_comand"', "did you mean 'steer_command'"),
        ('"operator", "gnss"', '"gnss"', "order must name every category once"),
        ("timeout_s", "time_out", "unknown key 'time_out'"),
    ):
        path = tmp_path / "bus.toml"
        path.write_text(good.replace(old, new))
        with pytest.raises(rig.RigError, match=words):
            rig.Bus.read(path)
    with pytest.raises(rig.RigError, match="is no table of a bus"):
        rig.Bus.read(tmp_path / "none.toml")


def test_a_record_is_written_for_others(tmp_path):
    run = built().run(0.5)
    run.to_csv(tmp_path / "run.csv")
    table = np.genfromtxt(tmp_path / "run.csv", delimiter=",", names=True, deletechars="")
    assert table["position[0]"] == pytest.approx(run["position"][:, 0])
    assert table["time"][-1] == 0.5


def test_a_rig_that_begins_later_runs_the_same_bytes():
    late = built(begin=False)
    assert not late.begun
    np.testing.assert_array_equal(late["position"], built()["position"])
    late.swap("chassis", "kinematic")
    late.swap("chassis", FULL["chassis"])
    assert not late.begun
    assert late.run(2.0).digest() == built().run(2.0).digest()
    assert late.begun
    late.reset()
    assert late.begun
