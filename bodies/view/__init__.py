"""A recorded run in the browser: ``bodies.view.show(trajectory)`` (extra ``[view]``)."""

from __future__ import annotations

from typing import Any


def show(
    trajectory: Any,
    *,
    host: str = "127.0.0.1",
    port: int = 8080,
    follow: str | None = None,
    play: bool = True,
    block: bool = True,
) -> Any:
    """Serve a trajectory to the browser: play, pause, scrub, speed, force arrows at the wheels.

    Arguments:
        trajectory: what :func:`bodies.simulate` returned; 50 to 100 records a second look smooth.
        host, port: where the server listens; the address is printed. Port 0 takes a free one.
        follow: body that stays in the middle; default the heaviest if it travels, "" for none.
        play: start playing.
        block: serve until Ctrl-C; else return at once.

    Returns:
        The :class:`bodies.view.viewer.Viewer`: ``play()``, ``pause()``, ``seek(t)``, ``close()``.

    Raises:
        ImportError: viser is missing; the message says how to install it.
    """
    from .viewer import Viewer

    viewer = Viewer(trajectory, host=host, port=port, follow=follow)
    print(f"view: open {viewer.url} in a browser" + (", Ctrl-C ends it" if block else ""), flush=True)
    if play:
        viewer.play()
    if block:
        viewer.wait()
    return viewer


__all__ = ["show"]
