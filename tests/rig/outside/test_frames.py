"""Frames of the rig's network protocol and hello messages of clients, byte by byte."""

import json
import shutil
import struct
import subprocess
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig import RigError
from rig.outside.net.frame import HEAD, LARGEST, FrameReader, Kind, NetworkFrame, header, unpack
from rig.outside.net.schema import Hello
from tests.refusals import refusals


@given(
    st.sampled_from(list(Kind)),
    st.binary(max_size=300),
    st.integers(0, 2**32 - 1),
    st.integers(0, 2**64 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(1, 40),
)
def test_a_frame_comes_back_however_the_stream_is_cut(kind, payload, sequence, tick, now, cut):
    frame = NetworkFrame(kind, payload, sequence, tick, now)
    packed = frame.pack()
    assert packed[:8] == b"WGR1" + struct.pack("<HH", 1, kind)
    assert packed[-4:] == struct.pack("<I", zlib.crc32(packed[:-4]))
    reader, found = FrameReader(), []
    for at in range(0, 2 * len(packed), cut):
        found += reader.feed((packed + packed)[at : at + cut])
    assert found == [frame, frame]


@given(st.binary(max_size=200), st.data())
def test_a_changed_frame_is_a_sentence(payload, data):
    packed = bytearray(NetworkFrame(Kind.STATE, payload).pack())
    at = data.draw(st.integers(0, len(packed) - 1))
    packed[at] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(RigError):
        unpack(bytes(packed))


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler on this machine")
def test_a_client_in_c_reads_the_frame_by_the_header(tmp_path):
    (tmp_path / "frame.h").write_text(header())
    (tmp_path / "read.c").write_text(
        """#include <stdio.h>
        #include <string.h>
        #include "frame.h"
        int main(void) {
            static uint8_t b[WGR_LARGEST];
            size_t n = fread(b, 1, sizeof b, stdin);
            wgr_head h; uint32_t crc; double x;
            memcpy(&h, b, sizeof h);
            memcpy(&crc, b + sizeof h + h.length, 4);
            memcpy(&x, b + sizeof h, 8);
            printf("%d %u %u %llu %.17g %.17g %d %zu", memcmp(h.magic, "WGR1", 4), h.kind, h.sequence,
                   (unsigned long long)h.tick, h.time, x, crc == wgr_crc(b, n - 4), n);
            return 0;
        }"""
    )
    subprocess.run(["cc", "-o", "read", "read.c"], cwd=tmp_path, check=True)
    frame = NetworkFrame(Kind.STATE, struct.pack("<d", 0.1), 7, 1 << 40, 2.5)
    told = subprocess.run(["./read"], cwd=tmp_path, input=frame.pack(), capture_output=True, check=True)
    assert told.stdout.decode() == f"0 3 7 {1 << 40} 2.5 0.10000000000000001 1 44"


test_too_long_is_refused_at_both_ends = refusals(
    (lambda: NetworkFrame(Kind.STATE, bytes(LARGEST)).pack(), "at most 65536 bytes"),
    (lambda: FrameReader().feed(HEAD.pack(b"WGR1", 1, 1, 5000, 0, 0, 0.0)), "too long"),
    error=RigError,
)


@settings(max_examples=100)
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=8),
        lambda c: st.lists(c, max_size=4)
        | st.dictionaries(st.sampled_from(["role", "token", "signals", "inputs", "rate", "x"]), c),
        max_leaves=8,
    )
)
def test_any_json_is_a_hello_or_a_sentence(found):
    try:
        Hello.read(json.dumps(found).encode())
    except RigError:
        pass
