"""Draws SVG as PNG, in a process of its own: the library lets no other thread run meanwhile.

It is run as a file, with JSON on its standard input (the SVG, what is written in it, and the fonts). It imports nothing
of ToWow, so that it begins at once.
"""

import json
import sys
import unicodedata
from html import escape
from typing import Final

ZOOM: Final = 2
"""Pixels for each unit: readable where screens have many."""
MISSING: Final = "\U000f1234"
"""A character of private use, which no font is likely to have."""
MOST_SCRIPTS: Final = 8
NO_FONT: Final = 3
"""Its exit status where no font has the letters of a script, which it names on its standard output."""
NO_SVG: Final = 4


def main() -> int:
    svg, text, fonts = json.load(sys.stdin.buffer)
    missing = _letter(MISSING, fonts)
    for script, letter in {"LATIN": "A", **_scripts(text)}.items():
        if _letter(letter, fonts) == missing:
            sys.stdout.write(script)
            return NO_FONT
    try:
        drawn = _png(svg, ZOOM)
    except ValueError as error:
        sys.stdout.write(str(error))
        return NO_SVG
    sys.stdout.buffer.write(drawn)
    return 0


def _scripts(text: str) -> dict[str, str]:
    """Return a letter of each script beside ASCII, by the script's name."""
    found: dict[str, str] = {}
    for each in text:
        if not each.isascii() and each.isalpha():
            found.setdefault(unicodedata.name(each, "?").split()[0].split("-")[0], each)
    return dict([*found.items()][:MOST_SCRIPTS])


def _letter(letter: str, fonts: str) -> bytes:
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" font-family="{escape(fonts)}" font-size="24">'
        f'<text x="4" y="30">{escape(letter)}</text></svg>'
    )
    return _png(svg, 1)


def _png(svg: str, zoom: int) -> bytes:
    import resvg_py

    return resvg_py.svg_to_bytes(svg_string=svg, background="#ffffff", zoom=zoom)


if __name__ == "__main__":
    sys.exit(main())
