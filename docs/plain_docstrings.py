"""Docstrings of this project as reStructuredText: they are written to be read as plain text.

A block indented deeper than the text is an equation or a table and is kept as it stands; a section
(``Arguments:``, ``Raises:``...) becomes a heading with its lines kept; everything else is a paragraph
in which only ``code`` and roles are markup.
"""

import re

SECTIONS = ("Arguments", "Attributes", "Returns", "Raises", "Source", "Differs from the source", "Use")
_SECTION = re.compile(rf"({'|'.join(SECTIONS)}):\s*(.*)")
_ITEM = re.compile(r"    ([A-Za-z_*][\w, *.]*): +(\S.*)")
_CODE = re.compile(r"(``.+?``|:\w+:`[^`]+`)")


def escaped(text):
    """Text in which nothing but code is markup."""
    parts = _CODE.split(text)
    return "".join(
        part if k % 2 else re.sub(r"([\\*|`_])", r"\\\1", part) for k, part in enumerate(parts)
    )


def blocks(lines):
    """Blocks ``(indented, lines)``; a block ends at a blank line or a change of indentation."""
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
    """Lines kept as they stand."""
    return [".. code-block:: text", "", *(f"    {line}" for line in lines), ""]


def items(lines):
    """List of lines ``name: description``; None for other lines."""
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
    """Hook of autodoc."""
    lines[:] = rewrite(lines)


def setup(app):
    app.connect("autodoc-process-docstring", process)
    return {"parallel_read_safe": True}
