"""What the package index is told besides pyproject.toml: the project's addresses, and the README.

Links in README.md are relative, as a repository wants them. Where the project's address is set
(`[tool.hatch.metadata.hooks.custom]` in pyproject.toml), they lead there in the built package,
so that its pictures show outside the repository.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)(\[[^\]]*\])\((?![a-z]+:|#)([^)\s]+)\)")


def absolute(text: str, address: str) -> str:
    """The text, its relative links leading to the repository at the address."""

    def lead(link: re.Match[str]) -> str:
        kind = "raw" if link[1] else "blob"
        return f"{link[1]}{link[2]}({address}/{kind}/HEAD/{link[3]})"

    return _LINK.sub(lead, text)


class Hook(MetadataHookInterface):
    """Fills in `readme` and `urls`."""

    def update(self, metadata: dict[str, Any]) -> None:
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        if address := self.config["address"].rstrip("/"):
            text = absolute(text, address)
            metadata["urls"] = {"Source": address, "Documentation": f"{address}/tree/HEAD/docs"}
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
