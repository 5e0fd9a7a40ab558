"""What somebody wrote, in words: Slack's marks become names, calls and addresses that have no power."""

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import unescape
from typing import Any, Final, NamedTuple

from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.conversation import Group
from bot.listeners.services import Services
from bot.posts.failures import CALL_ERRORS
from bot.texts import Texts
from engine.kernel import Tenant

DEEPEST: Final = 8
"""Blocks within blocks that are looked into."""
MOST_PARTS: Final = 200
"""Blocks, cells and lines of one message that are read."""

_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_TITLES: Final = ("title", "subtitle", "text", "body", "description", "caption", "details", "output", "alt_text")
"""What blocks call the texts that they show, in the order in which they stand."""
_INSIDE: Final = ("fields", "elements", "child_blocks", "tasks", "rows")
"""What blocks call what they are made of."""
_SILENT: Final = frozenset({"actions", "context_actions", "divider", "file", "input"})
"""Blocks that say nothing: what one can do there, and lines."""


def shown_text(message: Mapping[str, Any]) -> str:
    """Return what a message shows, as text in which Slack's marks and escapes still are.

    The text of an app's message is often only what its notification says: what it shows are its blocks.
    """
    text, is_of_an_app = str(message.get("text") or ""), bool(message.get("bot_id"))
    if is_of_an_app or not text.strip():
        text = _of_blocks(message.get("blocks")) or text
    is_all = is_of_an_app or not text.strip()
    enclosed = [_of_attachment(each) for each in _objects(message.get("attachments")) if is_all or _is_forwarded(each)]
    return "\n\n".join(part for part in (text, *enclosed) if part.strip())


def _is_forwarded(attachment: Mapping[str, Any]) -> bool:
    """Whether it is a message that was passed on, and no preview of a link that the text has already."""
    return bool(attachment.get("is_share") or attachment.get("is_msg_unfurl"))


def _of_attachment(attachment: Mapping[str, Any]) -> str:
    forwarded = [each.get("message") for each in _objects(attachment.get("message_blocks"))]
    blocks = [block for each in _objects(forwarded) for block in _objects(each.get("blocks"))]
    title = attachment.get("title")
    fields = [
        ": ".join(str(each[name]) for name in ("title", "value") if each.get(name))
        for each in _objects(attachment.get("fields"))
    ]
    body = _of_blocks(blocks or attachment.get("blocks")) or "\n".join(
        str(part) for part in (attachment.get("pretext"), title, attachment.get("text"), *fields) if part
    )
    author = _plain(str(attachment.get("author_name") or ""))
    said = body or str(attachment.get("fallback") or "")
    return f"{author}: {said}" if author and said else said


def _of_blocks(blocks: object) -> str:
    lines: list[str] = []
    for block in _objects(blocks):
        for line in _lines(block, 0):
            if len(lines) >= MOST_PARTS:
                return "\n".join(lines)
            lines.append(line)
    return "\n".join(lines)


def _lines(block: Mapping[str, Any], depth: int) -> Iterator[str]:
    """Yield the lines that a block shows, whatever it is: those of newer kinds have texts and parts as well."""
    kind = block.get("type")
    if depth > DEEPEST or kind in _SILENT:
        return
    match kind:
        case "rich_text":
            for each in _objects(block.get("elements")):
                yield from _rich_lines(each)
        case "context":
            if shown := " ".join(filter(None, map(_text, _objects(block.get("elements"))))):
                yield shown
        case "table" | "data_table":
            if caption := _text(block.get("caption")):
                yield caption
            for row in _list(block.get("rows")):
                cells = row.get("cells") if isinstance(row, Mapping) else row
                yield " | ".join(_cell(each, depth) for each in _objects(cells))
        case _:
            for name in _TITLES:
                if shown := _any_text(block.get(name), depth):
                    yield shown
            for name in _INSIDE:
                for each in _objects(block.get(name)):
                    if shown := _text(each):
                        yield shown
                    else:
                        yield from _lines(each, depth + 1)


def _cell(cell: Mapping[str, Any], depth: int) -> str:
    return _text(cell) or " ".join(_lines(cell, depth + 1))


def _any_text(value: object, depth: int) -> str:
    """Return a text object's text, a plain string, or what a rich text says."""
    if isinstance(value, Mapping) and value.get("type") == "rich_text":
        return "\n".join(_lines(value, depth + 1))
    return _plain(value) if isinstance(value, str) else _text(value)


def _text(value: object) -> str:
    """Return the text of a text object; empty for what is none."""
    if not isinstance(value, Mapping) or not isinstance(value.get("text"), str):
        return ""
    match value.get("type"):
        case "mrkdwn" | "markdown":
            return str(value["text"])
        case "plain_text" | "raw_text":
            return _plain(value["text"])
        case _:
            return ""


