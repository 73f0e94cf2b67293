"""The cockpit in a headless browser: keys and a gamepad drive, stop stops, nothing is loaded."""

import shutil
import threading

import pytest

import rig
from rig import WallClock
from rig.outside.front import Front
from rig.outside.live import describe

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync",
         "--disable-component-update"]  # fmt: skip
PAD = """navigator.getGamepads = () => [{axes: [-0.5, 0], buttons: Array(8).fill({value: 0})}]"""


@pytest.mark.slow  # starts a browser and drives in real time
def test_it_is_driven_by_keys_and_by_a_gamepad(tmp_path):
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    if CHROMIUM is None:
        pytest.skip("needs a chromium on the PATH")
    r = rig.Rig(0.01, path=rig.straight(100.0), speed=0.0, chassis="kinematic", steering="perfect",
                steering_controller="proportional", guidance="look-ahead", gnss="perfect",
                drive_train="first-order")  # fmt: skip
    said, wanted = [], []
    with Front(r, web_port=0, machine=describe(r)) as front:
        pace = {"clock": WallClock(), "outside": front}
        driven = threading.Thread(target=lambda: r.run(40.0, **pace), daemon=True)
        driven.start()
        with playwright.sync_playwright() as p:
            browser = p.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            page = browser.new_page(viewport={"width": 1280, "height": 720}, bypass_csp=True)
            page.on("console", lambda m: said.append(m.text))
            page.on("pageerror", lambda e: said.append(str(e)))
            page.on("request", lambda q: wanted.append(q.url))
            page.goto(f"http://127.0.0.1:{front.web_port}/")
            page.wait_for_function("state !== null", timeout=20_000)
            page.keyboard.down("ArrowUp")
            page.wait_for_function("state.speed > 1.0", timeout=20_000)
            page.keyboard.up("ArrowUp")
            page.keyboard.down("ArrowLeft")
            page.wait_for_function("state.steer > 0.1", timeout=20_000)
            page.keyboard.up("ArrowLeft")
            first = page.screenshot(path=tmp_path / "driving.png")
            page.keyboard.press(" ")
            page.wait_for_function("Math.abs(state.speed) < 0.1", timeout=20_000)
            page.evaluate(PAD)
            page.wait_for_function("state.steer > 0.25 && state.steer < 0.35", timeout=20_000)
            assert page.screenshot() != first
            browser.close()
    assert said == []
    assert {url.split("/")[2] for url in wanted} == {f"127.0.0.1:{front.web_port}"}
