"""Every frame and message that crosses the border of a rig:  python docs/frames_and_messages.py

Numbers are those of the code: layouts, periods, timeouts, safe values, limits. A test compares the page
with the output of this program.
"""

import re
import sys
from pathlib import Path

from rig.bus import core
from rig.outside import agopen, journal_file
from rig.outside.body_poses import POSES
from rig.outside.can import bus as can_bus
from rig.outside.can import gateway, hub, messages
from rig.outside.can.address import ACKNOWLEDGEMENT, CLAIM, REQUEST, parts
from rig.outside.front_loop import DEAD, RATE
from rig.outside.lines import receiver, steer_module, tcp
from rig.outside.net import client_record, frame, schema, server, session

PAGE = Path(__file__).resolve().parent / "frames_and_messages.md"
HEAD = """# Every frame and message

The reference for authors of programs connected to a rig; [hardware in the loop](hardware_in_the_loop.md) explains the use.

<!-- measured: frames, by `python docs/frames_and_messages.py` -->
"""
KINDS = {
    "HELLO": ("client", "JSON: `role`, `token`, `signals` wanted, `inputs` sent, `rate` of states, "
              "`pull`: one state for each ping"),
    "WELCOME": ("server", "JSON: `state` and `input`, each a list of name, unit, type, shape and offset; `machine`"),
    "STATE": ("server", "float64 by the schema `state`"),
    "INPUT": ("client", "float64 by the schema `input`"),
    "EVENT": ("both", 'server: JSON `stale`, `fresh`, `late` and `slips` (counts: late ticks, shifts of the schedule), `refused`, `line`, and lasting events, sent also to new clients: `seat`, `stop`, '
              '`stopped`, `journal`, `waiting` with `share` and `seconds`; client: '
              '`{"stop": true}`, the operator also `{"stop": false}`'),
    "PING": ("both", "returned unchanged; with `pull`, then the next state"),
    "BYE": ("both", "JSON `why`"),
}  # fmt: skip
ROLES = {
    "view": "reads",
    "log": "reads",
    "hardware": "reads and sends",
    "operator": "reads and sends, only one at a time",
}
FIELDS = ("magic `WGR1`", "version", "kind", "length of the payload", "sequence number of the sender", "tick",
          "time [s]")  # fmt: skip
TYPES = {"4s": ("4 bytes", 4), "H": ("u16", 2), "I": ("u32", 4), "Q": ("u64", 8), "d": ("f64", 8)}
POSITION = (
    ("sequence", "u8", ""), ("days since 1970", "u16", "d"), ("time of the day", "u32", "1e-4 s"),
    ("latitude, longitude", "2 i64", "1e-16 deg"), ("height", "i64", "1e-6 m"),
    ("kind and method (the quality of the fix)", "2 times 4 bits", ""), ("integrity", "u8", ""),
    ("satellites", "u8", ""), ("horizontal, position dilution", "2 i16", "0.01"),
    ("height of the geoid", "i32", "0.01 m"), ("reference stations", "u8", ""),
)  # fmt: skip
GROUPS = (
    (agopen.HELLO, "in", "hello of AgIO; its last byte may be 47 hex instead of the crc", "module, 2 empty bytes"),
    (agopen.SCAN, "in", "scan of AgIO; last byte likewise", "CA, CA, 05"),
    (agopen.STEER_DATA, "in", "steer data",
     "speed i16 [0.1 km/h], status u8 (bit 0: steer), angle i16 [0.01 deg], light bar u8, sections u16"),
    (agopen.STEER_SETTINGS, "in", "steer settings, kept as they come", "8 bytes"),
    (agopen.STEER_CONFIG, "in", "steer configuration, kept as it comes", "8 bytes"),
    (agopen.FROM_STEER, "out", "answer to steer data",
     f"angle i16 [0.01 deg], heading i16 [0.1 deg] or {agopen.NO_HEADING}, roll i16 [0.1 deg] or "
     f"{agopen.NO_ROLL}, switches u8 (bit 0: work, bit 1: steer; 0 is on), valve u8"),
    (agopen.HELLO_STEER, "out", "answer to a hello", "angle i16 [0.01 deg], sensor i16, switches u8"),
    (agopen.SCANNED, "out", "answer to a scan", "address, 4 bytes, and its first 3 again: the subnet"),
)  # fmt: skip
SENTENCES = ("GGA", "VTG", "RMC", "HDT")
TOPICS = {
    "/rig/begin": "once: the rig as TOML with its seed and start; versions of the packages",
    "/rig/in": "tick, signals from outside and their sender",
    "/rig/clock": "in real time only: tick, and the clock at its beginning [ns]",
    "/rig/out": "tick and chosen signals, with which a replay must agree to the byte",
    "/rig/end": "number of ticks; missing in an interrupted journal",
    "/can/in": "tick, identifier and data of a received frame",
    "/pose": "pose of the machine",
    "/poses": f"poses of all bodies, {RATE:g} a second, to 0.1 mm",
    "/fix": "geographic position of the machine",
}


