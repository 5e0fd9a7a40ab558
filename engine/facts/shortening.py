"""Cuts texts that are too long for where they go."""

import re
from typing import Final


def shorten(text: str, most: int) -> str:
    """At most this many characters, with an ellipsis where text is missing; no English word is cut in two."""
    if len(text) <= most:
        return text
    kept = text[: most - 1]
    if text[most - 1].isascii() and text[most - 1].isalnum() and " " in kept[most // 2 :]:
        kept = kept[: kept.rindex(" ")]
    return kept.rstrip(" ,，、;；") + "…"


_JOINERS: Final = "\u200c\u200d"
"""Emoji, and the scripts of Persia and India, are written with them; between other letters they only hide something."""

_UNSEEN: Final = re.compile(
    # Controls but for tab and line break; soft hyphen; combining grapheme joiner; marks of direction; Hangul and Khmer
    # fillers; Mongolian separators; zero-width marks; line separators; invisible operators; annotations; tags; and
    # variation selectors beyond the sixteen that emoji are written with.
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U000e0000-\U000e0fff\ud800-\udfff]"
    f"|(?<=[0-9A-Za-z\u00c0-\u058f\u3040-\u9fff\uac00-\ud7af \t\n])[{_JOINERS}]+"
    f"|^[{_JOINERS}]+"
)
_LINE_BREAKS: Final = re.compile("\r\n?|[\u2028\u2029\x0b\x0c\x85]")


def visible(text: str) -> str:
    """Return the text without invisible characters and controls; every kind of line break becomes a plain one."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSEEN.sub("", _LINE_BREAKS.sub("\n", text))


def without_surrogates(text: str) -> str:
    """Replace lone surrogates, which cannot be encoded."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
