"""The viewer of a run in the browser: viser's server, controls, clock."""

from __future__ import annotations

import contextlib
import io
import threading
import time
from typing import Any

import numpy as np

from mlcp.neighbours import need

from .. import checks
from ..running.trajectory import Trajectory
from .poses import leader_of, record_at
from .scene import Scene
from .soil_colours import as_html, legend_of
from .surfaces import grounds

SPEEDS = ("0.1x", "0.25x", "0.5x", "1x", "2x", "5x")
FRAME = 1.0 / 30.0  # [s] time between two frames


class Viewer:
    """A recorded run in the browser.

    Arguments:
        run: a :class:`bodies.Trajectory`.
        host, port: address of the server; port 0: any free port.
        follow: name of the body in the centre; default: the heaviest body if it travels farther than
            5 m; ``""``: none.

    Attributes:
        url: address for a browser.
        scene: the :class:`Scene`.
        server: viser's server.

    Raises:
        ModuleNotFoundError: viser is not installed; the message names the pip command.
        MechanismError: a run without records, an unknown body to follow.
    """

    def __init__(
        self, run: Trajectory, *, host: str = "127.0.0.1", port: int = 8080, follow: str | None = None
    ) -> None:
        viser = need("viser", "the viewer", "view")
        if len(run.time) < 1:
            raise checks.MechanismError("view: the trajectory has no records.")
        if follow:
            run.model.body(follow)
        self.run = run
        self._lock = threading.RLock()
        self._playing, self._rate = False, 1.0
        self._time = self._shown = float(run.time[0])
        with contextlib.redirect_stdout(io.StringIO()):  # hides viser's banner
            self.server = viser.ViserServer(host=host, port=port or free_port(host), verbose=False)
        self.url = f"http://{host}:{self.server.get_port()}"
        self._look()
        self.scene = Scene(self.server, run)
        self.scene.follow = (leader_of(run) if follow is None else follow) or None
        self._controls()
        self._draw()
        self._running = True
        self._thread = threading.Thread(target=self._clock, daemon=True)
        self._thread.start()

    # control of the clock -------------------------------------------------------------------
    @property
    def time(self) -> float:
        """Time of the displayed pose [s]."""
        return self._time

    @property
    def playing(self) -> bool:
        """Whether the displayed time advances."""
        return self._playing

    def play(self, rate: float | None = None) -> None:
        """Start the clock; from the end it restarts at the beginning. ``rate``: 1 is real time."""
        with self._lock:
            if rate is not None:
                self._rate = checks.number("view", "rate", rate, 0.0, open_low=True)
            if self._time >= self.run.time[-1]:
                self._time = float(self.run.time[0])
            self._playing = True
        self._button()

    def pause(self) -> None:
        """Stop the clock."""
        with self._lock:
            self._playing = False
        self._button()

    def seek(self, when: float) -> None:
        """Stop the clock and show the pose at a time [s], clamped to the run."""
        self.pause()
        self._show(when)

    def _show(self, when: float) -> None:
        with self._lock:
            self._time = float(np.clip(when, self.run.time[0], self.run.time[-1]))
            self._draw()

    def close(self) -> None:
        """Stop the clock and the server."""
        self._running = False
        self._thread.join(timeout=2.0)
        with contextlib.redirect_stdout(io.StringIO()):
            self.server.stop()

    def wait(self) -> None:
        """Serve until interrupted (Ctrl-C)."""
        try:
            while self._running:
                time.sleep(0.2)
        except KeyboardInterrupt:
            pass
        self.close()

    def __repr__(self) -> str:
        name = self.run.model.mechanism.name
        return f"Viewer of {name!r} at {self.url}: play(), pause(), seek(t), close()"

    def _repr_html_(self) -> str:
        return f"<iframe src='{self.url}' style='width:100%; height:480px; border:0'></iframe>"

    # inside ---------------------------------------------------------------------------------
    def _look(self) -> None:
        """Set light, background and the first view, from the front left."""
        scenery(self.server)
        x = self.run.positions[0]
        middle = 0.5 * (x.min(axis=0) + x.max(axis=0))
        size = float(np.linalg.norm(np.ptp(x, axis=0))) + 0.5
        if leader := leader_of(self.run):
            middle = middle - [*self.run.position(leader)[0, :2], 0.0]
        camera = self.server.initial_camera
        camera.position = tuple(middle + size * np.array([0.82, 0.95, 0.5]))
        camera.look_at = tuple(middle - [0, 0, 0.1 * size])
        self.server.gui.main_panel.dock_right()

    def _controls(self) -> None:
        gui, t = self.server.gui, self.run.time
        gui.set_panel_label(self.run.model.mechanism.name)
        self._play = gui.add_button("Play")
        end = float(max(t[-1], t[0] + 1e-6))
        self._slider = gui.add_slider(
            "Time [s]", float(t[0]), end, (end - float(t[0])) / 1000.0, float(t[0])
        )
        self._speed = gui.add_dropdown("Speed", SPEEDS, initial_value="1x")
        self._readout = gui.add_markdown("")
        if legend := legend_of(grounds(self.run.model.mechanism)):
            gui.add_html(f"<div style='padding: 0 1em'>{as_html(legend)}</div>")
        with gui.add_folder("Show"):
            follow = gui.add_checkbox("Follow", self.scene.follow is not None)
            hulls = gui.add_checkbox("Hull", True)
            if self.scene.arrows is not None:
                arrows = gui.add_checkbox("Forces", True)
                length = gui.add_slider(
                    "Arrow [m/kN]",
                    0.01,
                    max(0.02, 4e3 * self.scene.scale),
                    0.01,
                    round(1e3 * self.scene.scale, 2),
                )

                @arrows.on_update
                def _(_: Any) -> None:
                    self.scene.arrows.visible = arrows.value
                    self._draw()

                @length.on_update
                def _(_: Any) -> None:
                    self.scene.scale = 1e-3 * length.value
                    self._draw()

        @self._play.on_click
        def _(_: Any) -> None:
            self.pause() if self._playing else self.play()

        @self._slider.on_update
        def _(_: Any) -> None:
            if abs(self._slider.value - self._shown) > 1e-9:  # the user has moved the slider
                self._show(self._slider.value)

        @self._speed.on_update
        def _(_: Any) -> None:
            self._rate = float(self._speed.value[:-1])

        leader = self.scene.follow or self.run.model.mechanism.heaviest.name

        @follow.on_update
        def _(_: Any) -> None:
            self.scene.follow = leader if follow.value else None
            self._draw()

        @hulls.on_update
        def _(_: Any) -> None:
            self.scene.show_hulls(hulls.value)

    def _button(self) -> None:
        self._play.label = "Pause" if self._playing else "Play"

    def _draw(self) -> None:
        with self._lock, self.server.atomic():
            self.scene.draw(self._time)
            self._shown = self._time
            self._slider.value = self._time
            self._readout.content = self._text()

    def _text(self) -> str:
        """Text with the time, the speed and the wheels' forces."""
        k = record_at(self.run, self._time)
        lines = [f"**t = {self._time:.2f} s**"]
        leader = self.scene.follow
        if leader is not None:
            v = float(np.linalg.norm(self.run.velocity(leader)[k]))
            lines[0] += f", {3.6 * v:.1f} km/h"
        if self.scene.wheels:
            lines += [
                "",
                "| [kN] | <span style='color:#1e5fd0'>normal</span> | "
                "<span style='color:#e25a00'>traction</span> | "
                "<span style='color:#8a2fc0'>lateral</span> | slip |",
                "|:--|--:|--:|--:|--:|",
            ]
            for w in self.scene.wheels:
                n, f, s = 1e-3 * w.forces[k]
                lines.append(f"| {w.name} | {n:.2f} | {f:.2f} | {s:.2f} | {100 * w.slip[k]:.0f} % |")
        return "\n".join(lines)

    def _clock(self) -> None:
        """Loop of the clock's thread: advance the displayed time at the chosen rate, 30 frames a
        second."""
        last = time.perf_counter()
        while self._running:
            time.sleep(FRAME)
            now = time.perf_counter()
            with self._lock:
                if self._playing:
                    self._time = min(self._time + self._rate * (now - last), float(self.run.time[-1]))
                    self._draw()
                    if self._time >= self.run.time[-1]:
                        self._playing = False
                        self._button()
            last = now


def scenery(server: Any) -> None:
    """Set vertical axis, sky and colours of viser's page."""
    server.scene.set_up_direction("+z")
    server.scene.set_background_image(_sky())
    server.initial_camera.fov = float(np.radians(45.0))
    server.gui.configure_theme(show_logo=False, show_share_button=False, brand_color=(52, 66, 82))


def _sky() -> np.ndarray:
    """Picture of the sky: a light gradient, darker towards the top."""
    low, high = np.array([242, 244, 246]), np.array([176, 200, 222])
    t = np.linspace(0.0, 1.0, 256)[:, None, None] ** 1.5
    return np.broadcast_to((high + (low - high) * t), (256, 4, 3)).astype(np.uint8)


def free_port(host: str) -> int:
    import socket

    with socket.socket() as s:
        s.bind((host, 0))
        return int(s.getsockname()[1])