def table(*rows):
    """A Markdown table; the first row is its head."""
    head, *rest = (tuple(str(cell) for cell in row) for row in rows)
    lines = [f"| {' | '.join(row)} |".replace("|  |", "| |") for row in (head, *rest)]
    return "\n".join([lines[0], "|" + "---|" * len(head), *lines[1:]]) + "\n"


def ms(seconds):
    """Text of a duration: in ms below 1 s, else in s."""
    return f"{1e3 * seconds:g} ms" if seconds < 1.0 else f"{seconds:g} s"


def frames():
    """Section on the server: layout of a frame, kinds of frames, roles and limits of clients."""
    rows, at = [("byte", "content", "type")], 0
    for what, code in zip(FIELDS, ("4s", "H", "H", "I", "I", "Q", "d"), strict=True):
        name, size = TYPES[code]
        rows.append((at, what, name))
        at += size
    assert at == frame.HEAD.size
    rows += [(at, "payload", ""), (f"{at} + length", "CRC-32 of all before", "u32")]
    kinds = [(f"{int(k)} {k.name.lower()}", *KINDS[k.name]) for k in frame.Kind]
    limits = (
        ("quantity", "limit"),
        ("a frame", f"{frame.LARGEST >> 10} KiB"),
        ("a hello", f"{frame.LARGEST_HELLO >> 10} KiB"),
        ("clients", server.CLIENTS),
        ("inputs of a client, states requested", f"{schema.FASTEST:g} a second"),
        ("queued frames of a client", client_record.QUEUE),
        ("time for a hello", ms(session.PATIENCE)),
        ("an operator who sends nothing, a client who reads nothing", ms(session.SILENCE)),
        ("silence of the simulation before its end is reported", ms(DEAD)),
    )
    return [
        "## The server's frame\n",
        f"Messages over TCP and binary WebSockets have this layout; little-endian, version {frame.VERSION}.\n",
        table(*rows),
        table(("kind", "from", "payload"), *kinds),
        "Roles: " + "; ".join(f"`{role}` {ROLES[role]}" for role in schema.ROLES) + ".\n",
        table(*limits),
        f"The signal `{POSES}`, if the machine has bodies, is position [m] and quaternion of each.\n",
    ]


def signals():
    """Section on the signals that a rig receives from outside: unit, range, timeout, safe value."""
    items = []
    for name, signal in core().signals.items():
        if signal.alone:
            low, high, unit = signal.port.low, signal.port.high, signal.port.unit or "-"
            span = (
                "" if low == -high == -float("inf") else f", {low:g} to {high:g}".replace("inf", "any")
            )
            kept = signal.timeout is None
            stale = "kept" if kept else f"{signal.safe:g} after {ms(signal.timeout)}"
            items.append(f"- `{name}` [{unit}]{span} ({stale}). {signal.port.about}")
    return [
        "## Signals from outside\n",
        "These signals come from connected programs, since no block of the rig writes them. Each item has the unit and "
        "range, and in parentheses the safe value, which replaces a value that is older than the time given (kept: never). A number must be "
        "finite and in its range.\n",
        "\n".join(items) + "\n",
    ]


def bits(signal):
    """Text on a CAN signal: first bit, length, name, and value as a formula of the raw number n."""
    offset = f" {'-' if signal.offset < 0 else '+'} {abs(signal.offset):g}" if signal.offset else ""
    value = f" = {signal.scale:.10g} n{offset}" if (signal.scale, signal.offset) != (1, 0) else ""
    unit = f" {signal.unit}" if signal.unit else ""
    return f"{signal.start}+{signal.length} `{signal.name}`{value}{unit}"


