"""Control of a cockpit's operator: a scalar signal by keys, gamepad, stick or slider."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from mlcp.checks import shown
from mlcp.kinds import above, at_least

from ..errors import RigError, checked

STOP = " "  # key of every page that stops the machine
MODIFIERS = {"Alt", "AltGraph", "CapsLock", "Control", "Meta", "Shift"}
STICKS, AXES = 3, 2  # numbers of on-screen sticks, and of the axes of each


@dataclass(frozen=True)
@checked
class Lever:
    """One control of the operator, which sets a scalar signal.

    Arguments:
        signal: name of the signal.
        label: text on the page; "": the signal's name.
        low, high: range [unit of the signal]; it contains 0, the initial value.
        keys: keyboard keys for down and up, as a browser names them.
        rate: speed of the lever while a key is pressed [unit/s].
        step: change at one stroke of a key [unit]; 0: it moves by ``rate``.
        back: rate of return of a released lever [1/s]; 0: it stays.
        unit, factor: unit of the displayed value; ratio of displayed value to signal.
        pad: axis of a gamepad, and 1 or -1 for its direction.
        buttons: buttons of a gamepad for down and up.
        stick: on-screen stick (0, 1, 2 from the left) and axis (0 sideways, 1 towards oneself positive).
        ends: names of the stick's ends: left and right, or away from and towards oneself.
        mirrored: True: the high end is on the left, or away from oneself on axis 1 of a stick; a stick
            with ``pad`` has the sign of ``pad`` instead.
        overrides: True: a movement of the lever switches guidance off.

    Raises:
        RigError: an empty range, or one without 0; keys, an axis, buttons or a stick that a page does
            not have.
    """

    signal: str
    label: str = ""
    low: float = -1.0
    high: float = 1.0
    keys: tuple[str, ...] = ()
    rate: Annotated[float, above(0.0)] = 3.0
    step: Annotated[float, at_least(0.0)] = 0.0
    back: Annotated[float, at_least(0.0)] = 0.0
    unit: str = ""
    factor: float = 1.0
    pad: tuple[float, float] | None = None
    buttons: tuple[int, int] | None = None
    stick: tuple[int, int] | None = None
    ends: tuple[str, str] | None = None
    mirrored: bool = False
    overrides: bool = False

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise RigError(
                f"lever {self.signal!r}: low = {self.low:g} must be below high = {self.high:g}"
            )
        if not self.low <= 0.0 <= self.high:
            raise RigError(
                f"lever {self.signal!r}: low = {self.low:g} to high = {self.high:g} must contain 0, the "
                "value of a lever that nobody has moved"
            )
        if self.keys and (len(self.keys) != 2 or len(set(self.keys) - {STOP}) != 2):
            raise RigError(
                f"lever {self.signal!r}: keys = {shown(self.keys)} must be two, down and up, not the "
                "space bar, which stops"
            )
        for key in self.keys:
            if len(key) != 1 and (not key[:1].isupper() or key in MODIFIERS):
                raise RigError(
                    f"lever {self.signal!r}: keys: {key!r} must be one character or a browser's name of "
                    "a key, such as 'ArrowUp', and no modifier"
                )
        if self.step > self.high - self.low or self.factor == 0.0:
            raise RigError(
                f"lever {self.signal!r}: step = {self.step:g} must be within its range, and factor = "
                f"{self.factor:g} must not be 0"
            )
        for name, numbers in (("pad", (self.pad or ())[:1]), ("buttons", self.buttons or ())):
            if any(k < 0 or k != round(k) for k in numbers):
                where = shown(getattr(self, name))
                raise RigError(f"lever {self.signal!r}: {name} = {where} must begin with 0, 1, 2 ...")
        if (self.pad and not self.pad[1]) or (self.buttons and len(set(self.buttons)) != 2):
            raise RigError(
                f"lever {self.signal!r}: pad = {shown(self.pad)} must end with its sign, and buttons = "
                f"{shown(self.buttons)} must be two different ones"
            )
        if self.stick is None:
            return
        number, axis = self.stick
        if not (0 <= number < STICKS and 0 <= axis < AXES) or self.ends is None:
            raise RigError(
                f"lever {self.signal!r}: stick = {shown(self.stick)} must be a stick 0, 1 or 2 and its "
                "axis 0 or 1, with ends"
            )
