"""Pictures of the page "Drive it yourself":  python docs/drive_it_yourself.py [NAME ...]

Each picture is a screenshot of the cockpit in a browser, in which the script drives a machine by keys.
Needs playwright, a chromium on the PATH, and rasterio; without a graphics card it takes minutes.
"""

import io
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.cockpit import cockpit, rig_process, take_the_seat, until

PICTURES = Path(__file__).resolve().parent / "images"
PLACE, CELL, CELLS = (
    (47.30, 11.40),
    1.0 / 10800.0,
    120,
)  # ground of hills: latitude and longitude [deg], side of a cell [deg], cells along a side
DARK, LIGHT = 40, 120  # grey levels (0 to 255): tyres in a drawn scene are darker, ground is lighter


def hills(path):
    """Write a GeoTIFF of gentle hills, with coordinates in degrees."""
    import rasterio

    column, row = np.meshgrid(np.arange(CELLS), np.arange(CELLS))
    heights = 850.0 + 3.0 * np.sin(0.33 * column) * np.cos(0.29 * row + 0.5) + 1.5 * np.sin(0.17 * row)
    where = rasterio.transform.from_origin(PLACE[1], PLACE[0], CELL, CELL)
    size = {"width": CELLS, "height": CELLS, "count": 1, "dtype": "float64"}
    with rasterio.open(path, "w", driver="GTiff", crs="EPSG:4326", transform=where, **size) as file:
        file.write(heights, 1)


def tractor(page):
    """Drive the tractor to 3 m/s by keys, then by guidance along the tracks of its field."""
    press(page, "ArrowUp", "state.speed > 3.0")
    page.keyboard.press("g")
    until(page, "state.position[0] > 30", 120.0)


def over_hills(page):
    """Drive a vehicle over soft hills by keys, so slowly that it does not reach the ground's border."""
    page.locator("#wanted_speed").fill("3")
    until(page, "state.speed > 2.5", 120.0)
    press(page, "ArrowLeft", "state.yaw > 0.15")
    until(page, "state.x > 15", 120.0)


def dig(page):
    """Move the backhoe by keys: lower the boom, crowd the dipper in, curl the bucket, swing a little."""
    press(page, "ArrowUp", "state.joint_angle[1] < -0.45")
    press(page, "s", "state.joint_angle[2] < -0.35")
    press(page, "ArrowLeft", "state.joint_angle[3] < -0.2")
    press(page, "a", "state.joint_angle[0] > 0.25")
    page.keyboard.down("ArrowDown")


def press(page, key, condition):
    """Hold a key until a condition holds on the page."""
    page.keyboard.down(key)
    until(page, condition, 120.0)
    page.keyboard.up(key)


# Function that drives, and arguments of ``python -m rig``, by the name of the picture.
DRAWN = {
    "cockpit": (tractor, ("drive", "--live", "--path", "field", "--off", "0.6")),
    "cockpit_hills": (
        over_hills,
        ("drive", "hmmwv", "--live", "--elevation", "HILLS", "--off", "0"),
    ),
    "cockpit_dig": (dig, ("drive", "backhoe_loader", "--live")),
}


def picture_of(page):
    """Screenshot of the page once its scene is drawn, which takes long without a graphics card."""
    from PIL import Image

    while True:
        image = Image.open(io.BytesIO(page.screenshot(timeout=120_000)))
        scene = np.asarray(image.convert("L"))[200:450, :960]
        if scene.min() < DARK and np.median(scene) > LIGHT:
            return image
        page.wait_for_timeout(500)


def draw(name, folder):
    """Draw one picture and store it with 256 colours."""
    act, words = DRAWN[name]
    file = folder / "hills.tif"
    if "HILLS" in words and not file.exists():
        hills(file)
    words = [str(file) if word == "HILLS" else word for word in words]
    with rig_process(*words) as (address, _), cockpit(address) as page:
        until(page, "$('view').className === ''")
        picture_of(page)
        notices = page.frame_locator("#scene").locator(".mantine-Notification-closeButton")
        # close the notices about software rendering, which cover the scene
        notices.evaluate_all("all => all.forEach(button => button.click())")
        until(page, "!waiting", 300.0)
        take_the_seat(page)
        act(page)
        page.evaluate("lags = []")  # discard the delays measured at the start
        page.wait_for_timeout(1500)
        image = picture_of(page)
    image.convert("RGB").quantize(256, kmeans=2).save(PICTURES / f"{name}.png", optimize=True)
    print(PICTURES / f"{name}.png")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as given:
        for chosen in sys.argv[1:] or DRAWN:
            draw(chosen, Path(given))
