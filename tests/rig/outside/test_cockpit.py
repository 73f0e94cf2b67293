"""The cockpit in a headless browser: keys, sticks, gamepad, scene, stop; no request to other hosts."""

import numpy as np
import pytest

from benchmarks.cockpit import rig_process, take_the_seat, until
from rig.outside.replay import read
from tests.browser import page as page_of_a_browser

PAD = """navigator.getGamepads = () => [{{axes: {axes}, buttons: Array(8).fill({{value: 0}})}}]"""
pytestmark = pytest.mark.slow  # starts a browser and drives in real time


def test_it_is_driven_by_keys_and_by_a_gamepad_beside_its_scene():
    pytest.importorskip("viser", reason="needs viser")
    with (
        rig_process("drive", "--live") as (address, _),
        page_of_a_browser(viewport={"width": 1280, "height": 720}) as (page, errors, wanted),
    ):
        page.on("console", lambda m: errors.append(m.text) if m.location["url"] == address else None)
        page.goto(address)
        until(page, "state !== null && !waiting")
        until(page, "$('view').className === ''")
        page.frame_locator("#scene").locator("canvas").first.wait_for(timeout=60_000)
        take_the_seat(page)
        page.keyboard.down("ArrowUp")
        until(page, "state.speed > 1.0")
        page.keyboard.up("ArrowUp")
        page.keyboard.down("ArrowLeft")
        until(page, "state.steer > 0.1")
        page.keyboard.up("ArrowLeft")
        first = page.screenshot()
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
        ports = {int(address.rstrip("/").rpartition(":")[2]), page.evaluate("machine.scene")}
    assert errors == []
    assert {int(url.split("/")[2].partition(":")[2]) for url in wanted if "//" in url} <= ports


def test_the_backhoe_is_dug_by_sticks_keys_and_gamepad_and_replays_to_the_byte(tmp_path):
    journal = tmp_path / "dig.mcap"
    words = ("dig", "--no-scene", "--journal", str(journal))
    with (
        rig_process(*words) as (address, _),
        page_of_a_browser(viewport={"width": 1280, "height": 720}) as (page, errors, _),
    ):
        page.goto(address)
        until(page, "state !== null && !waiting")
        take_the_seat(page)
        box = page.locator("#stick1").bounding_box()
        x, y = box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"]
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x, y - 40.0)  # stick away: boom down
        until(page, "state.joint_angle[1] < -0.15")
        assert page.evaluate("wish.boom_lever") < -0.7
        page.mouse.up()
        assert page.evaluate("wish.boom_lever") == 0.0
        page.keyboard.down("s")  # the crowd cylinder turns the dipper in
        until(page, "state.joint_angle[2] < -0.15")
        page.keyboard.up("s")
        until(page, "wish.crowd_lever === 0")
        page.evaluate(PAD.format(axes="[-0.8, 0, 0, 0]"))  # swing to the left
        until(page, "state.joint_angle[0] > 0.15")
        page.evaluate(PAD.format(axes="[0, 0, 0, 0]"))
        page.locator("#bucket_load").fill("3000")
        until(page, "state.cylinder_pressure[0] > 0")
        page.wait_for_timeout(300)
        assert float(page.locator("#g0").inner_text().split()[0]) > 1.0
    assert errors == []
    run, differs = read(journal).replay()
    assert differs is None
    assert run["bucket_load"].max() == pytest.approx(3000.0, abs=20.0)
    assert np.ptp(run["tip_position"], axis=0).max() > 1.0
