"""A page in a headless browser, for tests of web pages."""

import contextlib

import pytest

from benchmarks import cockpit


@contextlib.contextmanager
def page(**context):
    """(page, errors of its scripts, requested addresses); skips the test if no browser is installed.

    context: settings of the browser's context, such as ``offline`` and ``viewport``.
    """
    errors, asked = [], []
    with contextlib.ExitStack() as stack:
        try:
            browser = stack.enter_context(cockpit.browser())
        except ValueError as missing:
            pytest.skip(str(missing))
        found = browser.new_context(**context).new_page()
        found.on("pageerror", lambda error: errors.append(str(error)))
        found.on("request", lambda request: asked.append(request.url))
        yield found, errors, asked
