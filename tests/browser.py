"""A page of a headless browser, for several tests."""

import contextlib

import pytest

from benchmarks import cockpit


@contextlib.contextmanager
def page(**context):
    """A page, its errors and the addresses that it asks for; without a browser the test is skipped.

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
