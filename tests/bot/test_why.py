"""Somebody wants to know why they were asked: for them alone, and for whom they let decide for them."""

from typing import Any

import pytest
from slack_sdk.models.blocks import ActionsBlock, ButtonElement
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import Outcome, View
from bot.views.negotiation.button_values import WHY, SeatButton

from .conftest import Given
from .driver import ADMIN, AYA, BO, EVE, YOU, Driver, presses, texts_of
from .script import AGENT
from .test_delegates import chooses, direct, part


def text_of(view: View | None) -> str:
    assert view is not None
    return "\n".join(texts_of(view.blocks))


async def asks(it: Driver, user: str) -> Outcome:
    card = await part(it, user)
    outcome = await presses(it.demo.person(user), card, WHY)
    await it.settles()
    return outcome


async def asks_with_a_forged_button(it: Driver, user: str, seat: str) -> Outcome:
    """Click in one's own direct messages, about somebody else's seat."""
    workspace = it.demo.workspace
    value = SeatButton(stream=it.key.stream, agent_id=f"{AGENT}{seat}").value()
    row = ActionsBlock(elements=[ButtonElement(text="Why?", action_id=WHY, value=value)])
    client = AsyncWebClient(workspace.bot_token, workspace.api_url)
    card: Any = await client.chat_postMessage(channel=user, text="A card", blocks=[row])
    outcome = await it.demo.person(user).click(card["channel"], card["ts"], WHY)
    await it.settles()
    return outcome


async def test_the_person_reads_what_was_asked_why_and_what_their_twin_offered(given: Given) -> None:
    it = await given()
    before = await it.events()

    said = text_of((await asks(it, AYA)).modal)

    state = await it.state()
    offer = state.offers[f"{AGENT}aya"]
    assert f"Asked by <@{YOU}>" in said
    assert state.invited[f"{AGENT}aya"].reason in said
    assert offer.contribution in said
    assert await it.events() == before


async def test_the_delegate_reads_the_same_but_cannot_pause_a_twin_that_is_not_theirs(given: Given) -> None:
    it = await given()
    own = text_of((await asks(it, AYA)).modal)
    await chooses(it, EVE)

    delegates = text_of((await asks(it, EVE)).modal)
    reasons, _, pause = own.partition("\nIs it too much?")
    assert delegates == reasons
    assert "Pause my twin" in pause


@pytest.mark.parametrize("user", [YOU, BO, EVE, ADMIN])
@pytest.mark.parametrize("seat", ["aya", "chen", "nobody"])
async def test_nobody_else_reads_it(given: Given, user: str, seat: str) -> None:
    """Not even whoever asked, who may vote for a seat that belongs to nobody."""
    it = await given(alone=["chen"])
    before = await it.events()

    outcome = await asks_with_a_forged_button(it, user, seat)

    assert (outcome.acked, outcome.modal) == (True, None)
    person = it.demo.person(user)
    [told] = [each for each in await person.messages((await person.dm()).id) if each.visible_to]
    assert told.text == (
        "Only the person who was asked, and whom they let decide for them, can read that. Ask them about it."
    )
    assert await it.events() == before
    assert await direct(it, EVE) == []
