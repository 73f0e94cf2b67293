"""Renamed functions and arguments work by their old name for one more release, with a warning."""

import types

import pytest

from mlcp import renamed


@renamed.attributes(size="radius")
class Wheel:
    def __init__(self, radius):
        self.radius = radius


def test_an_old_attribute_is_the_new_one():
    with pytest.warns(DeprecationWarning, match=r"Wheel\.size is now called radius"):
        assert Wheel(2.0).size == 2.0


def test_an_old_argument_is_the_new_one_of_functions_and_classes():
    half = renamed.arguments(size="radius")(lambda radius: radius / 2.0)
    with pytest.warns(DeprecationWarning, match="radius="):
        assert half(size=2.0) == 1.0
    with pytest.warns(DeprecationWarning, match=r"Wheel\(size=\) is now called radius="):
        assert renamed.arguments(size="radius")(Wheel)(size=3.0).radius == 3.0


def test_an_old_name_of_a_module_is_the_new_one_and_others_are_none(monkeypatch):
    module = types.ModuleType("wheels")
    module.Wheel = Wheel
    module.__getattr__ = renamed.names("wheels", Roller="Wheel")
    monkeypatch.setitem(__import__("sys").modules, "wheels", module)
    with pytest.warns(DeprecationWarning, match=r"wheels\.Roller is now called Wheel"):
        assert module.Roller is Wheel
    with pytest.raises(AttributeError, match="has no attribute 'Tyre'"):
        _ = module.Tyre
