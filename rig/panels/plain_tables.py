"""Conversion between the tables of a panel's file and dataclasses (levers, gauges and others)."""

from __future__ import annotations

import dataclasses
from typing import Any

from mlcp.checks import shown

from ..errors import RigError, known


def from_table(kind: Any, given: Any, where: str) -> Any:
    """Instance of a dataclass from its table; RigError for unknown or missing keys."""
    if not isinstance(given, dict):
        raise RigError(f"{where} must be a table, got {shown(given)}")
    keys = {f.name for f in dataclasses.fields(kind)}
    for key in given:
        known(f"{where}: unknown key", key, keys)
    absent = [
        f.name
        for f in dataclasses.fields(kind)
        if f.name not in given and f.default is f.default_factory is dataclasses.MISSING
    ]
    if absent:
        raise RigError(f"{where}: the key {absent[0]!r} is missing")
    try:
        return kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in given.items()})
    except RigError as error:
        raise RigError(f"{where}: {error}") from None


def to_table(item: Any) -> Any:
    """Table of a dataclass's fields, without None and without default values."""
    if not dataclasses.is_dataclass(item):
        return [to_table(x) for x in item] if isinstance(item, tuple) else item
    pairs = ((f, getattr(item, f.name)) for f in dataclasses.fields(item))
    return {
        f.name: to_table(v) for f, v in pairs if v is not None and v != f.default and v != () and v != {}
    }
