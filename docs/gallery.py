"""The page of pictures, each from a script of ``examples/``:  python docs/gallery.py [NAME ...]

Draws the pictures (of the scripts named, or of all) and writes ``docs/gallery.md`` with the first
paragraph of each script's docstring. A test compares the page with the scripts.
"""

import ast
import inspect
import runpy
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).resolve().parent
EXAMPLES, PICTURES = DOCS.parent / "examples", DOCS / "images" / "gallery"
PAGE = DOCS / "gallery.md"
FIRST = ("what_is_slip", "what_is_a_complementarity_problem", "drive_a_vehicle")
TITLES = {"host_mujoco_legs": "Wheeled legs in MuJoCo"}
HEAD = """# Gallery

For all readers. A script draws each picture and prints one number, which a test checks.
`wheelground examples NAME` copies a script; `python NAME.py` writes `out/NAME.png`.

"""


def scripts():
    """Names of the scripts that draw a picture, in the page's order."""
    drawn = [p.stem for p in sorted(EXAMPLES.glob("*.py")) if "picture: Path" in p.read_text()]
    return [*FIRST, *(name for name in drawn if name not in FIRST)]


def words(name):
    """The first paragraph of a script's docstring."""
    text = ast.get_docstring(ast.parse((EXAMPLES / f"{name}.py").read_text(encoding="utf-8")))
    return " ".join(text.split("\n\n")[0].split()).replace("``", "`")


def page():
    """The page's text."""
    parts = [HEAD]
    for name in scripts():
        title = TITLES.get(name, name.replace("_", " ").capitalize())
        parts.append(
            f"## {title}\n\n{words(name)}\n\n![{name}](images/gallery/{name}.png)\n\n`{name}.py`\n"
        )
    rest = sorted(p.stem for p in EXAMPLES.glob("*.py") if p.stem not in scripts())
    listed = ", ".join(f"`{name}.py`" for name in rest)
    notebooks = "\n".join(f"- `{p.name}`" for p in sorted((EXAMPLES / "notebooks").glob("*.ipynb")))
    parts.append(f"## Without a picture\n\n{listed}.\n")
    how = "In `examples/notebooks/`, without output; `pip install 'wheelground[notebooks]'`:"
    parts.append(f"## Notebooks\n\n{how}\n\n{notebooks}\n")
    return "\n".join(parts)


def draw(name):
    """Run a script and store its picture at 4/5 of its size, with 128 colours."""
    from PIL import Image

    main = runpy.run_path(str(EXAMPLES / f"{name}.py"))["main"]
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "picture.png"
        main(**{next(iter(inspect.signature(main).parameters)): picture})
        PICTURES.mkdir(parents=True, exist_ok=True)
        with Image.open(picture) as image:
            small = image.convert("RGB").resize(
                (image.width * 4 // 5, image.height * 4 // 5), Image.LANCZOS
            )
            small.quantize(128).save(PICTURES / f"{name}.png", optimize=True)


if __name__ == "__main__":
    for wanted in sys.argv[1:] or scripts():
        draw(wanted)
        print(f"drawn: {PICTURES / wanted}.png")
    PAGE.write_text(page(), encoding="utf-8")
    print(f"written: {PAGE}")
