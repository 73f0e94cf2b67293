"""Views of a recorded run: in the browser, as an offline page, a film, a mesh.

``show``, ``save_html`` and ``save_glb`` need the extra ``view``, ``save_video`` the extra ``video`` for
MP4; a GIF, and a run's ``picture``, need nothing more.
"""

from __future__ import annotations

from typing import Any

from ..running.trajectory import PICTURES
from .film import Studio, save_video
from .offline import save_glb, save_html


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
        trajectory: of :func:`bodies.simulate`; 50 to 100 records a second look smooth.
        host, port: address of the server, which is printed. Port 0: any free one.
        follow: body in the centre; default the heaviest if it travels, "" for none.
        play: start playing.
        block: whether to serve until Ctrl-C; otherwise return at once.

    Returns:
        The :class:`bodies.view.viewer.Viewer`: ``play()``, ``pause()``, ``seek(t)``, ``close()``.

    Raises:
        ImportError: viser is not installed; the message has the command.
    """
    from .viewer import Viewer

    viewer = Viewer(trajectory, host=host, port=port, follow=follow)
    print(f"view: open {viewer.url} in a browser" + (", Ctrl-C ends it" if block else ""), flush=True)
    if play:
        viewer.play()
    if block:
        viewer.wait()
    return viewer


PICTURES.update(studio=Studio, save_video=save_video, save_html=save_html, save_glb=save_glb)

__all__ = ["save_glb", "save_html", "save_video", "show"]
