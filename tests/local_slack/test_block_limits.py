"""Slack's limits on blocks and views."""

from __future__ import annotations

from typing import Any

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import Person
from bot.local_slack.blocks import block_problems, view_problems

from .conftest import GENERAL
from .test_conversation import BUTTON, FORM

Block = dict[str, Any]
DIVIDER: Block = {"type": "divider"}


def plain(length: int) -> Block:
    return {"type": "plain_text", "text": "x" * length}


def section(length: int, **more: object) -> Block:
    return {"type": "section", "text": {"type": "mrkdwn", "text": "x" * length}, **more}


def actions(*elements: Block) -> Block:
    return {"type": "actions", "elements": list(elements)}


def button(**changes: object) -> Block:
    return {**BUTTON, **changes}


def options(number: int) -> list[Block]:
    return [{"text": plain(1), "value": str(one)} for one in range(number)]


def distinct(number: int) -> list[Block]:
    return [button(action_id=str(one)) for one in range(number)]


FULL = [
    pytest.param([DIVIDER] * 50, id="50 blocks"),
    pytest.param([section(3000)], id="a section of 3000"),
    pytest.param([{"type": "header", "text": plain(150)}], id="a header of 150"),
    pytest.param([actions(button(text=plain(75), value="x" * 2000))], id="a button of 75, its value of 2000"),
    pytest.param([actions(*distinct(25))], id="25 buttons"),
    pytest.param([{"type": "section", "fields": [plain(2000)] * 10}], id="10 fields of 2000"),
    pytest.param([{"type": "markdown", "text": "x" * 12_000}], id="12000 of markdown"),
    pytest.param([actions({"type": "overflow", "options": options(5)})], id="5 options of an overflow"),
    pytest.param([section(1, block_id="x" * 255)], id="a block_id of 255"),
]


@pytest.mark.parametrize("blocks", FULL)
def test_what_just_fits_is_taken(blocks: list[Block]) -> None:
    assert block_problems(blocks, "message") == []


@pytest.mark.parametrize(
    ("blocks", "problem"),
    [
        pytest.param([DIVIDER] * 51, "no more than 50 items allowed [json-pointer:/blocks]", id="51 blocks"),
        pytest.param(
            [section(3001)], "must be less than 3001 characters [json-pointer:/blocks/0/text/text]", id="text"
        ),
        pytest.param([section(0)], "must be more than 0 characters [json-pointer:/blocks/0/text/text]", id="no text"),
        pytest.param(
            [{"type": "header", "text": {"type": "mrkdwn", "text": "*x*"}}],
            "must be a plain_text object [json-pointer:/blocks/0/text/type]",
            id="a header in mrkdwn",
        ),
        pytest.param(
            [actions(button(text=plain(76)))],
            "must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]",
            id="a long button",
        ),
        pytest.param(
            [actions(button(value="x" * 2001))],
            "must be less than 2001 characters [json-pointer:/blocks/0/elements/0/value]",
            id="a long value",
        ),
        pytest.param(
            [actions(*distinct(26))], "no more than 25 items allowed [json-pointer:/blocks/0/elements]", id="26 buttons"
        ),
        pytest.param(
            [actions(button(), button())],
            "action_id already exists: accept [json-pointer:/blocks/0/elements]",
            id="one action_id twice",
        ),
        pytest.param(
            [section(1, block_id="a"), section(1, block_id="a")],
            "block_id already exists: a [json-pointer:/blocks]",
            id="one block_id twice",
        ),
        pytest.param(
            [section(1, colour="red")],
            "invalid additional property: colour [json-pointer:/blocks/0/colour]",
            id="an unknown property",
        ),
        pytest.param(
            [{"type": "banner"}], "unsupported type: banner [json-pointer:/blocks/0/type]", id="an unknown block"
        ),
        pytest.param(
            [{"type": "alert", "text": plain(1)}],
            "unsupported type: alert (not in a message) [json-pointer:/blocks/0/type]",
            id="an alert",
        ),
        pytest.param(
            [{"type": "markdown", "text": "x" * 6001}] * 2,
            "markdown blocks must be less than 12001 characters in total [json-pointer:/blocks]",
            id="too much markdown",
        ),
        pytest.param(
            [{"type": "section"}], "missing required field: text or fields [json-pointer:/blocks/0]", id="empty section"
        ),
    ],
)
def test_what_does_not_fit_is_named_with_its_place(blocks: list[Block], problem: str) -> None:
    assert block_problems(blocks, "message") == [problem]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        pytest.param(
            {"title": plain(25)}, "must be less than 25 characters [json-pointer:/view/title/text]", id="title"
        ),
        pytest.param(
            {"private_metadata": "x" * 3001},
            "must be less than 3001 characters [json-pointer:/view/private_metadata]",
            id="private_metadata",
        ),
        pytest.param(
            {"blocks": [DIVIDER] * 101}, "no more than 100 items allowed [json-pointer:/view/blocks]", id="101 blocks"
        ),
        pytest.param(
            {"blocks": [{"type": "markdown", "text": "x"}]},
            "unsupported type: markdown (not in a modal) [json-pointer:/view/blocks/0/type]",
            id="markdown",
        ),
    ],
)
def test_views_have_limits_of_their_own(changes: Block, problem: str) -> None:
    assert view_problems(FORM) == []
    assert view_problems({**FORM, **changes}) == [problem]


async def test_the_web_api_refuses_with_slacks_error_and_says_where(client: AsyncWebClient) -> None:
    with pytest.raises(SlackApiError) as refused:
        await client.chat_postMessage(channel=GENERAL, text="x", blocks=[section(3001)])
    assert refused.value.response["error"] == "invalid_blocks"
    assert refused.value.response["response_metadata"]["messages"] == [
        "[ERROR] must be less than 3001 characters [json-pointer:/blocks/0/text/text]"
    ]


async def test_thirteen_thousand_characters_of_blocks_are_too_many(client: AsyncWebClient) -> None:
    with pytest.raises(SlackApiError, match="msg_blocks_too_long"):
        await client.chat_postMessage(channel=GENERAL, text="x", blocks=[section(2700)] * 5)


async def test_a_long_text_is_cut_when_posted_and_refused_when_updated(client: AsyncWebClient, aya: Person) -> None:
    posted = await client.chat_postMessage(channel=GENERAL, text="x" * 40_001)
    assert len((await aya.messages(GENERAL))[0].text) == 40_000
    with pytest.raises(SlackApiError, match="msg_too_long"):
        await client.chat_update(channel=GENERAL, ts=posted["ts"], text="x" * 40_001)
