"""TOML texts with random mistakes, repeatable by a seed.

Up to three mistakes are made in the parsed tables, which are then written as text, or one mistake is
made in a line of the text.
"""

import copy
import datetime
import random

TEXTS = ("abc", "", "ground", "nan", "12", "frame", "x y", "\u00e4", "inf", "true")
WRONG = (
    *TEXTS, True, False, 0, -1, 7, 0.0, -0.0, 1e-300, 1e300, 1e20, -1e20, 1e9,
    float("nan"), float("inf"), -float("inf"), 10**400, [], {}, [[]], [1.0], [1.0, 2.0],
    [1.0, 2.0, 3.0], [[1.0, 2.0], [3.0]], ["a"],
    {"type": "plane"}, {"points": [[0.0, 1.0]]}, {"points": 3}, {"x": 1}, datetime.date(1979, 5, 27),
    datetime.time(7, 32), datetime.datetime(1979, 5, 27, 7, 32),
)  # fmt: skip


def written(value):
    """A parsed value as TOML text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{written(k)} = {written(v)}" for k, v in value.items()) + " }"
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return repr(value)


def document(tables):
    """Parsed tables as TOML text, each table on one line as an inline table."""
    return "\n".join(f"{written(k)} = {written(v)}" for k, v in tables.items()) + "\n"


def places(value, path=()):
    """Paths (tuples of keys and indices) of all values in parsed tables, tables before their values."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for k, v in items:
        yield (*path, k)
        if isinstance(v, dict | list):
            yield from places(v, (*path, k))


def holder(tables, path):
    """Table or list that contains the value at a path."""
    for step in path[:-1]:
        tables = tables[step]
    return tables


def mutate(tables, rng):
    """Do one mutation in place; return its description."""
    path = rng.choice(list(places(tables)))
    inside, last = holder(tables, path), path[-1]
    old = inside[last]
    kind = rng.choice(
        ("delete", "negate", "wrong", "wrong", "wrong", "scale", "duplicate", "rename", "swap", "nest")
    )
    if kind == "delete":
        del inside[last]
    elif kind == "negate" and isinstance(old, int | float) and not isinstance(old, bool):
        inside[last] = -old
    elif kind == "scale" and isinstance(old, int | float) and not isinstance(old, bool):
        inside[last] = old * rng.choice((1e-6, 1e-3, 0.0, 1e3, 1e6, 1e12))
    elif kind == "duplicate" and isinstance(inside, list):
        inside.insert(last, copy.deepcopy(old))
    elif kind == "rename" and isinstance(inside, dict):
        at = rng.randrange(len(last) + 1)
        inside[last[:at] + rng.choice("xyz_ ") + last[at + 1 :]] = inside.pop(last)
    elif kind == "swap":
        other = rng.choice(list(places(tables)))
        there = holder(tables, other)
        inside[last], there[other[-1]] = copy.deepcopy(there[other[-1]]), copy.deepcopy(old)
    elif kind == "nest":
        for _ in range(rng.choice((1, 2, 60))):
            old = [old]
        inside[last] = old
    else:
        inside[last] = copy.deepcopy(rng.choice(WRONG))
    return f"{kind} {'.'.join(map(str, path))}"


def torn(text, rng):
    """(text, description) after one line is dropped, doubled, cut, or gets [ ] in place of [[ ]]."""
    lines = text.splitlines()
    k = rng.randrange(len(lines))
    kind = rng.choice(("drop", "twice", "cut", "brackets"))
    if kind == "drop":
        del lines[k]
    elif kind == "twice":
        lines.insert(k, lines[k])
    elif kind == "cut":
        lines[k] = lines[k][: rng.randrange(len(lines[k]) + 1)]
    else:
        lines[k] = lines[k].replace("[[", "[").replace("]]", "]")
    return "\n".join(lines), f"{kind} line {k + 1}"


def mutants(text, seed, count):
    """``count`` pairs (text, description of its mutations)."""
    import tomllib

    rng = random.Random(seed)
    for _ in range(count):
        if rng.random() < 0.15:
            yield torn(text, rng)
            continue
        tables = tomllib.loads(text)
        done = []
        for _ in range(rng.choice((1, 1, 2, 3))):
            try:
                done.append(mutate(tables, rng))
            except (KeyError, IndexError, TypeError, OverflowError):  # no or a huge value
                continue
        yield document(tables), ", ".join(done)
