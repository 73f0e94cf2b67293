"""Lazily compiled kernels: loaded before a live run, or compiled by a second process during it."""

import inspect
import os
import sys
import types

import pytest

from rig import Rig, make
from rig.outside import background_compilation
from rig.outside.live import live


class Unit:
    def __init__(self, name, kept):
        self.name, self.kept, self.entry, self.found = name, kept, None, False

    def is_kept(self):
        return self.kept

    def find(self, announce: bool = True) -> int:
        self.found = True
        return 1


@pytest.fixture
def units(monkeypatch):
    made = [Unit(background_compilation.SOON[0], False), Unit("kept", True), Unit("rare", False)]
    monkeypatch.setattr(background_compilation, "lazy_units", lambda: made)
    monkeypatch.setattr("mlcp.jit.can_keep", lambda entry: True)
    return made


def test_what_is_kept_or_soon_needed_is_loaded(units):
    background_compilation.load()
    assert [unit.found for unit in units] == [True, True, False]


def test_the_rest_is_compiled_elsewhere_until_the_run_ends(units, monkeypatch):
    begun, ended = [], []
    helper = types.SimpleNamespace(terminate=lambda: ended.append(True), wait=lambda: None)
    monkeypatch.setattr(
        background_compilation.subprocess, "Popen", lambda words, **more: begun.append(words) or helper
    )
    with background_compilation.compiling_the_rest():
        assert len(begun) == 1
        assert not ended
        monkeypatch.setattr(os, "nice", lambda by: by)
        monkeypatch.setattr(sys, "path", list(sys.path))
        exec(begun[0][-1])
        assert all(unit.found for unit in units)
    assert ended
    units[0].kept = units[2].kept = True
    with background_compilation.compiling_the_rest():
        assert len(begun) == 1


def test_the_units_of_this_test_are_called_as_those_of_a_step_are():
    real = background_compilation.lazy_units()[0]
    assert inspect.signature(Unit.find).parameters.keys() == {
        "self",
        *inspect.signature(real.find).parameters,
    }


def test_it_knows_what_a_step_can_reach():
    assert set(background_compilation.SOON) <= {
        unit.name for unit in background_compilation.lazy_units()
    }


def test_a_solved_machine_goes_live():
    machine = make("machine", "described", file="skid_steer")
    run = live(Rig(0.01, machine=machine, begin=False), 0.05, web_port=-1)
    assert run.time[-1] == pytest.approx(0.05)
