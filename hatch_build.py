"""The page and the URLs of the package's metadata, from where its sources are published.

The page is the README, then what has changed. On an index it stands alone: its relative links become
links into the published sources, or their words where there are none.
"""

import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

TEXT = r"\[((?:[^\]\[]|\[[^\]]*\])*)\]"
PLACE = r"\((?!https?://|#|mailto:)([^)\s]+)\)"
LINK = re.compile("(!?)" + TEXT + PLACE)
PICTURE_ALONE = re.compile(r"^!" + TEXT + PLACE + r"\n\n?", re.MULTILINE)


def absolute(text, source):
    """Markdown whose relative links lead to the sources at ``source``."""

    def found(match):
        kind = "raw" if match[1] else "blob"
        return f"{match[1]}[{match[2]}]({source}/{kind}/main/{match[3]})"

    return LINK.sub(found, text)


def without_links(text):
    """Markdown with the words of its relative links, and without its own pictures."""
    return LINK.sub(lambda match: "" if match[1] else match[2], PICTURE_ALONE.sub("", text))


def addresses(source):
    """The URLs of a project whose sources can be read at ``source``."""
    return {
        "Homepage": source,
        "Source": source,
        "Changelog": f"{source}/blob/main/CHANGELOG.md",
    }


class PageHook(MetadataHookInterface):
    """Fills in ``readme`` and ``urls``."""

    def update(self, metadata):
        source = self.config.get("source", "").rstrip("/")
        parts = [
            (Path(self.root) / name).read_text(encoding="utf-8")
            for name in ("README.md", "CHANGELOG.md")
        ]
        text = "\n".join(parts)
        metadata["urls"] = addresses(source) if source else {}
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": absolute(text, source) if source else without_links(text),
        }
