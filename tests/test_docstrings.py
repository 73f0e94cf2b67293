"""Docstrings of public names: arguments with units, errors, source of the equation.

The rules, for every name in ``__all__`` of the packages below:

- it has a docstring of four words or more; each of its public methods and properties has a docstring;
- it names every parameter but ``name``, and every field of a dataclass; the docstring of the base class
  may name inherited ones;
- if a parameter is a number or an array, there is a unit or a shape in brackets;
- if its code raises or checks, there is a ``Raises:``;
- in ``contact``, an equation has its source: ``Source:``, a year, an ISO standard, or its number in the
  paper of Peiret et al. (shapes of ground and bodies are geometry and need none).
"""

import dataclasses
import importlib
import inspect
import re

import pytest

PACKAGES = (
    "mlcp", "contact", "contact.laws", "contact.terrain", "contact.rigid", "contact.hosts",
    "bodies", "bodies.joints", "bodies.forces", "bodies.driveline", "bodies.hydraulics",
    "bodies.vehicle", "bodies.mjcf", "bodies.view",
    "rig", "rig.chassis", "rig.steering", "rig.guidance", "rig.gnss",
    "identify", "mobility",
)  # fmt: skip
NUMBER = re.compile(r"float|ndarray|NDArray|ArrayLike|Vector")
UNIT = re.compile(r"\[[^\]]+\]|\([0-9n][^)]*,\s*[^)]*\)")  # such as [m], (n, 3)
REFUSES = re.compile(r"\braise \w|checks\.\w+\(|\bcheck_\w+\(")
EQUATION = re.compile(r"^ {4,}.*[^=<>]=[^=].*$|``[^`]*[^=<>]=[^=][^`]*``", re.M)
LAWFUL = re.compile(r"contact(?!\.rigid|\.terrain\.shapes)")
ORIGIN = re.compile(r"Source:|\beqs? \d|\(\d+(?:[,-] ?\d+)*\)|\b(?:18|19|20)\d\d\b|ISO \d")


def public():
    """Test parameter of every public callable, each object once; its id is ``package.name``."""
    seen = set()
    for package in PACKAGES:
        module = importlib.import_module(package)
        for name in module.__all__:
            thing = getattr(module, name)
            if callable(thing) and id(thing) not in seen:
                seen.add(id(thing))
                yield pytest.param(thing, id=f"{package}.{name}")


def texts(thing):
    """Docstrings of an object, its constructor and its base classes in our packages."""
    if not inspect.isclass(thing):
        return inspect.getdoc(thing) or ""
    packages = ("mlcp", "contact", "bodies", "identify", "rig", "mobility")
    ours = [c for c in thing.__mro__ if c.__module__.split(".")[0] in packages]
    found = []
    for kind in ours:
        found += [kind.__doc__ or "", kind.__dict__.get("__init__", kind).__doc__ or ""]
    return "\n".join(found)


def parameters(thing):
    """(name, annotation) of each parameter."""
    if inspect.isclass(thing) and issubclass(thing, BaseException):
        return []
    if dataclasses.is_dataclass(thing):
        fields = dataclasses.fields(thing)
        return [(f.name, str(f.type)) for f in fields if f.init and not f.name.startswith("_")]
    if inspect.isclass(thing) and "__init__" not in thing.__dict__:
        return []
    try:
        found = inspect.signature(thing).parameters.values()
    except ValueError:
        return []
    return [(p.name, str(p.annotation)) for p in found if p.name != "self"]


def own_code(thing):
    """Source code in which a function, or the constructor of a class, checks its input."""
    if not inspect.isclass(thing):
        return inspect.getsource(thing)
    made = [thing.__dict__[n] for n in ("__init__", "__post_init__") if n in thing.__dict__]
    if dataclasses.is_dataclass(thing):
        made = [m for m in made if m.__name__ == "__post_init__"]
    return "\n".join(inspect.getsource(m) for m in made)


@pytest.mark.parametrize("thing", list(public()))
def test_a_public_name_is_documented(thing):
    text, own = texts(thing), thing.__doc__ or ""
    assert len(own.split()) >= 4, "no docstring"
    assert not own.startswith(f"{thing.__name__}("), "only the docstring that a dataclass is given"
    taken = parameters(thing)
    named = {name for name, _ in taken if re.search(rf"\b{re.escape(name)}\b", text)} | {"name"}
    missing = [name for name, _ in taken if name not in named]
    assert not missing, f"the docstring does not name {missing}"
    if any(NUMBER.search(kind) for _, kind in taken):
        assert UNIT.search(text), "numbers without a unit or a shape"
    if REFUSES.search(own_code(thing)):
        assert "Raises:" in text, "it refuses input; say with what"
    if LAWFUL.match(thing.__module__) and EQUATION.search(own):
        assert ORIGIN.search(text), "an equation without its source"


@pytest.mark.parametrize("thing", [p for p in public() if inspect.isclass(p.values[0])])
def test_public_methods_are_documented(thing):
    bare = []
    for name, member in vars(thing).items():
        function = getattr(member, "__func__", getattr(member, "func", member))
        if isinstance(member, property):
            function = member.fget
        if name.startswith("_") or not inspect.isfunction(function):
            continue
        if not inspect.getdoc(getattr(thing, name)):  # inherited docstrings count
            bare.append(name)
    assert not bare, f"methods without a docstring: {bare}"
