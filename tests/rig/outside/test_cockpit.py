"""The cockpit in a headless browser: keys, sticks, gamepad, scene, stop; no request to other hosts."""

import contextlib
import math
import threading

import numpy as np
import pytest

import rig
from benchmarks.cockpit import until
from rig import WallClock
from rig.outside.cockpit import describe
from rig.outside.front import Front
from rig.outside.live import live
from rig.outside.replay import read
from rig.outside.view.scene import LiveScene
from tests.browser import page as page_of_a_browser
from tests.rig.guided import GUIDED

PAD = """navigator.getGamepads = () => [{{axes: {axes}, buttons: Array(8).fill({{value: 0}})}}]"""
EDGE = ((-10.0, -10.0), (110.0, -10.0), (110.0, 10.0), (-10.0, 10.0))


@contextlib.contextmanager
def browser():
    """A page, its console messages, and its requests."""
    with page_of_a_browser(viewport={"width": 1280, "height": 720}) as (page, said, wanted):
        ours = lambda m: m.location["url"].startswith(page.url)  # noqa: E731 (the scene's page chatters)
        page.on("console", lambda m: said.append(m.text) if ours(m) else None)
        yield page, said, wanted


@pytest.mark.slow  # starts a browser and drives in real time
def test_it_is_driven_by_keys_and_by_a_gamepad_beside_its_scene(tmp_path):
    pytest.importorskip("viser", reason="needs viser")
    r = rig.Rig(0.01, path=rig.straight(100.0), speed=0.0, drive_train="first-order", **GUIDED)
    with LiveScene(r, boundary=EDGE) as scene:
        machine = describe(r, "tractor", boundary=EDGE) | {"scene": scene.port}
        with Front(r, web_port=0, machine=machine) as front, browser() as (page, said, wanted):
            scene.follow(front)
            over = threading.Event()

            def outside(now):
                if over.is_set():
                    raise SystemExit  # ends this thread
                return front(now)

            pace = {"clock": WallClock(), "outside": outside}

            def drive():
                with contextlib.suppress(SystemExit):
                    r.run(90.0, **pace)

            driven = threading.Thread(target=drive, daemon=True)
            driven.start()
            page.goto(f"http://127.0.0.1:{front.web_port}/")
            until(page, "state !== null")
            until(page, "$('view').className === ''")
            while not (found := [f for f in page.frames if str(scene.port) in f.url]):
                page.wait_for_timeout(50)
            found[0].wait_for_selector("canvas", timeout=30_000)
            page.keyboard.down("ArrowUp")  # a spectator's keys have no effect
            page.wait_for_timeout(200)
            page.keyboard.up("ArrowUp")
            assert page.evaluate("number") == 0
            page.locator("#seat").click()
            until(page, "seated")
            page.keyboard.down("ArrowUp")
            until(page, "state.speed > 1.0")
            page.keyboard.up("ArrowUp")
            page.keyboard.down("ArrowLeft")
            until(page, "state.steer > 0.1")
            page.keyboard.up("ArrowLeft")
            first = page.screenshot(path=tmp_path / "driving.png")
            page.keyboard.press(" ")
            until(page, "Math.abs(state.speed) < 0.1")
            until(page, "$('told').textContent.includes('stopped by the operator')")
            page.evaluate(PAD.format(axes="[-0.5, 0]"))
            page.wait_for_timeout(300)
            assert page.evaluate("Math.abs(state.steer)") < 0.02  # no steering after a stop
            page.locator("#stop").click()
            until(page, "state.steer > 0.25 && state.steer < 0.35")
            assert page.screenshot() != first
            lag = page.evaluate("inputToScreen()")
            assert 20 < lag["count"] <= page.evaluate("number")
            assert 0.0 < lag["median"] <= lag["p99"] <= lag["worst"]
            assert "s (99 %: " in page.locator("#lag").inner_text()
            ports = {front.web_port, scene.port}
            over.set()
            driven.join(5.0)
    assert said == []
    assert {int(url.split("/")[2].partition(":")[2]) for url in wanted if "//" in url} <= ports


@pytest.mark.slow  # starts a browser and digs in real time
def test_the_backhoe_is_dug_by_sticks_keys_and_gamepad_and_replays_to_the_byte(tmp_path):
    r = rig.Rig(0.01, linkage="backhoe")
    ready, fronts, runs = threading.Event(), [], []

    def told(front):
        fronts.append(front)
        ready.set()

    given = {"web_port": 0, "journal": tmp_path / "dig.mcap", "name": "backhoe", "on_start": told}
    # beware: ``live`` disables garbage collection and raises the priority of the whole test process
    with browser() as (page, said, _):
        dug = threading.Thread(target=lambda: runs.append(live(r, 60.0, **given)), daemon=True)
        dug.start()
        assert ready.wait(60.0)
        page.goto(f"http://127.0.0.1:{fronts[0].web_port}/")
        until(page, "state !== null")
        page.locator("#seat").click()
        until(page, "seated")
        box = page.locator("#stick1").bounding_box()
        x, y = box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"]
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x, y - 40.0)  # stick away: boom down
        until(page, "state.joint_angle[1] < -0.15")
        assert page.evaluate("wish.boom_lever") == pytest.approx(-40.0 / box["height"] * 2.6, abs=0.02)
        page.screenshot(path=tmp_path / "digging.png")
        page.mouse.up()
        assert page.evaluate("wish.boom_lever") == 0.0
        page.keyboard.down("s")  # the crowd cylinder turns the dipper in
        until(page, "state.joint_angle[2] < -0.15")
        page.keyboard.up("s")
        until(page, "wish.crowd_lever === 0")
        page.evaluate(PAD.format(axes="[-0.8, 0, 0, 0]"))  # swing to the left
        until(page, "state.joint_angle[0] > 0.15")
        page.evaluate(PAD.format(axes="[0, 0, 0, 0]"))
        page.locator("#bucket_load").focus()
        page.locator("#bucket_load").fill("3000")
        until(page, "state.cylinder_pressure[0] > 0")
        assert float(page.locator("#g0").inner_text().split()[0]) > 1.0
    dug.join(90.0)
    assert said == []
    run = runs[0]
    assert run["bucket_load"][-1] == pytest.approx(3000.0, abs=20.0)
    found = read(tmp_path / "dig.mcap")
    assert found.whole
    again, differs = found.replay()
    assert differs is None
    assert len(found.out) == 600
    assert again.digest() == run.digest()
    assert math.isclose(again.time[-1], 60.0)
    assert np.ptp(run["tip_position"], axis=0).max() > 1.0
