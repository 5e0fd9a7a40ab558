"""What a message is made of: for tests that look at it as Slack would."""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from bot.views.post import Post

Json = dict[str, Any]

SCHEMAS = Path(__file__).parents[3] / "shared" / "slack"
"""Made from Slack's own types; not everybody has them."""


def mrkdwn(posts: Sequence[Post]) -> Iterator[str]:
    """Every text in which Slack reads markup."""
    for post in posts:
        yield post.text
        yield post.in_words
        yield from (text["text"] for text in _texts(list(post.blocks)) if text["type"] == "mrkdwn")


def plain_texts(posts: Sequence[Post]) -> Iterator[str]:
    for post in posts:
        yield from (text["text"] for text in _texts(list(post.blocks)) if text["type"] == "plain_text")


def shown(post: Post) -> str:
    """Everything that can be read in it, a line each."""
    return "\n".join(text["text"] for text in _texts(list(post.blocks)))


def buttons(post: Post) -> dict[str, Json]:
    """By action id."""
    return {
        element["action_id"]: element
        for block in post.blocks
        if block["type"] == "actions"
        for element in block["elements"]
    }


def _texts(part: Any) -> Iterator[Json]:
    if isinstance(part, list):
        for each in part:
            yield from _texts(each)
    elif isinstance(part, dict):
        if part.get("type") in ("mrkdwn", "plain_text"):
            yield part
        else:
            yield from _texts(list(part.values()))


@cache
def schema(name: str) -> Draft7Validator:
    path = SCHEMAS / name
    if not path.exists():
        pytest.skip(f"Slack's schemas are not here: {path.name}")
    return Draft7Validator(json.loads(path.read_text()))
