"""Damaged files of a map: repaired if possible, else named; layers keep their bytes."""

import shutil

import numpy as np
import pytest

from mobility import Inputs, make_map

from .places import layer_bytes, write

SHAPE = (40, 50)


@pytest.fixture(scope="module")
def kept(table, tmp_path_factory):
    """A finished map of six tiles, its inputs and the bytes of its layers."""
    folder = tmp_path_factory.mktemp("kept")
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]].astype(float)
    soil = write(folder / "ci.tif", 250.0 + 150.0 * np.sin(x / 17.0) + 30.0 * np.cos(y / 9.0))
    inputs = Inputs(soil, write(folder / "dem.tif", 60.0 * np.sin(x / 13.0) * np.cos(y / 16.0)))
    make_map(table, inputs, folder / "map", size=20, threads=1, page=False)
    return folder / "map", inputs, layer_bytes(folder / "map")


def flipped(data, random):
    data = bytearray(data)
    data[random.integers(len(data))] ^= 1 << int(random.integers(8))
    return bytes(data)


DAMAGES = {
    "a flipped bit": flipped,
    "cut": lambda data, random: data[: random.integers(len(data))],
    "emptied": lambda data, random: b"",
    "overwritten": lambda data, random: random.bytes(len(data)),
    "zeros": lambda data, random: bytes(len(data)),
    "longer": lambda data, random: data + random.bytes(40),
    "of another": lambda data, random: b'{"zarr_format": 3, "node_type": "array"}',
    "a list": lambda data, random: b"[1, 2]",
}


def again(table, kept, out):
    """Make the map again in a damaged folder, as the messages advise; returns the computed tiles."""
    _, inputs, right = kept
    for _ in range(2):
        try:
            made = make_map(table, inputs, out, size=20, threads=1, page=False)
        except ValueError as error:
            told = str(error)
            assert str(out) in told
            assert "\n" not in told
            assert len(told) < 400
            shutil.rmtree(out / "tiles.zarr" if "delete that folder" in told else out)
        else:
            assert layer_bytes(out) == right
            return made.computed
    raise AssertionError("what the sentence says did not help")


@pytest.mark.parametrize("how", sorted(DAMAGES))
def test_a_damaged_chunk_is_made_anew(table, kept, tmp_path, how):
    out = shutil.copytree(kept[0], tmp_path / "map")
    random = np.random.default_rng(7)
    chunk = out / "tiles.zarr" / "speed" / "c" / "1" / "1"
    chunk.write_bytes(DAMAGES[how](chunk.read_bytes(), random))
    made = make_map(table, kept[1], out, size=20, threads=1, page=False)
    assert (made.tiles, made.computed) == (6, how != "longer")  # a longer chunk is readable as it is
    assert layer_bytes(out) == kept[2]


@pytest.mark.parametrize("data", [b"{", b"\xff\xfe{}", b"[]", b'"x"', b"", b"null"])
@pytest.mark.parametrize("where", ["zarr.json", "chance/zarr.json"])
def test_a_damaged_store_is_named_with_what_to_do(table, kept, tmp_path, where, data):
    out = shutil.copytree(kept[0], tmp_path / "map")
    (out / "tiles.zarr" / where).write_bytes(data)
    with pytest.raises(
        ValueError, match=r"map/tiles\.zarr is damaged: .*delete that folder and run again"
    ):
        make_map(table, kept[1], out, size=20, threads=1, page=False)
    assert again(table, kept, out) == 6


def test_a_description_that_reads_well_and_is_another_maps_is_refused(table, kept, tmp_path):
    """A description with another type, size or codec is refused: chunks would give wrong numbers."""
    out = shutil.copytree(kept[0], tmp_path / "map")
    place = out / "tiles.zarr" / "speed" / "zarr.json"
    for old, new in (('"float32"', '"int32"'), ("40", "41"), ('"shuffle"', '"noshuffle"')):
        text = place.read_text(encoding="utf-8")
        assert old in text
        place.write_text(text.replace(old, new, 1), encoding="utf-8")
        with pytest.raises(ValueError, match=r"tiles\.zarr is damaged"):
            make_map(table, kept[1], out, size=20, threads=1, page=False)
        place.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("seed", "count"), [(1, 6), *(pytest.param(s, 60, marks=pytest.mark.slow) for s in range(2, 6))]
)
def test_whatever_is_damaged_the_layers_are_the_same_afterwards(table, kept, tmp_path, seed, count):
    random = np.random.default_rng(seed)
    for k in range(count):
        out = shutil.copytree(kept[0], tmp_path / f"map{k}")
        files = sorted(path for path in out.rglob("*") if path.is_file())
        for _ in range(random.integers(1, 4)):
            path = files[random.integers(len(files))]
            way = sorted(DAMAGES)[random.integers(len(DAMAGES))]
            path.write_bytes(DAMAGES[way](path.read_bytes() or b" ", random))
        again(table, kept, out)
        shutil.rmtree(out)
