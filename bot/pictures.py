"""Draws SVG as PNG, with the fonts of this machine. A picture whose letters it cannot draw is not made."""

import unicodedata
from html import escape
from typing import Final

from bot.views.kit.story.schedule import FONTS

ZOOM: Final = 2
"""Pixels for each unit: readable where screens have many."""
MISSING: Final = "\U000f1234"
"""A character of private use, which no font is likely to have."""
MOST_SCRIPTS: Final = 8


class NoFont(Exception):
    """No font here has the letters of a text.

    Args:
        script: as Unicode names it, such as ``CJK``.
    """

    def __init__(self, script: str) -> None:
        super().__init__(f"No font here has letters of the script {script}; install one, such as Noto Sans.")
        self.script = script


def png(svg: str, text: str) -> bytes:
    """
    Args:
        text: what is written in the picture.

    Raises:
        NoFont: boxes, or nothing, would stand for some of it.
        ValueError: it is no SVG.
    """
    missing = _drawn(MISSING)
    for script, letter in {"LATIN": "A", **_scripts(text)}.items():
        if _drawn(letter) == missing:
            raise NoFont(script)
    return _png(svg, ZOOM)


def _scripts(text: str) -> dict[str, str]:
    """Return a letter of each script beside ASCII, by the script's name."""
    found: dict[str, str] = {}
    for each in text:
        if not each.isascii() and each.isalpha():
            found.setdefault(unicodedata.name(each, "?").split()[0].split("-")[0], each)
    return dict([*found.items()][:MOST_SCRIPTS])


def _drawn(letter: str) -> bytes:
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" font-family="{escape(FONTS)}" font-size="24">'
        f'<text x="4" y="30">{escape(letter)}</text></svg>'
    )
    return _png(svg, 1)


def _png(svg: str, zoom: int) -> bytes:
    import resvg_py  # only an export needs it

    return resvg_py.svg_to_bytes(svg_string=svg, background="#ffffff", zoom=zoom)
