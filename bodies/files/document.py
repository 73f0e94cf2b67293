"""Reading of a TOML file to plain tables of texts, numbers and lists."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from .. import checks
from ..checks import checked

MOST = 4_000_000  # largest size of a file [bytes], parsed in one or two seconds
LONGEST = 200  # longest name of an object [characters], since messages contain names


@checked
def read_text(path: str | Path) -> str:
    """Text of a file in UTF-8, with or without a byte order mark.

    Raises:
        MechanismError: a file that does not exist, cannot be read, is too large, or is not in UTF-8.
    """
    try:
        with open(path, "rb") as file:
            raw = file.read(MOST + 1)
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        raise checks.MechanismError(f"{path}: {reason}; give the path of a TOML file.") from None
    try:
        check_size(str(path), len(raw))
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise checks.MechanismError(
            f"{path}: byte {error.start + 1} is 0x{raw[error.start]:02x}, which is no UTF-8 text; save "
            "the file as UTF-8."
        ) from None


def check_size(source: str, size: int) -> None:
    """Raise MechanismError for a text so large that it takes many seconds to parse."""
    if size > MOST:
        raise checks.MechanismError(
            f"{source}: a file may have at most {MOST} bytes; keep large height fields in a GeoTIFF."
        )


def tables(text: str, source: str, known: set[str], lists: set[str]) -> dict[str, Any]:
    """Tables and keys at the top level of a text.

    Arguments:
        text: text of the file.
        source: name of the file in messages.
        known: allowed names at the top level.
        lists: names of lists of tables, written ``[[name]]``, one table per object.

    Raises:
        MechanismError: text that is not TOML, an unknown name (with the nearest known one), a table that
            should be a list of tables, two objects of one name in a list.
    """
    check_size(source, len(text))
    try:
        given = tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise checks.MechanismError(f"{source}: not a TOML file: {error}.") from None
    except RecursionError:
        raise checks.MechanismError(f"{source}: lists or tables are nested too deep.") from None
    except ValueError:  # TOML integer with thousands of digits
        raise checks.MechanismError(f"{source}: an integer has too many digits.") from None
    for name, value in given.items():
        checks.need_known(f"{source}: table", name, known)
        if name in lists and not (isinstance(value, list) and all(isinstance(r, dict) for r in value)):
            raise checks.MechanismError(
                f"{source}: write [[{name}]] with two brackets, one table per object."
            )
        if name in lists:
            unique(f"{source}: [[{name}]]", [row.get("name") for row in value])
    return given


def unique(where: str, names: list[Any]) -> None:
    """Raise MechanismError for duplicate names and names longer than ``LONGEST``."""
    seen: set[str] = set()
    for name in names:
        if isinstance(name, str) and len(name) > LONGEST:
            raise checks.MechanismError(
                f"{where}: a name may have at most {LONGEST} characters, got {len(name)}."
            )
        if isinstance(name, str) and name in seen:
            raise checks.MechanismError(f"{where}: the name {checks.shown(name)} is used twice.")
        if isinstance(name, str):
            seen.add(name)
