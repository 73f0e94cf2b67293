"""In a headless browser: a user's machine live by one command; operator, spectators and stop."""

import json
import pathlib
import re
import shutil
import urllib.error
import urllib.request
from importlib.util import find_spec

import pytest

import benchmarks.cockpit
from benchmarks.cockpit import browser, cockpit, rig_process, take_the_seat, until
from bodies.view.viewer import free_port
from rig.outside.net.client import Client
from rig.outside.net.schema import Hello
from rig.outside.replay import read

from ..machines import loader

PAGE = pathlib.Path(__file__).parents[3] / "docs" / "describe_your_own_vehicle.md"
PATIENCE = 200.0  # [s] time limit, for a busy computer
TRACTOR = 'base = "tractor"\nname = "my_tractor"\n[tyre]\npressure_Pa = 90000.0\n'
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome")))
        or find_spec("playwright") is None,
        reason="needs chromium and playwright",
    ),
]


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    monkeypatch.setattr(benchmarks.cockpit, "LONGEST", PATIENCE)


def robot():
    """Text of the vehicle file that the documentation page ``PAGE`` shows."""
    return re.search(r'robot = """\n(.*?)"""', PAGE.read_text(encoding="utf-8"), re.S)[1]


OWN = {
    "my_loader": (
        loader, {"lift_lever", "tilt_lever"}, ["oil", "lift head", "lift rod", "tilt head", "tilt rod"],
        ("w", "state.position[2] > 1.02"), "#g1",
    ),
    "my_robot": (
        robot, {"drive", "steering", "brake"}, ["speed", "roll", "pitch"],
        ("ArrowUp", "state.velocity[0] > 0.3"), "#g0",
    ),
    "my_tractor": (
        lambda: TRACTOR, {"wanted_speed", "steering_wheel"},
        ["speed", "steer angle", "off track", "roll", "pitch"],
        ("ArrowUp", "state.speed > 0.3"), "#g0",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OWN)
def test_a_machine_of_ones_own_goes_live_with_its_levers_and_gauges_and_replays(name, tmp_path):
    text, levers, gauges, (key, condition), gauge = OWN[name]
    file, journal = tmp_path / f"{name}.toml", tmp_path / "a.mcap"
    file.write_text(text(), encoding="utf-8")
    words = ("drive", str(file), "--live", "--no-scene", "--journal", str(journal))
    with rig_process(*words) as (address, _), cockpit(address, seconds=PATIENCE) as page:
        until(page, "!waiting", PATIENCE)
        take_the_seat(page)
        assert page.locator("#name").inner_text() == name
        assert set(page.evaluate("levers.map(l => l.signal)")) == levers
        shown = page.evaluate(
            "[...document.querySelectorAll('#gauges td:first-child')].map(e => e.textContent)"
        )
        assert shown[: len(gauges)] == gauges
        page.keyboard.down(key)
        until(page, condition, PATIENCE)
        page.keyboard.up(key)
        page.wait_for_timeout(300)
        assert float(page.locator(gauge).inner_text().split()[0]) > 0.0
        size = page.evaluate("innerHeight")
        assert page.locator(f"#g{len(gauges) - 1}").bounding_box()["y"] < size
    found = read(journal)
    again, differs = found.replay()
    assert differs is None
    assert len(again.time) > 20  # a busy computer simulates fewer ticks in the same time


def test_on_a_phone_the_scene_is_free_and_the_stick_is_above_the_fold(tmp_path):
    pytest.importorskip("viser", reason="needs viser")
    with rig_process("drive", "--live") as (address, _), cockpit(address, seconds=PATIENCE) as page:
        page.set_viewport_size({"width": 390, "height": 844})
        until(page, "$('view').className === ''")
        scene = page.frame_locator("#scene")
        scene.locator("canvas").first.wait_for(timeout=1000 * PATIENCE)
        for panel in (".mantine-Paper-root:has(#narrow)", ".mantine-Notifications-root"):
            scene.locator(panel).first.wait_for(state="hidden", timeout=1000 * PATIENCE)
        page.wait_for_timeout(500)
        assert scene.locator("#narrow").count() == 1  # the style that hides the panels is loaded
        stick = page.locator("#stick0").bounding_box()
        assert stick["y"] + stick["height"] < 844
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        take_the_seat(page)
        x, y = stick["x"] + 0.5 * stick["width"], stick["y"] + 0.5 * stick["height"]
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 0.25 * stick["width"], y)
        assert page.evaluate("wish.steering_wheel") == pytest.approx(-0.65 * 0.6)
        until(page, "state.steer < -0.3")
        page.mouse.up()
        assert page.evaluate("wish.steering_wheel") == 0.0