def can_row(number, name, way, priority, period, meaning, content=""):
    """Cells of a table's row on one message of the CAN bus."""
    return (
        f"`{name}`", f"{number}, {number:X}", way, priority, period, re.sub(r",? PGN \d+", "", meaning), content
    )  # fmt: skip


def can_messages():
    """Section on the messages of the ISO 11783 bus, bit by bit."""
    rows = [("message", "PGN, hex", "direction", "priority", "period", "meaning", "signals")]
    for message in messages.table().messages:
        number, _, _, priority = parts(message.frame_id)
        out = message.senders == ["Tractor"]
        period = ms(gateway.PERIODS[message.name]) if out else ""
        content = "; ".join(bits(s) for s in message.signals)
        rows.append(
            can_row(
                number, message.name, "out" if out else "in", priority, period, message.comment, content
            )
        )
    number, period = messages.GNSS_POSITION, ms(gateway.PERIODS["GnssPosition"])
    fast = "GNSS position data, a fast packet"
    rows += [
        can_row(number, "GnssPosition", "out", 3, period, fast, "see below"),
        can_row(
            CLAIM,
            "AddressClaim",
            "both",
            6,
            "",
            "NAME of a unit; of two units the lower NAME keeps the address",
        ),
        can_row(
            ACKNOWLEDGEMENT,
            "Acknowledgement",
            "out",
            6,
            "",
            "refusal of a request for a message that the rig never sends",
        ),
        can_row(
            REQUEST,
            "Request",
            "in",
            6,
            "",
            "request for the address claim or for a message, sent with the next tick",
        ),
    ]
    steering = ", ".join(f"{n:X}" for n in can_bus.STEERING)
    return [
        "## ISO 11783 and NMEA 2000\n",
        "`rig/outside/can/isobus.dbc` has the single-frame messages; all bits of an unknown value are one. In the table, "
        "`0+16 Name = 0.25 n - 8032 unit` is a signal from bit 0, 16 bits long, with its value for the raw number n; "
        "*in* is towards the rig, *out* from it.\n",
        table(*rows),
        "Fields of `GnssPosition` (type, unit of a count): "
        + "; ".join(" ".join(filter(None, field)) for field in POSITION)
        + ".\n",
        f"States of the gateway: {', '.join(gateway.STATES)}. A command older than {ms(gateway.STALE)} releases the "
        f"steering with exit reason {gateway.STOPPED_COMING}, the operator's switch with reason {gateway.OPERATOR}. "
        "While one controller sends commands, those of another are refused. "
        f"Messages {steering} (hex) are sent on a real bus only with `allow_steering=True`. The hub serves at "
        f"most {hub.CLIENTS} processes of the same computer.\n",
    ]


def others():
    """Sections on NMEA 0183, AgOpenGPS and the journal."""
    groups = [("number, hex", "direction", "message", "data")]
    groups += [(f"{n}, {n:X}", direction, what, data) for n, direction, what, data in GROUPS]
    return [
        "## NMEA 0183\n",
        f"The rig sends {', '.join(SENTENCES)} every {ms(receiver.PERIOD)}, or with every fix of its receiver: over UDP to "
        f"port {receiver.PORT} of this computer by default, to up to {tcp.LISTENERS} programs that connect over TCP, "
        "or on a serial line. Input is ignored.\n",
        "## AgOpenGPS\n",
        "A message is `80 81 source number length data crc` (hex). The crc is the low byte of the sum from source to the last data "
        f"byte; source is {agopen.AGIO:X} towards the rig and {agopen.STEER:X} from it. Messages go over UDP to port "
        f"{steer_module.TO} from port {steer_module.FROM}, or on a serial line. `$PANDA` is sent with every fix. Steer data older than "
        f"{ms(steer_module.STALE)} release the steering. Angles are positive to the right.\n",
        table(*groups),
        "## The journal\n",
        f"The journal is an MCAP file, written every {ms(journal_file.FLUSH)}, with these topics:\n",
        "\n".join(f"- `{t}` ({name}): {TOPICS[t]}" for t, name in journal_file.TOPICS.items()) + "\n",
    ]


def page():
    """Text of the whole page."""
    return HEAD + "\n".join([*frames(), *signals(), *can_messages(), *others()]) + "\n<!-- end -->\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"written: {PAGE}", file=sys.stderr)
