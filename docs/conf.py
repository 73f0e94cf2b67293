"""Settings of the documentation:  sphinx-build -W -b html docs docs/_build/html"""

import sys
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

project = "wheelground"
author = "the authors of wheelground"
copyright = author
html_title = "wheelground"

extensions = ["myst_parser", "sphinx.ext.autodoc", "plain_docstrings"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_heading_anchors = 3

html_theme = "furo" if find_spec("furo") else "alabaster"
html_copy_source = False
html_show_sphinx = False

autodoc_default_options = {"members": True}
autodoc_typehints = "none"  # units and shapes are in the docstrings; types are in the source
autodoc_member_order = "groupwise"
autodoc_preserve_defaults = True
