"""Views of a recorded run: in the browser, as an offline page, a film, a mesh file.

``show``, ``save_html`` and ``save_glb`` need the extra ``view``, ``save_video`` for MP4 the extra
``video``; a GIF and pictures need no extra.
"""

from __future__ import annotations

from typing import Any

from ..running.trajectory import PICTURES
from .film import Studio, save_picture, save_video
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
    """Serve a trajectory to a browser, with controls for play, time and speed, and force arrows at
    wheels.

    Arguments:
        trajectory: run of :func:`bodies.simulate`; 50 to 100 records per second look smooth.
        host, port: address of the server, which is printed; port 0: any free port.
        follow: body in the centre; default: the heaviest body if it travels more than 5 m; "": none.
        play: whether to start playing at once.
        block: whether to serve until Ctrl-C; otherwise return at once.

    Returns:
        The :class:`bodies.view.viewer.Viewer`: ``play()``, ``pause()``, ``seek(t)``, ``close()``.

    Raises:
        ImportError: viser is not installed; the message names the pip command.
    """
    from .viewer import Viewer

    viewer = Viewer(trajectory, host=host, port=port, follow=follow)
    print(f"view: open {viewer.url} in a browser" + (", Ctrl-C ends it" if block else ""), flush=True)
    if play:
        viewer.play()
    if block:
        viewer.wait()
    return viewer


PICTURES.update(
    studio=Studio,
    save_picture=save_picture,
    save_video=save_video,
    save_html=save_html,
    save_glb=save_glb,
)

__all__ = ["save_glb", "save_html", "save_picture", "save_video", "show"]
