"""The page's style sheet, script and icon: files named after their content, so that browsers may keep them."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FILES: Final = Path(__file__).parent / "files"


@dataclass(frozen=True, slots=True)
class Asset:
    name: str
    media: str
    content: bytes


def _asset(name: str, media: str) -> Asset:
    content = (FILES / name).read_bytes()
    stem, _, suffix = name.partition(".")
    return Asset(f"{stem}.{hashlib.sha256(content).hexdigest()[:12]}.{suffix}", media, content)


STYLE: Final = _asset("story.css", "text/css")
SCRIPT: Final = _asset("story.js", "text/javascript")
ICON: Final = _asset("icon.svg", "image/svg+xml")
ASSETS: Final = {each.name: each for each in (STYLE, SCRIPT, ICON)}
