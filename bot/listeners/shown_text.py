"""Reads what a person sees of a message, in Slack's own form: its text, its blocks, and what it passes on."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

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
