"""Cards that are newer than the backup which was restored: the first click shows it on them, and whoever asked hears
it."""

from typing import Any

import pytest
from slack_sdk.models.blocks import ActionsBlock, ButtonElement, SectionBlock
from slack_sdk.web.async_client import AsyncWebClient

from bot.demo.demo import CHANNEL
from bot.local_slack import Message
from bot.posts.post_records import permalink
from bot.posts.stored_posts import Restored
from bot.views.kit.button_values import StreamButton
from bot.views.negotiation.button_values import ACCEPT, CORRECT, VoteButton
from engine.kernel import Tenant
from engine.store.port import UNKNOWN_POSTS

from .conftest import Begin, Given
from .driver import AYA, BO, EVE, YOU, Driver, shows

NEWER = "newer than the backup"
ASK_ANEW = "older than what you asked for"
LOST = "collab-aaaaaaaa"
NEVER = 10**15


async def restored(it: Driver) -> None:
    workspace = it.demo.workspace
    row = Restored(since=0, until=NEVER).model_dump_json()
    tenant = Tenant(workspace.team_id, workspace.enterprise_id or "")
    await it.demo.towow.store.put_records(tenant, UNKNOWN_POSTS, {"": row})


async def posted(it: Driver, channel: str, action: str, value: str, thread: str = "", link: str = "") -> Message:
    """Return a card of ours that the store knows nothing of."""
    workspace = it.demo.workspace
    client = AsyncWebClient(workspace.bot_token, workspace.api_url)
    row = ActionsBlock(elements=[ButtonElement(text="Press", action_id=action, value=value)])
    shown: list[Any] = [SectionBlock(text=f"<{link}|In the thread>"), row] if link else [row]
    said = await client.chat_postMessage(channel=channel, thread_ts=thread or None, text="A card", blocks=shown)
    return Message(channel=channel, ts=said["ts"], user=workspace.bot_user_id)


async def written_to(it: Driver, user: str) -> list[Message]:
    person = it.demo.person(user)
    return await person.messages((await person.dm()).id)


async def asked(it: Driver) -> Message:
    """Somebody has asked for something, and nothing is known of it."""
    return await it.demo.person(YOU).say(CHANNEL, "We need a hall")


@pytest.mark.parametrize("where", ["in the thread", "in direct messages"])
async def test_the_first_click_shows_it_on_the_card_and_tells_whoever_asked(driver: Begin, where: str) -> None:
    it = await driver()
    await restored(it)
    root = await asked(it)
    value = VoteButton(stream=LOST, round=1, digest="0").value()
    if where == "in the thread":
        card = await posted(it, CHANNEL, ACCEPT, value, root.ts)
    else:
        link = permalink("https://acme.slack.com/", CHANNEL, root.ts)
        card = await posted(it, (await it.demo.person(AYA).dm()).id, ACCEPT, value, link=link)
    for _ in range(2):
        await it.demo.person(AYA).click(card.channel, card.ts, ACCEPT)
        await it.settles()
        card = await posted(it, CHANNEL, ACCEPT, value, root.ts)
    seen = await written_to(it, AYA) + await it.everything(AYA)
    assert sum(NEWER in each.text and not shows(each, ACCEPT) for each in seen) == 2
    [told] = [each.text for each in await written_to(it, YOU) if ASK_ANEW in each.text]
    assert root.ts.replace(".", "") in told
    others = [each.text for user in (AYA, BO, EVE) for each in await written_to(it, user)]
    assert not [each for each in others if ASK_ANEW in each]


async def test_a_card_of_a_stream_that_is_known_says_it_where_its_click_is_refused(given: Given) -> None:
    it = await given()
    await restored(it)
    value = StreamButton(stream=it.key.stream).value()
    card = await posted(it, (await it.demo.person(EVE).dm()).id, CORRECT, value)
    await it.demo.person(EVE).click(card.channel, card.ts, CORRECT)
    await it.settles()
    assert [each.ts for each in await written_to(it, EVE) if NEWER in each.text] == [card.ts]
    assert not [each for each in await written_to(it, YOU) if ASK_ANEW in each.text]


async def test_cards_that_the_store_knows_stay(given: Given) -> None:
    it = await given()
    await restored(it)
    await it.clicks(EVE, ACCEPT)
    assert shows(await it.card(), ACCEPT)


async def test_without_a_restore_nothing_is_taken_away(driver: Begin) -> None:
    """Somebody may have started it on another database by mistake."""
    it = await driver()
    card = await posted(it, CHANNEL, ACCEPT, VoteButton(stream=LOST, round=1, digest="0").value(), (await asked(it)).ts)
    await it.demo.person(AYA).click(CHANNEL, card.ts, ACCEPT)
    await it.settles()
    [there] = [each for each in await it.everything(AYA) if each.ts == card.ts]
    assert shows(there, ACCEPT)
    assert not [each for each in await written_to(it, YOU) if ASK_ANEW in each.text]
