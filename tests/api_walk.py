"""Calls of every public name of the packages, each with one argument of a wrong kind.

    python -m tests.api_walk PACKAGE,PACKAGE SEED CALLS   (CALLS: number for each package; 0: all)

A call may succeed, or end in an exception of our own ``raise``. Other results are printed, one line a
call: an exception raised by NumPy or Python, a call that does not end, a bool or number taken as a path.
The last line is "done".
"""

from __future__ import annotations

import collections
import contextlib
import fcntl
import inspect
import os
import random
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TextIO

import numpy as np

import bodies as B
from mlcp.checks import shown
from tests import api_fuzzer
from tests.api_samples import LEFT_OUT, MODULES, good, parts, scratch

TIME = 5.0  # largest processor time of a call [s]
WRONG = (
    *api_fuzzer.SPOILT, np.ma.masked_array([1.0, 2.0], [True, False]), np.bool_(True), [1.0, "x", None],
    -0.0, 1e-300, np.array([[1.0, np.nan]]), range(3), B.Gravity(), int, lambda: None, {1.0: 2.0}, "\0",
)  # fmt: skip


class Endless(BaseException):
    """Raised in a call that exceeds the limit of processor time ``TIME``."""


class Call(NamedTuple):
    """Public callable with valid arguments by name."""

    title: str
    function: Callable[..., Any]
    given: dict[str, Any]
    annotations: dict[str, str]


def callables(package: str) -> Iterator[tuple[str, str, Callable[..., Any]]]:
    """(class or "", name, callable) of each public class and function of a package."""
    for module in MODULES[package]:
        for name in module.__all__:
            thing = getattr(module, name)
            if not callable(thing) or name in LEFT_OUT or inspect.isabstract(thing):
                continue
            if isinstance(thing, type):
                if issubclass(thing, BaseException | tuple) or getattr(thing, "_is_protocol", False):
                    continue
            yield name if isinstance(thing, type) else "", name, thing


def calls(package: str) -> Iterator[Call]:
    """Public classes, functions and methods of a package, with valid arguments."""
    for owner, name, thing in callables(package):
        one = prepared(owner, name, thing, package)
        yield one
        if not isinstance(thing, type):
            continue
        try:
            instance = thing(**one.given)
        except Exception as error:
            print(f"no {name}: {shown(str(error))}", file=sys.stderr)
            instance = thing
        for method, _ in inspect.getmembers(thing, callable):
            bound = getattr(instance, method)
            if (
                method[0] == "_"
                or f"{name}.{method}" in LEFT_OUT
                or method in LEFT_OUT
                or isinstance(bound, type)
            ):
                continue
            if instance is thing and not inspect.ismethod(bound):
                continue
            try:
                yield prepared(name, method, bound, package)
            except ValueError:
                continue  # Python cannot read the method's signature


def prepared(owner: str, name: str, function: Callable[..., Any], package: str) -> Call:
    """Return the call with a valid argument for each parameter."""
    given, annotations = {}, {}
    like = parts().get(function) if isinstance(function, type) and package == "bodies" else None
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            continue
        value = getattr(like, parameter.name) if like else good(owner, name, parameter, package)
        given[parameter.name] = value
        annotations[parameter.name] = str(parameter.annotation)
    return Call(name if name == owner or not owner else f"{owner}.{name}", function, given, annotations)


def timed(function: Callable[..., Any], given: dict[str, Any]) -> None:
    """Do the call; raise ``Endless`` beyond the time limit."""

    def late(*_: object) -> None:
        raise Endless

    signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, TIME)
    try:
        result = function(**given)
        if inspect.isgenerator(result):
            next(result, None)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)


def wrong_with(call: Call, key: str, value: Any) -> str:
    """Fault of a call whose argument ``key`` is the wrong ``value``; an empty text if there is none."""
    if callable(value) and "Callable" in call.annotations[key]:
        return ""  # an exception of a user's function is not a fault of the library
    try:
        timed(call.function, call.given | {key: value})
    except Endless:
        return "no end"
    except Exception as error:
        wrong = api_fuzzer.unlike_ours(error)
        return f"{wrong}: {type(error).__name__}: {shown(str(error))}" if wrong else ""
    except BaseException as error:
        return f"ended by {type(error).__name__}"
    path = "Path" in call.annotations[key] and isinstance(value, (bool, int))
    return "taken for a path" if path else ""


def walk(package: str, seed: int, count: int, out: TextIO) -> None:
    """Do all calls of a package with a wrong argument, or a random sample of ``count`` of them."""
    found = list(calls(package))
    for call in found:  # compile before the time limits apply
        with contextlib.suppress(Exception):
            call.function(**call.given)
    jobs = [(call, key, value) for call in found for key in call.given for value in WRONG]
    if count:
        jobs = random.Random(seed).sample(jobs, min(count, len(jobs)))
    by_name: collections.Counter[str] = collections.Counter()
    for call, key, value in jobs:
        wrong = wrong_with(call, key, value)
        if wrong:
            by_name[call.title] += 1
            print(f"{call.title}({key}={shown(value)}): {wrong}", file=out, flush=True)
    names = f"{len(by_name)} of {len(found)} names"
    print(f"{package}: {by_name.total()} of {len(jobs)} calls, {names}", file=sys.stderr, flush=True)


def main(packages: str, seed: int, count: int) -> None:
    """Call the public names of ``packages`` (names with commas between) and print the faults."""
    # A call with the path 1 closes descriptor 1, the standard output: the faults go to its duplicate.
    out = os.fdopen(fcntl.fcntl(1, fcntl.F_DUPFD, 200), "w")
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    with scratch():
        for package in packages.split(","):
            walk(package, seed, count, out)
    print("done", file=out, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
