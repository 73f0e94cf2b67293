"""Description and URLs of the package's metadata, from the address of the published sources: `source` in
pyproject.toml, or the environment variable SOURCE_URL.

The description is the README followed by the changelog. Relative links become links into the published
sources, or without published sources plain words.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
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
    """URLs of the project with its sources at the address ``source``."""
    return {
        "Homepage": source,
        "Source": source,
        "Changelog": f"{source}/blob/main/CHANGELOG.md",
    }


class PageHook(MetadataHookInterface):
    """Hook that sets ``readme`` and ``urls`` of the metadata."""

    def update(self, metadata):
        source = (os.environ.get("SOURCE_URL") or self.config.get("source", "")).rstrip("/")
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


#: Commands whose machine code the wheel of a platform holds.
COMMANDS = (
    ("drive", "--duration", "1"),
    ("quarter", "--regularisation", "implicit", "--solver", "direct"),
)


class CodeHook(BuildHookInterface):
    """With WHEELGROUND_PLATFORM=1: a wheel with machine code, for one platform, Python and Numba.

    The build compiles, so it needs the packages of a run: ``--no-isolation`` or the like.
    """

    def initialize(self, version, build_data):
        if os.environ.get("WHEELGROUND_PLATFORM") != "1":
            return
        self.work = tempfile.TemporaryDirectory()
        work = Path(self.work.name)
        code = work / "code"
        code.mkdir()
        settings = {
            "PYTHONPATH": self.root,
            "NUMBA_CACHE_DIR": str(work / "cache"),
            "NUMBA_CPU_NAME": "x86-64-v3",
            "NUMBA_CPU_FEATURES": "",
            "WHEELGROUND_SHIPPED": str(code),
        }
        for words in COMMANDS:
            command = [sys.executable, "-m", "wheelground", *words, "--out", str(work)]
            subprocess.run(command, cwd=work, env=os.environ | settings, check=True)
        build_data["force_include"][str(code)] = "mlcp/compiled/shipped"
        build_data["pure_python"], build_data["infer_tag"] = False, True

    def finalize(self, version, build_data, artifact_path):
        if hasattr(self, "work"):
            self.work.cleanup()
