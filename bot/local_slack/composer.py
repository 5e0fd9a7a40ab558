"""Converts what a person typed into what is stored, as Slack's composer does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from .model import Channel, User, UserGroup

MARKUP = re.compile(
    r"<(?:@[A-Z0-9_]+(?:\|[^<>]*)?|#[A-Z0-9_]+(?:\|[^<>]*)?|!(?:here|channel|everyone)(?:\|[^<>]*)?"
    r"|!subteam\^[A-Z0-9_]+(?:\|[^<>]*)?|!date\^[^<>]+|(?:https?://|mailto:)[^<>\s|]+(?:\|[^<>]+)?)>"
)
TYPED = re.compile(
    r"(?P<link>https?://[^\s<>]+[^\s<>.,;:!?)])"
    r"|(?P<mail>(?<![A-Za-z0-9_.+-])[A-Za-z0-9_.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)"
    r"|(?P<domain>(?<![A-Za-z0-9_@./-])(?:[a-z0-9-]+\.)+(?:app|cn|co|com|de|dev|example|io|net|org)\b(?![.-]\w)"
    r"(?:/[^\s<>]*\w)?)"
    r"|(?<![\w@])@(?P<name>[\w.-]*\w)"
    r"|(?<![\w#&])#(?P<channel>[\w-]+)"
    r"|(?P<emoji>[^\x00-\u2100])\ufe0f?"
)
CALLS = frozenset({"here", "channel", "everyone"})
EMOJI = Path(__file__).parent / "page" / "script" / "emoji.js"


def compose(
    typed: str, users: Iterable[User], groups: Iterable[UserGroup] = (), channels: Iterable[Channel] = ()
) -> str:
    """What is stored of what was typed.

    `&`, `<` and `>` are escaped, and what is Slack's own form already passes. `@name`, a group's `@handle`, `@here` and
    `#channel` become mentions, links, mail addresses and bare domains become links, and an emoji becomes its name.
    """
    marks = {user.name.lower(): f"<@{user.id}>" for user in users}
    marks |= {group.handle.lower(): f"<!subteam^{group.id}>" for group in groups}
    marks |= {call: f"<!{call}>" for call in CALLS}
    marks |= {f"#{channel.name.lower()}": f"<#{channel.id}>" for channel in channels}
    stored: list[str] = []
    end = 0
    for markup in MARKUP.finditer(typed):
        stored += [_plain(typed[end : markup.start()], marks), markup.group()]
        end = markup.end()
    return "".join([*stored, _plain(typed[end:], marks)])


def _plain(typed: str, marks: Mapping[str, str]) -> str:
    escaped = typed.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return TYPED.sub(lambda found: _stored(found, marks), escaped)


def _stored(found: re.Match[str], marks: Mapping[str, str]) -> str:
    whole = found[0]
    match found.lastgroup:
        case "link":
            return f"<{whole}>"
        case "mail":
            return f"<mailto:{whole}|{whole}>"
        case "domain":
            return f"<http://{whole}|{whole}>"
        case "name":
            return marks.get(found["name"].lower(), whole)
        case "channel":
            return marks.get(whole.lower(), whole)
        case _:
            name = _names().get(found["emoji"])
            return f":{name}:" if name else whole


@cache
def _names() -> dict[str, str]:
    """Emoji -> name, as the page shows them; of two names, the first."""
    pairs = re.findall(r'"?([a-z0-9_+-]+)"?: "([^"]+)"', EMOJI.read_text("utf-8"))
    return {shown.removesuffix("\ufe0f"): name for name, shown in reversed(pairs)}
