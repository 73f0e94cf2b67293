"""The gate, a relay to the page of the scene, admits other computers if they have the token."""

import contextlib
import http.server
import socket
import threading

import pytest

from rig import RigError
from rig.outside.view import gate
from rig.outside.view.gate import COOKIE, Gate

PAGE = b"the scene's page"


@pytest.fixture
def page():
    """Port of a page that answers each request with its path."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(PAGE + self.path.encode())

        def log_message(self, *given):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page) as found:
        threading.Thread(target=found.serve_forever, daemon=True).start()
        yield found.server_address[1]
        found.shutdown()


def asked(port, path, *fields):
    """Answer of the gate to one request [bytes]."""
    with socket.create_connection(("127.0.0.1", port), 5.0) as line:
        line.sendall("\r\n".join([f"GET {path} HTTP/1.0", *fields, "", ""]).encode())
        return b"".join(iter(lambda: line.recv(4096), b""))


def test_the_address_has_the_token_and_then_the_cookie(page):
    with Gate("127.0.0.1", page, "a b;c") as found:
        moved = asked(found.port, "/?token=a+b%3Bc&fixedDpr=0.5").decode()
        assert moved.startswith("HTTP/1.1 303 ")
        assert "\r\nLocation: /?fixedDpr=0.5\r\n" in moved
        (cookie,) = [x for x in moved.split("\r\n") if x.startswith("Set-Cookie: ")]
        assert cookie.endswith("; HttpOnly; SameSite=Strict; Path=/")
        pair = cookie.removeprefix("Set-Cookie: ").partition(";")[0]
        assert asked(found.port, "/x", f"Cookie: other=1; {pair}").endswith(PAGE + b"/x")


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/", "Host: here"),
        ("/?token=wrong", "Host: here"),
        ("/?token=", "Host: here"),
        ("/", f"Cookie: {COOKIE}=secret"),
        ("/", f"Cookie: {COOKIE}="),
        ("/", "Cookie: \x01=;;=,"),
        ("/", "Upgrade: websocket"),
        ("/?token=secret with spaces", "Host: here"),
        ("//[", "Host: here"),
    ],
)
def test_others_are_refused_and_the_page_hears_nothing(path, field):
    with socket.create_server(("127.0.0.1", 0)) as page:
        page.settimeout(0.2)
        with Gate("127.0.0.1", page.getsockname()[1], "secret") as found:
            assert asked(found.port, path, field).startswith(b"HTTP/1.1 403 ")
            with pytest.raises(TimeoutError):
                page.accept()


def test_who_sends_no_request_is_let_go(page, monkeypatch):
    monkeypatch.setattr(gate, "PATIENCE", 0.2)
    with Gate("127.0.0.1", page, "secret") as found:
        for sent in (b"", b"GET / HTTP/1.1\r\n", bytes(100_000)):
            with socket.create_connection(("127.0.0.1", found.port), 5.0) as line:
                with contextlib.suppress(OSError):  # the gate closes before all bytes are sent
                    line.sendall(sent)
                with contextlib.suppress(ConnectionError):
                    assert line.recv(100) == b""
        assert asked(found.port, "/?token=secret").startswith(b"HTTP/1.1 303 ")


def test_a_port_that_is_taken_is_a_sentence(page):
    with pytest.raises(RigError, match=f"the scene cannot listen on 127.0.0.1:{page}"):
        Gate("127.0.0.1", page, "secret", page).__enter__()
