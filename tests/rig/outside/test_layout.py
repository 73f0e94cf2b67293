"""Layout of the cockpit's page for every shipped machine, in a browser without a simulation."""

import itertools
import pathlib

import pytest

import rig
from benchmarks.cockpit import MACHINES
from rig.command.arguments import rig_of
from rig.outside.cockpit import describe
from tests.browser import page as page_of_a_browser

PAGE = pathlib.Path(rig.__file__).parent / "outside" / "net" / "cockpit.html"
SIZES = {"desktop": (1280, 720), "phone": (390, 844)}
TOLD = "nothing comes from the simulation any more"
NO_LINE = "window.WebSocket = class { send() {} close() {} }"
#: Script that fills a machine's page: gauges at their end or with the text -88.8, levers at the low end.
FILL = """machine => {
  window.fill = () => {
    state = { time: 8888.8, input_number: [0] };
    for (const g of machine.gauges || [])
      (state[g.signal] ||= [])[g.index] = (g.high ?? -88.8) / g.factor;
    for (const l of levers) wish[l.signal] = l.low;
    read = -1e9; panel(); levered();
    put("lag", "44 ms (99 %: 888)");
    put("late", "8888, 888 slips");
  };
  globalThis.draw = () => {};
  build.call(null);
}"""
#: Script that returns boxes (name, left, top, right, bottom) of the panel's elements, and cut texts.
BOXES = """() => {
  const found = ["td", "label > span", "input", "button", ".stick", ".stick span", "#told", "#keys"];
  const small = [...document.querySelectorAll(found.map(s => "aside " + s))].filter(e => e.offsetParent);
  const cut = e => !e.matches(".stick") && e.clientWidth && e.scrollWidth > e.clientWidth + 1;
  return {
    boxes: small.filter(e => e.textContent || e.matches("input, .stick")).map(e => {
      const r = e.getBoundingClientRect();
      return [e.textContent || e.id, r.left, r.top, r.right, r.bottom, e.matches(".stick")];
    }),
    cut: small.filter(cut).map(e => e.textContent || e.id),
    wide: document.documentElement.scrollWidth,
  };
}"""


def shipped(name):
    """Rig of a shipped machine as the machine's command makes it, before its start."""
    if name == "backhoe":
        return rig.Rig(0.01, linkage="backhoe", begin=False)
    return rig_of(pathlib.Path(name), None, 0.0, "field", 0, True, True)


def laid_out(page, machine, told=""):
    """Boxes of the panel's elements, texts that are cut off, and width of the page's content [px]."""
    page.evaluate(f"given => {{ machine = given; ({FILL})(given); fill(); }}", machine)
    page.evaluate("text => { $('told').textContent = text; }", told)
    return page.evaluate(BOXES)


def overlapping(boxes):
    """Pairs of boxes with more than 1 px in common; labels of a stick lie within the stick."""
    return [
        (a[0], b[0])
        for a, b in itertools.combinations(boxes, 2)
        if min(a[3], b[3]) - max(a[1], b[1]) > 1.0
        and min(a[4], b[4]) - max(a[2], b[2]) > 1.0
        and not (a[5] or b[5])
    ]


@pytest.mark.slow  # starts a browser
@pytest.mark.parametrize("size", SIZES)
def test_the_panel_of_every_shipped_machine_fits_its_page(size):
    width, height = SIZES[size]
    with page_of_a_browser(viewport={"width": width, "height": height}) as (page, errors, _):
        page.add_init_script(NO_LINE)
        page.goto(PAGE.as_uri())
        for name in MACHINES:
            machine = describe(shipped(name), name) | {"legend": []}
            found = laid_out(page, machine)
            boxes = found["boxes"]
            assert found["wide"] == width, name
            assert found["cut"] == [], name
            assert overlapping(boxes) == [], name
            assert overlapping(laid_out(page, machine, TOLD)["boxes"]) == [], name
            controls = {"stop", *(lever["signal"] for lever in machine["levers"])}
            fold = [b for b in boxes if b[5] or b[0] in controls] if size == "phone" else boxes
            fold = [b for b in fold if not b[0].startswith(("Keys", "map"))]
            assert max(b[4] for b in fold) <= height, name
    assert errors == []


@pytest.mark.slow  # starts a browser
def test_labels_are_text_and_long_ones_are_shortened():
    lever = {"signal": "a", "low": -1.0, "high": 1.0, "keys": [], "label": "<b>x</b>" * 40}
    gauge = {"signal": "s", "index": 0, "factor": 1.0, "digits": 1, "unit": "", "high": None}
    machine = {"levers": [lever], "gauges": [gauge | {"label": "<i id='made'>" * 30}]}
    with page_of_a_browser(viewport={"width": 390, "height": 844}) as (page, errors, _):
        page.add_init_script(NO_LINE)
        page.goto(PAGE.as_uri())
        found = laid_out(page, machine)
        assert page.locator("#made").count() == page.locator("label b").count() == 0
        assert found["wide"] == 390
        assert page.locator("td").first.inner_text() == "<i id='made'>" * 30
    assert errors == []
