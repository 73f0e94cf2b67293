"""The page of frames and messages agrees with the code and is complete."""

import runpy
from pathlib import Path

from rig.bus import core
from rig.outside.can import messages

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "frames_and_messages.md").read_text(encoding="utf-8")
#: Signals without a timeout: the load in the bucket, and a counter.
LASTS = {"bucket_load", "input_number"}


def test_the_page_is_what_the_code_says():
    written = runpy.run_path(str(DOCS / "frames_and_messages.py"))["page"]()
    assert written == PAGE, "write it again: python docs/frames_and_messages.py"


def test_every_signal_that_may_come_in_grows_old_and_becomes_safe():
    signals = core().signals.values()
    assert {s.name for s in signals if s.alone and s.timeout is None} == LASTS
    for signal in signals:
        if signal.alone:
            assert f"- `{signal.name}` [" in PAGE
            assert signal.port.low <= signal.safe <= signal.port.high


def test_every_message_says_what_it_is():
    for message in messages.table().messages:
        assert message.comment, message.name
        assert f"| `{message.name}` | " in PAGE
