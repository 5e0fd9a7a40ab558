"""Who sees what."""

from __future__ import annotations

from typing import Any

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import LocalWorkspace, NotPossible, Person

from .conftest import AYA, BO, GENERAL
from .test_conversation import BUTTON


async def test_an_ephemeral_message_is_for_one_person_and_in_no_history(
    client: AsyncWebClient, aya: Person, bo: Person
) -> None:
    answer = await client.chat_postEphemeral(channel=GENERAL, user=AYA, text="only you")
    [message] = await aya.messages(GENERAL)
    assert (message.text, message.ts) == ("only you", answer["message_ts"])
    assert await bo.messages(GENERAL) == []
    assert (await client.conversations_history(channel=GENERAL))["messages"] == []
    with pytest.raises(SlackApiError, match="message_not_found"):
        await client.chat_update(channel=GENERAL, ts=message.ts, text="changed")
    with pytest.raises(SlackApiError, match="user_not_in_channel"):
        await client.chat_postEphemeral(channel=GENERAL, user="U_CHEN", text="only you")


async def test_a_button_meant_for_others_is_neither_seen_nor_clicked(
    client: AsyncWebClient, aya: Person, bo: Person
) -> None:
    blocks: list[dict[str, Any]] = [{"type": "actions", "elements": [{**BUTTON, "visible_to_user_ids": [AYA]}]}]
    card = await client.chat_postMessage(channel=GENERAL, text="Accept?", blocks=blocks)
    assert [block["type"] for block in (await aya.messages(GENERAL))[0].blocks] == ["actions"]
    assert (await bo.messages(GENERAL))[0].blocks == []
    with pytest.raises(NotPossible, match="shows no element accept"):
        await bo.click(GENERAL, card["ts"], "accept")


async def test_a_private_channel_is_hidden_from_those_who_are_not_in_it(aya: Person, bo: Person) -> None:
    assert "G_SECRET" not in [channel.id for channel in await aya.channels()]
    assert "G_SECRET" in [channel.id for channel in await bo.channels()]
    with pytest.raises(NotPossible, match="sees no channel"):
        await aya.messages("G_SECRET")


async def test_a_deactivated_person_can_do_nothing(
    workspace: LocalWorkspace, client: AsyncWebClient, bo: Person
) -> None:
    await workspace.admin.deactivate(BO)
    assert (await client.users_info(user=BO))["user"]["deleted"]
    with pytest.raises(NotPossible, match="U_BO is not an active member"):
        await bo.say(GENERAL, "still here")