def test_beyond_the_loopback_the_scene_is_shown_to_who_has_the_token():
    pytest.importorskip("viser", reason="needs viser")
    with rig_process("drive", "--live", "--host", "127.0.0.2") as (address, _):
        with cockpit(address, seconds=PATIENCE) as page:
            until(page, "$('view').className === ''")
            scene = page.frame_locator("#scene")
            scene.locator("canvas").first.wait_for(timeout=1000 * PATIENCE)
            label = scene.get_by_text("View", exact=True).first  # text received over the WebSocket
            label.wait_for(timeout=1000 * PATIENCE)
            port = page.evaluate("machine.scene")
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(f"http://127.0.0.2:{port}/", timeout=10.0)


def test_two_browsers_and_hardware_who_may_drive_and_a_stop_from_each():
    port = free_port("127.0.0.1")
    words = ("drive", "--live", "--no-scene", "--path", "field", "--speed", "2", "--port", str(port))
    hello = Hello("hardware", signals=("velocity",), inputs=("wanted_speed",))
    with (
        rig_process(*words) as (address, _), browser() as shared, cockpit(address, shared) as one,
        cockpit(address, shared) as two, Client(port, hello) as unit,
    ):  # fmt: skip
        told, wanted = "$('told').textContent", "state.wanted_speed[0]"
        until(one, "state.speed > 1.9")
        take_the_seat(one)
        two.keyboard.press("ArrowUp")  # a spectator's keys have no effect
        one.wait_for_timeout(1000)
        assert one.evaluate("number") == two.evaluate("number") == 0  # no input before the first key
        assert one.evaluate("state.speed") > 1.9  # the machine drives on
        assert two.locator("#seat").is_disabled()
        assert two.locator("#link").inner_text().startswith("watching; driven by the operator 127.0.0.1")

        unit.send({"wanted_speed": 5.0})
        events = []
        while not (events and "refused" in events[-1]):
            frame = unit.frame(10.0)
            assert frame is not None
            events += [json.loads(frame.payload)] if frame.kind == 5 else []
        assert events[-1]["refused"] == "wanted_speed"
        one.wait_for_timeout(500)
        assert one.evaluate("state.speed") < 2.1

        for who, stop in (
            ("view", two.locator("#stop").click),
            ("hardware", unit.stop),
            ("operator", one.locator("#stop").click),
        ):
            one.keyboard.down("ArrowUp")
            until(one, "state.speed > 0.5")
            one.keyboard.up("ArrowUp")
            until(two, f"{wanted} > 0.0 && wish.wanted_speed === {wanted}")  # levers of a spectator
            stop()
            for page in (one, two):
                until(page, f"{told}.includes('stopped by the {who}')")
                until(page, "Math.abs(state.speed) < 0.05")
            assert two.locator("#stop").is_disabled()  # only the operator can cancel a stop
            one.locator("#stop").click()
            until(two, f"!{told}.includes('stopped')")
            assert two.locator("#stop").is_enabled()

        one.locator("#seat").click()
        until(two, "!$('seat').disabled")
        take_the_seat(two)
        until(one, "$('link').textContent.startsWith('watching; driven by the operator')")
        one.goto(address + "?watch")
        until(one, "state !== null")
        assert one.locator("#seat").is_hidden()
