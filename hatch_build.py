"""The README of the package's metadata: links and pictures with addresses that work on an index page."""

import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!?)\[((?:[^\]\[]|\[[^\]]*\])*)\]\((?!https?://|#|mailto:)([^)\s]+)\)")


def absolute(text, source):
    """Markdown whose relative links lead to the sources at ``source``."""

    def found(match):
        kind = "raw" if match[1] else "blob"
        return f"{match[1]}[{match[2]}]({source}/{kind}/main/{match[3]})"

    return LINK.sub(found, text)


class ReadmeHook(MetadataHookInterface):
    """Fills in ``readme``."""

    def update(self, metadata):
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": absolute(text, metadata["urls"]["Source"]),
        }