def _rich_lines(element: Mapping[str, Any]) -> Iterator[str]:
    inside = _objects(element.get("elements"))
    match element.get("type"):
        case "rich_text_list":
            is_numbered = element.get("style") == "ordered"
            indent = element.get("indent")
            lead = "  " * indent if isinstance(indent, int) and 0 <= indent <= DEEPEST else ""
            for number, each in enumerate(inside, 1):
                mark = f"{number}." if is_numbered else "•"
                yield f"{lead}{mark} {_inline(_objects(each.get('elements')))}"
        case "rich_text_quote":
            yield "\n".join(f"&gt; {line}" for line in _inline(inside).splitlines())
        case _:
            yield _inline(inside).strip("\n")


def _inline(elements: Iterable[Mapping[str, Any]]) -> str:
    return "".join(map(_mark, elements))


def _mark(element: Mapping[str, Any]) -> str:
    """Return a piece of rich text as a message's text would have it."""
    match element:
        case {"type": "text", "text": str(text)}:
            return _plain(text)
        case {"type": "link", "url": str(url)}:
            words = element.get("text")
            return f"<{_plain(url)}|{_plain(words)}>" if isinstance(words, str) and words else f"<{_plain(url)}>"
        case {"type": "user", "user_id": str(user)}:
            return f"<@{_plain(user)}>"
        case {"type": "usergroup", "usergroup_id": str(group)}:
            return f"<!subteam^{_plain(group)}>"
        case {"type": "channel", "channel_id": str(channel)}:
            return f"<#{_plain(channel)}>"
        case {"type": "broadcast", "range": str(who)}:
            return f"<!{_plain(who)}>"
        case {"type": "emoji", "name": str(name)}:
            return f":{_plain(name)}:"
        case {"type": "date", "fallback": str(fallback)}:
            return _plain(fallback)
        case _:
            return ""


def _plain(text: str) -> str:
    return text.translate(_ESCAPES)


def _list(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _objects(value: object) -> list[Mapping[str, Any]]:
    return [each for each in _list(value) if isinstance(each, Mapping)]


LONGEST_WAIT: Final = 1.0
"""Seconds that names may take: Slack waits three for a click, and more is done meanwhile."""
MOST_NAMES: Final = 20
"""People of one text whose names are looked up."""

_MARK: Final = re.compile(r"<([^<>]*)>")
_USER: Final = re.compile(r"@([A-Z0-9_]{1,60})")
_GROUP: Final = re.compile(r"!subteam\^([A-Z0-9_]{1,60})")
_CHANNEL: Final = re.compile(r"#([A-Z0-9_]{1,60})")
_CALLS: Final = frozenset({"!here", "!channel", "!everyone"})
_ADDRESS: Final = re.compile(r"(?:https?://|mailto:|tel:).+")
_SCHEME: Final = re.compile(r"(?:https?://(?:www\.)?|mailto:|tel:)|/$")
_NO_DIGIT: Final = re.compile(r"[^0-9]")
_ESCAPE: Final = re.compile("&(?:lt|gt|amp);")
_AT: Final = r"(?<![A-Za-z0-9_.+-])@"
"""Before a handle, as people type it; in a mail address it is none."""
_NO_WORDS: Final = re.compile(r"<[@!][^<>]*>|:[^\s:<>]+:")


class Written(NamedTuple):
    text: str
    mentioned: tuple[str, ...] = ()
    """The users whom it mentions, besides ourselves."""
    groups: tuple[Group, ...] = ()
    """The user groups that it mentions."""


async def written(
    services: Services,
    client: AsyncWebClient,
    tenant: Tenant,
    message: Mapping[str, Any],
    texts: Texts,
    bot_user_id: str | None = None,
) -> Written:
    """Read what a person sees of a message, or of what is typed behind a command.

    Args:
        texts: of whoever it is read for.
        bot_user_id: our own name, which is left out.
    """
    said = without_mention(shown_text(message), bot_user_id)
    if not any(each.isalpha() for each in _NO_WORDS.sub("", said)):
        return Written(said)  # it says nothing, and what names it would get are no words either
    marks = [found[1] for found in _MARK.finditer(said)]
    users = [*dict.fromkeys(found[1] for each in marks if (found := _USER.match(each)))]
    labels = {found[1]: each.partition("|")[2] for each in marks if (found := _GROUP.match(each))}
    names = {each: _unescaped(label).removeprefix("@") for each, label in labels.items() if label}
    nameless = labels.keys() - names.keys()
    channels = {found[1] for each in marks if (found := _CHANNEL.match(each)) and not each.partition("|")[2]}
    if users or nameless or channels:
        names |= await _names(services, client, tenant, users, nameless, [*channels][:MOST_NAMES])
    groups = tuple(Group(each, f"@{names[each]}" if names.get(each) else texts.say("a group")) for each in labels)
    names |= {each: texts.say("somebody") for each in users if not names.get(each)}
    names |= {each: texts.say("a group") for each in labels if not names.get(each)}
    names |= {each: texts.say("a channel") for each in channels if not names.get(each)}
    return Written(in_words(said, names), tuple(users), groups)


async def groups_by_handle(client: AsyncWebClient, text: str) -> tuple[Group, ...]:
    """Return the user groups whose handles stand in a text that Slack leaves as it was typed: behind a command, and in
    a form. None where Slack does not say what groups there are.
    """
    if not re.search(rf"{_AT}\w", text):
        return ()
    try:
        async with asyncio.timeout(LONGEST_WAIT):
            handles = await _handles(client)
    except TimeoutError:
        return ()
    return tuple(Group(each, f"@{handle}") for each, handle in handles.items() if handle and _stands_in(handle, text))


def _stands_in(handle: str, text: str) -> bool:
    return re.search(rf"{_AT}{re.escape(handle)}(?![A-Za-z0-9_-])", text, re.IGNORECASE) is not None


def without_mention(text: str, bot_user_id: str | None) -> str:
    """Return a text as it is stored, besides our own name."""
    return re.sub(rf"<@{re.escape(bot_user_id or '')}(\|[^<>]*)?>", " ", text).strip()


def in_words(text: str, names: Mapping[str, str] | None = None) -> str:
    """Undo what Slack makes of what is typed: brackets around links, people, groups, calls, dates, and its escapes.

    Args:
        names: of users, groups and channels, by their ids.
    """
    read, end = [], 0
    for found in _MARK.finditer(text):
        read += [_unescaped(text[end : found.start()]), _in_words(found[1], names or {}) or found[0]]
        end = found.end()
    return "".join([*read, _unescaped(text[end:])])


def _in_words(mark: str, names: Mapping[str, str]) -> str:
    """Return what a mark says; empty for what is none."""
    what, _, label = mark.partition("|")
    label = _unescaped(label)
    if found := _USER.fullmatch(what) or _GROUP.fullmatch(what):
        name = names.get(found[1]) or label.removeprefix("@")
        return f"@{name}" if name else ""
    if what.startswith("#"):
        return f"#{label or names.get(what[1:]) or what[1:]}"
    if what in _CALLS:
        return f"@{what[1:]}"
    if what.startswith("!date^"):
        return label
    return _link(_unescaped(what), label) if _ADDRESS.fullmatch(what) else ""


def _link(url: str, label: str) -> str:
    """Return the words of a link, and its address where they say something else."""
    address = url.removeprefix("mailto:").removeprefix("tel:")
    if not label or _bare(label) == _bare(url):
        return label or address
    is_same_number = url.startswith("tel:") and _NO_DIGIT.sub("", label) == _NO_DIGIT.sub("", url)
    return label if is_same_number else f"{label} ({address})"


def _bare(address: str) -> str:
    return _SCHEME.sub("", address).casefold()


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: unescape(found[0]), text)


