"""Files with mistakes: refused in one sentence, or a mechanism that runs.

Seeded mutations (``mutants``) of every shipped vehicle and of mechanism files with most kinds of table
(``files_to_break``). No library's exception and no number that is not finite may result.
"""

import re
import zlib
from pathlib import Path

import numpy as np
import pytest

import bodies as B
from bodies import vehicle
from bodies.files import mechanism_from_toml

from .files_to_break import FILES
from .mutants import mutants

SOURCE = "x.toml"


def read_vehicle(text):
    """Mechanism of a vehicle's text; a trailer behind its towing vehicle."""
    read = vehicle.from_toml(text, SOURCE)
    if any(isinstance(part, vehicle.Hitch) for part in read.parts):
        return vehicle.read("hmmwv").mechanism(towing=(read,))
    return read.mechanism()


def read_mechanism(text):
    return mechanism_from_toml(text, SOURCE)


EXAMPLES = Path(__file__).parents[2] / "examples"
BACKHOE = Path(B.__file__).parent / "hydraulics" / "backhoe.toml"
OWN = ("leaf_springs", "utility_vehicle")  # further files, with parts not in the shipped ones
ALL = (
    {name: (vehicle.path_of(name).read_text(), read_vehicle) for name in vehicle.shipped()}
    | {name: ((EXAMPLES / f"{name}.toml").read_text(), read_vehicle) for name in OWN}
    | {name: (text, read_mechanism) for name, text in FILES.items()}
    | {"backhoe": (BACKHOE.read_text(), read_mechanism)}
)


def judge(read, text, done):
    """True if the mutant is a mechanism that runs ten steps, False if it is refused by a sentence."""
    try:
        mechanism = read(text)
        sim = B.Simulation(B.compile(mechanism), 1e-3)
        sim.run(10)
    except B.MechanismError as error:
        said = str(error)
        assert re.match(rf"{SOURCE}: |mechanism '|\w+ '", said), (done, said)
        assert said.endswith((".", ")")) or "; known: " in said, (done, said)
        assert "\n" not in said, (done, said)
        assert len(said) < 1000, (done, said)
        for raw in ("inhomogeneous", "broadcast", "ndarray", "object is not", "NoneType", "unpack"):
            assert raw not in said, (done, said)
        return False
    for body in mechanism.bodies:
        assert 0.0 < body.mass <= 1e9, done
        assert np.abs(body.position).max() <= 1e7, done
        assert np.isfinite(sim.position(body.name)).all(), done
        assert np.isfinite(sim.velocity(body.name)).all(), done
    for element in mechanism.elements:
        assert np.min(getattr(element, "capacity", 0.0)) >= 0.0, done
        assert np.min(getattr(element, "damping", 0.0)) >= 0.0, done
    return True


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    ("seed", "count", "most"), [(0, 10, 9), pytest.param(1, 300, 99, marks=pytest.mark.slow)]
)
def test_a_mutant_is_refused_by_a_sentence_or_runs(name, seed, count, most):
    """Of ``count`` files with mistakes at most ``most`` run; the others are refused."""
    text, read = ALL[name]
    assert judge(read, text, "as it is")
    with np.errstate(all="raise", under="ignore"):
        told = [
            judge(read, t, done) for t, done in mutants(text, zlib.crc32(name.encode()) + seed, count)
        ]
    assert sum(told) <= most
