"""Checks of arguments by their annotations: accepted values, conversions, messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import pytest
from numpy.typing import ArrayLike

from mlcp.kinds import Checking, Range, Shape, above, checked, within


class Refusal(ValueError):
    """Error class of a package, which its checked functions raise."""


@checked
def takes(
    number: float = 0.0,
    far: float = np.inf,
    count: int = 0,
    on: bool = False,
    name: str = "a",
    path: str | Path = ".",
    maybe: float | None = None,
    pair: tuple[float, float] = (0.0, 0.0),
    row: tuple[float, ...] = (),
    names: Sequence[str] = (),
    table: Mapping[str, float] | None = None,
    array: ArrayLike = 0.0,
    held: np.ndarray | None = None,
    way: Literal["in", "out"] = "in",
    function: Callable[..., object] | None = None,
    share: Annotated[float, within(0.0, 1.0)] = 0.0,
    mass: Annotated[float, above(0.0, "kg")] | None = None,
    gear: Annotated[int, within(1, 6)] = 1,
    points: Annotated[ArrayLike, Shape(last=2)] = ((0.0, 0.0),),
    either: float | str = 0.0,
) -> dict[str, object]:
    return dict(locals())


GOOD = [
    ("number", 3, 3.0),
    ("number", np.float32(0.5), 0.5),
    ("number", Fraction(1, 2), 0.5),
    ("far", -np.inf, -np.inf),
    ("count", 0.7 / 1e-3, 700),
    ("count", np.int8(3), 3),
    ("count", 2**62 + 1, 2**62 + 1),
    ("on", np.True_, True),
    ("path", Path("x"), Path("x")),
    ("maybe", None, None),
    ("pair", np.array([1, 2]), (1.0, 2.0)),
    ("row", [1, 2, 3], (1.0, 2.0, 3.0)),
    ("names", ["a"], ["a"]),
    ("table", {"a": 1.0}, {"a": 1.0}),
    ("array", [[1, np.nan]], [[1, np.nan]]),
    ("way", "out", "out"),
    ("function", len, len),
    ("share", 1, 1.0),
    ("mass", None, None),
    ("gear", 6.0, 6),
    ("points", [(1, 2)], [(1, 2)]),
    ("either", "x", "x"),
]


@pytest.mark.parametrize(("name", "given", "kept"), GOOD)
def test_what_fits_the_annotation_is_taken(name, given, kept):
    found = takes(**{name: given})[name]
    assert found == kept
    assert type(found) is type(kept)


def test_lists_become_arrays_where_arrays_are_asked_for():
    assert isinstance(takes(held=[1.0, 2.0])["held"], np.ndarray)


WRONG = [
    ("number", "x", "number = 'x' is not a number"),
    ("number", True, "is not a number"),
    ("number", np.inf, "must be a finite number"),
    ("number", 10**400, "beyond the largest float"),
    ("number", np.zeros(0), "is not a number"),
    ("number", 1j, "is not a number"),
    ("far", np.nan, "must be a number"),
    ("count", 1.5, "must be a whole number"),
    ("count", 2**63, "at most"),
    ("on", 1, "must be True or False"),
    ("name", b"x", "must be a text"),
    ("path", True, "path = True must be a path"),
    ("path", 1, "must be a path"),
    ("path", "a\0b", "without a zero byte"),
    ("pair", (1.0,), "must be 2 finite numbers"),
    ("pair", "ab", "must be 2 finite numbers"),
    ("row", [1.0, None], "must be finite numbers"),
    ("names", "abc", "must be a row"),
    ("names", [1], r"names\[0\] = 1 must be a text"),
    ("table", [1], "must be a dictionary"),
    ("table", {1: 1.0}, "a key of table = 1 must be a text"),
    ("array", "x", "array of real numbers"),
    ("array", [[1.0], [1.0, 2.0]], "array of real numbers"),
    ("array", 1j, "must be real"),
    ("array", np.ma.masked_array([1.0], [True]), "masked entries"),
    ("way", "up", "unknown .*way 'up'"),
    ("function", 3, "must be a function"),
    ("share", 2, "at least 0 and at most 1"),
    ("mass", 0.0, "above 0 kg"),
    ("gear", 7, "at most 6"),
    ("points", 3.0, "the last of 2 entries"),
    ("either", None, "must be a number or a text"),
]


@pytest.mark.parametrize(("name", "given", "said"), WRONG)
def test_what_does_not_fit_is_refused_in_a_sentence(name, given, said):
    with pytest.raises(ValueError, match=said) as refused:
        takes(**{name: given})
    assert str(refused.value).count("\n") == 0
    assert name in str(refused.value)


@dataclass(frozen=True)
@checked
class Wheel:
    width: Annotated[float, above(0.0, "m")]
    ratio: Annotated[float, Range(0.0, 1.0, open_high=True)] = 0.5

    def __post_init__(self) -> None:
        if self.width > 100.0 * self.ratio:
            raise ValueError("Wheel: too wide")

    def over(self, load: float) -> float:
        return load / self.width


@dataclass(frozen=True)
class Tyre(Wheel):
    height: float = 1.0

    def under(self, load: float) -> float:
        return load * 2.0


def test_fields_are_checked_before_what_a_class_checks_itself_also_in_a_subclass():
    assert type(Wheel(1).width) is float
    for make in (
        lambda: Wheel("x"),
        lambda: replace(Wheel(1.0), width=-1.0),
        lambda: Tyre(1.0, height=None),
    ):  # type: ignore[arg-type]
        with pytest.raises(ValueError, match=r"(Wheel|Tyre)\.(width|height) = "):
            make()
    with pytest.raises(ValueError, match="ratio = 1.0 must be at least 0 and below 1"):
        Wheel(1.0, 1.0)
    with pytest.raises(ValueError, match="too wide"):
        Wheel(99.0)


def test_an_empty_list_is_an_empty_default():
    @dataclass(frozen=True)
    @checked
    class Spring:
        table: Annotated[ArrayLike, Shape(last=2)] = ()

    assert Spring([]).table == ()
    with pytest.raises(ValueError, match=r"Spring\.table"):
        Spring([1])


def test_a_method_is_looked_at_only_where_it_fails():
    assert Tyre(2.0).over(np.array([4.0]))[0] == 2.0  # type: ignore[index, arg-type]
    with pytest.raises(ValueError, match="Tyre.over: load = 'x' is not a number"):
        Tyre(2.0).over("x")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="Tyre.under: load = None is not a number"):
        Tyre(2.0).under(None)  # type: ignore[arg-type]


def test_a_package_raises_its_own_error():
    @Checking(Refusal, ": ")
    def take(x: float) -> float:
        return x

    with pytest.raises(Refusal, match="x = None is not a number"):
        take(None)  # type: ignore[arg-type]
