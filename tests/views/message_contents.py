"""Finds the texts and buttons of a message, for tests that look at it as Slack would."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft7Validator
from slack_sdk.models.blocks import Block

from bot.local_slack.blocks import block_problems, view_problems
from bot.posts.slack_calls import UNMODELLED
from bot.views.kit import menu
from bot.views.kit.fit import LONGEST_MESSAGE, size
from bot.views.kit.pages import paginate
from bot.views.kit.post import Post

Json = dict[str, Any]

SCHEMAS = Path(__file__).parents[3] / "shared" / "slack"
"""Made from Slack's own types; not everybody has them."""

OURS = re.compile(r"<(@U[A-Z0-9_]+|#C[A-Z0-9_]+|!date\^\d+\^\{date_(?:short|long)_pretty\},? \{time\}\|[0-9: -]+UTC)>")
"""The marks that Slack may read in a mrkdwn text."""
ESCAPED = re.compile("&(amp|lt|gt);")
CALL_TO_ALL = re.compile("(?<![A-Za-z0-9_.+%-])@(here|channel|everyone)", re.IGNORECASE)
"""Behind a letter it is part of an address, and calls nobody."""


def mrkdwn(posts: Sequence[Post]) -> Iterator[str]:
    """Every text in which Slack reads markup."""
    for post in posts:
        yield post.text
        yield post.as_text
        yield from (text["text"] for text in texts_within(list(post.blocks)) if text["type"] == "mrkdwn")


def plain_texts(posts: Sequence[Post]) -> Iterator[str]:
    for post in posts:
        yield from (text["text"] for text in texts_within(list(post.blocks)) if text["type"] == "plain_text")


def shown(post: Post) -> str:
    """Everything that can be read in it, a line each."""
    return "\n".join(text["text"] for text in texts_within(list(post.blocks)))


def whole(post: Post) -> str:
    """Everything that can be read behind *Show all*, a line each."""
    assert post.card is not None
    return "\n".join(text["text"] for page in paginate(post.card) for text in texts_within(list(page)))


def texts_of(view: Json) -> str:
    """Everything that can be read in a modal, a line each."""
    return "\n".join(text["text"] for text in texts_within(view["blocks"]))


def in_lines(post: Post) -> Post:
    """The post with lines in the place of a table, which names its columns as well."""
    if not any(each["type"] == "data_table" for each in post.blocks):
        return post
    assert post.without_newer is not None
    return replace(post, content=post.without_newer())


def buttons(post: Post) -> dict[str, Json]:
    """By action id."""
    return buttons_in(post.blocks)


def buttons_in(blocks: Sequence[Json]) -> dict[str, Json]:
    rows = (block["elements"] if block["type"] == "actions" else [block.get("accessory")] for block in blocks)
    return {str(each["action_id"]): dict(each) for row in rows for each in menu.buttons_in(filter(None, row))}


def filled(post: Post) -> list[str]:
    """Return the buttons of a message that are filled: the one thing that whoever reads it may want to do."""
    return [each["action_id"] for each in _elements(post.blocks) if each.get("style") == "primary"]


def _elements(part: Any) -> Iterator[Json]:
    if isinstance(part, dict):
        if part.get("type") == "button":
            yield part
        for each in part.values():
            yield from _elements(each)
    elif isinstance(part, (list, tuple)):
        for each in part:
            yield from _elements(each)


def texts_within(part: Any) -> Iterator[Json]:
    """Every text object."""
    if isinstance(part, list):
        for each in part:
            yield from texts_within(each)
    elif isinstance(part, dict):
        if part.get("type") in ("mrkdwn", "plain_text"):
            yield part
        elif part.get("type") in ("text", "raw_text"):  # in a rich text, in a table
            yield {"type": "plain_text", "text": part["text"]}
        elif part.get("type") in ("plan", "task_card"):
            yield {"type": "plain_text", "text": part["title"]}
            yield from texts_within([value for name, value in part.items() if name != "title"])
        else:
            yield from texts_within(list(part.values()))


@cache
def schema(name: str) -> Draft7Validator:
    path = SCHEMAS / name
    if not path.exists():
        pytest.skip(f"Slack's schemas are not here: {path.name}")
    return Draft7Validator(json.loads(path.read_text()))


def assert_fit(posts: Iterable[Post]) -> None:
    """Slack takes each of them, and so do its own models."""
    for post in posts:
        assert block_problems(list(post.blocks), "message") == []
        assert len(post.blocks) <= 50
        assert size(post.blocks) <= LONGEST_MESSAGE
        assert len(post.text) <= 4_000
        assert len(post.as_text) <= 4_000
        for block in Block.parse_all([each for each in post.blocks if each["type"] not in UNMODELLED]):
            block.validate_json()


def assert_as_slacks_types_say(posts: Iterable[Post]) -> None:
    validator = schema("blockkit.schema.json")
    for post in posts:
        assert [error.message for error in validator.iter_errors({"blocks": list(post.blocks)})] == []


def assert_taken(views: Iterable[Json]) -> Iterator[Json]:
    """Yield the texts in forms and pages that Slack takes."""
    for view in views:
        assert view_problems(view) == []
        assert len(json.dumps(view["blocks"])) < 250_000
        assert [error.message for error in schema("views.schema.json").iter_errors(view)] == []
        for each in texts_within(view["blocks"]):
            assert not CALL_TO_ALL.search(each["text"])
            yield each


def assert_calls_nobody(posts: Sequence[Post]) -> None:
    for text in plain_texts(posts):
        assert "<!" not in text
        assert not CALL_TO_ALL.search(text)


def assert_harmless(text: str, known: Collection[str | None], allowed: str = "") -> None:
    """No mark in a text is anybody's but ours.

    Args:
        known: users and channels that may be named; ``!date`` where there may be times.
        allowed: a pattern of what else may stand there.
    """
    assert all({mark[1:], mark.partition("^")[0]} & {*known} for mark in OURS.findall(text))
    rest = OURS.sub("", text)
    rest = re.sub(allowed, "", rest) if allowed else rest
    assert "<" not in rest
    assert ">" not in rest
    assert "&" not in ESCAPED.sub("", rest)
    assert not CALL_TO_ALL.search(rest)
