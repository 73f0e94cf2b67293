"""On-screen sticks of the cockpit's page set levers, in a browser without a simulation."""

import dataclasses

import pytest

from rig.panels.lever import Lever
from tests.browser import page as page_of_a_browser

from .test_layout import NO_LINE, PAGE

SHOW = """levers => {
  machine = { name: "one", levers, gauges: [] };
  build();
  seated = true;
  waiting = "";
  seats();
}"""
KNOB = "n => [$('stick' + n).firstElementChild.style.left, $('stick' + n).firstElementChild.style.top]"
#: Number of the stick, whether it moves up and down (else sideways), range (low, high) of its lever,
#: further fields of the lever, sign of the lever's value as the stick moves down or to the right.
LEVERS = {
    "low is not -high": (0, False, (-0.2, 1.0), {}, 1.0),
    "no low side": (0, True, (0.0, 5.0), {}, 1.0),
    "no high side": (0, False, (-3.0, 0.0), {}, 1.0),
    "mirrored": (0, False, (-0.2, 1.0), {"mirrored": True}, -1.0),
    "right stick only": (1, True, (-2.0, 6.0), {"pad": (1.0, -1.0)}, -1.0),
    "third stick only": (2, False, (-0.6, 0.3), {}, 1.0),
}


@pytest.mark.slow  # starts a browser
def test_a_pushed_stick_sets_its_share_of_the_lever_s_range_on_that_side():
    with page_of_a_browser(viewport={"width": 1280, "height": 720}) as (page, errors, _):
        page.add_init_script(NO_LINE)
        page.goto(PAGE.as_uri())
        for name, (stick, along, (low, high), more, sign) in LEVERS.items():
            lever = Lever("x", low=low, high=high, stick=(stick, int(along)), ends=("a", "b"), **more)
            page.evaluate(SHOW, [dataclasses.asdict(lever)])
            box = page.locator(f"#stick{stick}").bounding_box()
            assert page.locator(".stick").count() == 1, name
            middle = box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"]
            page.mouse.move(*middle)
            page.mouse.down()
            for push in (-1.0, -0.5, 0.0, 0.25, 1.0):
                by = push / 2.6
                page.mouse.move(
                    middle[0] + (0.0 if along else by * box["width"]),
                    middle[1] + (by * box["height"] if along else 0.0),
                )
                wanted = sign * push * (high if sign * push > 0.0 else -low)
                assert page.evaluate("wish.x") == pytest.approx(wanted, abs=0.02 * (high - low)), name
                page.evaluate("levered()")
                drawn = page.evaluate(KNOB, stick)[int(along)]
                moved = push if wanted else 0.0
                assert float(drawn.removesuffix("%")) == pytest.approx(50.0 + 38.0 * moved, abs=1.0), (
                    name
                )
            page.mouse.up()
            assert page.evaluate("wish.x") == 0.0, name
        assert errors == []
