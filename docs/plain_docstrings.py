"""Conversion of this project's docstrings, which are plain text, to reStructuredText for Sphinx.

A block with a deeper indentation than the text is an equation or a table, and becomes a literal block. A
section (``Arguments:``, ``Raises:``...) becomes a heading, and lines ``name: description`` below it a
list; tables, decorators and sessions (``>>>``) are literal too. All other blocks are paragraphs, in
which only ``code`` and roles (such as ``:class:``) are markup.
"""

import re

SECTIONS = ("Arguments", "Attributes", "Returns", "Raises", "Source", "Differs from the source", "Use")
_SECTION = re.compile(rf"({'|'.join(SECTIONS)}):\s*(.*)")
_ITEM = re.compile(r"    ([A-Za-z_*][\w, *.]*): +(\S.*)")
_CODE = re.compile(r"(``.+?``|:\w+:`[^`]+`)")


def escaped(text):
    """Text with escaped markup characters, except in ``code`` and roles."""
    parts = _CODE.split(text)
    return "".join(
        part if k % 2 else re.sub(r"([\\*|`_])", r"\\\1", part) for k, part in enumerate(parts)
    )


def blocks(lines):
    """Pairs (True if indented, lines) of a docstring's blocks, which end at a blank line or where the
    indentation changes."""
    block, deep = [], False
    for line in [*lines, ""]:
        indented = line.startswith("    ")
        if block and (not line.strip() or indented != deep):
            yield deep, block
            block = []
        if line.strip():
            block.append(line)
            deep = indented


def literal(lines):
    """A literal block with the lines unchanged."""
    return [".. code-block:: text", "", *(f"    {line}" for line in lines), ""]


def items(lines):
    """Bullet list from lines ``name: description``; None if a line has another form."""
    found = []
    for line in lines:
        item = _ITEM.fullmatch(line)
        if item:
            found.append([f"- ``{item[1]}``: {escaped(item[2])}"])
        elif found and line.startswith("     "):
            found[-1].append(f"  {escaped(line.strip())}")
        else:
            return None
    return [line for entry in found for line in entry] + [""]


def rewrite(lines):
    """The docstring's lines as reStructuredText."""
    out = []
    listed = False
    for deep, block in blocks(lines):
        head = _SECTION.fullmatch(block[0].strip()) if not deep else None
        table = not deep and any(line.startswith("====") for line in block)
        entries = items(block) if deep and listed else None
        listed = head is not None and not head[2]
        if entries:
            out += entries
        elif deep or table or block[0].startswith((">>>", "@")):
            out += literal(block)
        elif head:
            out += [f"**{head[1]}**", ""]
            rest = ([head[2]] if head[2] else []) + block[1:]
            out += [" ".join(escaped(line.strip()) for line in rest), ""] if rest else []
        else:
            out += [" ".join(escaped(line.strip()) for line in block), ""]
    return out


def process(app, what, name, thing, options, lines):
    """Sphinx' event handler that replaces the lines of a docstring in place."""
    lines[:] = rewrite(lines)


def setup(app):
    app.connect("autodoc-process-docstring", process)
    return {"parallel_read_safe": True}
