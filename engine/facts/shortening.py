"""Cuts texts that are too long for where they go."""


def shorten(text: str, most: int) -> str:
    """At most this many characters, with an ellipsis where text is missing; no English word is cut in two."""
    if len(text) <= most:
        return text
    kept = text[: most - 1]
    if text[most - 1].isascii() and text[most - 1].isalnum() and " " in kept[most // 2 :]:
        kept = kept[: kept.rindex(" ")]
    return kept.rstrip(" ,，、;；") + "…"
