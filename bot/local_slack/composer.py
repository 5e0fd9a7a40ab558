"""Converts what a person typed into what is stored, as Slack's composer does."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .model import User

MARKUP = re.compile(
    r"<(?:@[A-Z0-9_]+|#[A-Z0-9_]+(?:\|[^<>]*)?|!(?:here|channel|everyone)|!subteam\^[A-Z0-9_]+(?:\|[^<>]*)?"
    r"|https?://[^<>\s]+)>"
)
LINK = re.compile(r"https?://[^\s<>]+[^\s<>.,;:!?)]")
NAME = re.compile(r"(?<![\w@])@([\w.-]*\w)")


def compose(typed: str, users: Iterable[User]) -> str:
    """`&`, `<` and `>` are escaped; mentions pass, `@name` (or `@Name`) becomes one, and bare links are wrapped."""
    ids = {user.name.lower(): user.id for user in users}
    stored: list[str] = []
    end = 0
    for markup in MARKUP.finditer(typed):
        stored += [_plain(typed[end : markup.start()], ids), markup.group()]
        end = markup.end()
    return "".join([*stored, _plain(typed[end:], ids)])


def _plain(typed: str, ids: dict[str, str]) -> str:
    escaped = typed.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    linked = LINK.sub(lambda link: f"<{link.group()}>", escaped)
    return NAME.sub(lambda name: f"<@{ids[name[1].lower()]}>" if name[1].lower() in ids else name[0], linked)
