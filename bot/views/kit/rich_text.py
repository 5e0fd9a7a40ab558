"""Our mrkdwn as a rich text, which task cards take: bold, mentions, dates and links; all else is a plain text."""

import re
from collections.abc import Iterator
from typing import Any, Final

from bot.views.kit.blocks import Block
from bot.views.kit.mrkdwn import literal

MARKS: Final = re.compile(
    r"<@(?P<user>[A-Z0-9_]+)>"
    r"|<#(?P<channel>[A-Z0-9]+)>"
    r"|<!date\^(?P<at>\d+)\^(?P<format>[^|<>^]*)(?:\^[^|<>]*)?\|(?P<fallback>[^<>]*)>"
    r"|<(?P<url>https?://[^|<>]+)\|(?P<words>[^<>]*)>"
    r"|\*(?P<bold>[^*\n]+)\*"
)


def rich_text(mrkdwn: str) -> Block:
    """
    Args:
        mrkdwn: as our cards write it; at least one character.
    """
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [*_elements(mrkdwn)]}]}


def _elements(mrkdwn: str) -> Iterator[dict[str, Any]]:
    end = 0
    for found in MARKS.finditer(mrkdwn):
        yield from _text(mrkdwn[end : found.start()])
        yield _marked(found)
        end = found.end()
    yield from _text(mrkdwn[end:])


def _text(text: str) -> Iterator[dict[str, Any]]:
    if text:
        yield {"type": "text", "text": literal(text)}


def _marked(found: re.Match[str]) -> dict[str, Any]:
    match found.lastgroup:
        case "user":
            return {"type": "user", "user_id": found["user"]}
        case "channel":
            return {"type": "channel", "channel_id": found["channel"]}
        case "fallback":
            told = {"timestamp": int(found["at"]), "format": found["format"], "fallback": literal(found["fallback"])}
            return {"type": "date", **told}
        case "words":
            return {"type": "link", "url": literal(found["url"]), "text": literal(found["words"])}
        case _:
            return {"type": "text", "text": literal(found["bold"]), "style": {"bold": True}}