async def _names(
    services: Services,
    client: AsyncWebClient,
    tenant: Tenant,
    users: Iterable[str],
    groups: Iterable[str],
    channels: Iterable[str],
) -> dict[str, str]:
    """Return what people, groups and channels are called, by their ids: those of which it is known, or Slack says so in
    time.
    """
    directory = await services.settings.directory(tenant)
    linked = {user: found[1].profile for user in users if (found := directory.of_user(user))}
    known = {user: profile.user_name for user, profile in linked.items() if profile is not None}
    asking = {
        user: asyncio.create_task(services.texts.name(client, tenant, user))
        for user in [user for user in users if not known.get(user)][:MOST_NAMES]
    }
    asking |= {each: asyncio.create_task(_name_of_channel(client, each)) for each in channels}
    listing = asyncio.create_task(_handles(client)) if groups else None
    waiting = {*asking.values(), *([listing] if listing else [])}
    if waiting:
        _, late = await asyncio.wait(waiting, timeout=LONGEST_WAIT)
        for each in late:
            each.cancel()
    told = {each: task.result() for each, task in asking.items() if task.done() and not task.cancelled()}
    handles = listing.result() if listing and listing.done() and not listing.cancelled() else {}
    return {**known, **told, **handles}


async def _name_of_channel(client: AsyncWebClient, channel: str) -> str:
    """Return what a public channel is called; empty for all others, whose names not everybody here may know, and where
    Slack does not say.
    """
    try:
        answer = await client.conversations_info(channel=channel)
    except (*CALL_ERRORS, AttributeError):  # the last: what slack_sdk makes of a reply that is text
        return ""
    told = answer.get("channel")
    if not isinstance(told, Mapping) or told.get("is_channel") is not True or told.get("is_private") is not False:
        return ""
    return str(told.get("name") or "")


async def _handles(client: AsyncWebClient) -> dict[str, str]:
    """Return the handles of all user groups, by their ids; none where Slack does not say."""
    try:
        answer = await client.usergroups_list()
    except (*CALL_ERRORS, AttributeError):  # the last: what slack_sdk makes of a reply that is text
        return {}
    listed = answer.get("usergroups")
    return {str(each["id"]): str(each.get("handle") or each.get("name") or "") for each in listed or ()}
