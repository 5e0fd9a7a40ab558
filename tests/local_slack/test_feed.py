"""The live feed, as a page uses it."""

from __future__ import annotations

from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import LocalWorkspace, Person

from .conftest import AYA, BO, GENERAL


async def test_a_person_hears_of_what_they_can_see_and_of_nothing_else(
    client: AsyncWebClient, aya: Person, bo: Person
) -> None:
    async with aya.feed() as changes:
        await bo.say("G_SECRET", "not for Aya")
        await client.chat_postEphemeral(channel=GENERAL, user=BO, text="nor this")
        await client.chat_postEphemeral(channel=GENERAL, user=AYA, text="this is")
        first = await anext(changes)
        posted = await client.chat_postMessage(channel=GENERAL, text="and this")
        second = await anext(changes)
        await client.chat_delete(channel=GENERAL, ts=posted["ts"])
        third = await anext(changes)
    assert first.message is not None
    assert first.message.text == "this is"
    assert second.message is not None
    assert second.message.text == "and this"
    assert (third.kind, third.ts, third.message) == ("message", posted["ts"], None)


async def test_home_and_new_people_are_on_the_feed(
    workspace: LocalWorkspace, client: AsyncWebClient, aya: Person
) -> None:
    async with aya.feed() as changes:
        await client.views_publish(user_id=BO, view={"type": "home", "blocks": []})
        await client.views_publish(user_id=AYA, view={"type": "home", "blocks": [{"type": "divider"}]})
        home = await anext(changes)
        await workspace.admin.deactivate(BO)
        member = (await anext(changes)).member
    assert home.view is not None
    assert home.view.user == AYA
    assert member is not None
    assert (member.id, member.deleted) == (BO, True)


async def test_the_feed_carries_the_largest_home_there_is(client: AsyncWebClient, aya: Person) -> None:
    section = {"type": "section", "text": {"type": "mrkdwn", "text": "x" * 2400}}
    async with aya.feed() as changes:
        await client.views_publish(user_id=AYA, view={"type": "home", "blocks": [section] * 100})
        view = (await anext(changes)).view
    assert view is not None
    assert len(view.blocks) == 100
