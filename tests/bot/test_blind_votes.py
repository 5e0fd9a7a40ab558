"""A blind round in the workspace: what everybody sees of it, and when."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from bot.local_slack import Message
from bot.views.kit.button_values import SHOW_ALL
from engine.negotiation.events import FeedbackEvaluated
from engine.negotiation.state import Status
from engine.store.port import Store

from .conftest import Given
from .driver import ACCEPT, ADMIN, AYA, BO, EVE, EVERYBODY, NEGOTIATE, PATIENT, WITHDRAW, YOU, Driver, text_of
from .home import opens, says
from .test_direct import clicks, direct, part
from .test_status import status

BLIND = PATIENT.model_copy(update={"blind_votes": True})
MARKS = ("accepts", "asks for a change", "says no", "withdraws", "in favour", "says accept", "wants it", "because")
"""Words that give a vote away."""


@pytest.fixture
def store(every_store: Store) -> Store:
    return every_store


async def seen(it: Driver, user: str) -> str:
    """Return what this person reads anywhere, besides the part of their own."""
    page = says(await opens(it, user))
    messages = [*await it.everything(user), *await direct(it, user)]
    others = [each for each in messages if "part-" not in str(each.metadata)]
    return "\n".join([page, await status(it, user), *(_all_of(each) for each in others)])


def _all_of(message: Message) -> str:
    return f"{message.text}\n{json.dumps(message.blocks, ensure_ascii=False)}"


async def gives_nothing_away(it: Driver) -> None:
    for user in EVERYBODY:
        text = (await seen(it, user)).replace("What was voted is shown", "")
        assert [each for each in MARKS if each in text] == [], user


async def test_a_whole_round_in_which_nobody_knows_what_the_others_vote(given: Given) -> None:
    it = await given(
        alone=["chen"], twins={("aya", 1): "negotiate", ("bo", 1): "accept", ("chen", 1): "withdraw"}, policy=BLIND
    )
    card = text_of(await it.card())
    assert "🗳️ *Aya* has voted (twin)\n🗳️ *Bo* has voted (twin)\n🗳️ *Chen* has voted (twin)" in card
    assert "3 of 3 have voted · 80% are needed" in card
    await gives_nothing_away(it)
    assert "💬 Your twin asks for a change – aya wants it shorter" in text_of(await part(it, AYA))
    assert "✅ Your twin accepts – bo says accept" in text_of(await part(it, BO))

    others = {user: await direct(it, user) for user in (YOU, BO, EVE, ADMIN)}
    await clicks(it, AYA, ACCEPT)
    assert "✅ You accept" in text_of(await part(it, AYA))
    assert "🗳️ *Aya* has voted\n" in text_of(await it.card())
    shown = await it.thread()
    await it.says(AYA, WITHDRAW, "because I am away")
    assert await it.thread() == shown  # they changed their mind, and nobody sees it
    assert "👋 You withdraw – because I am away" in text_of(await part(it, AYA))
    await it.says(YOU, NEGOTIATE, "because of the beamer", seat="chen")
    assert {user: await direct(it, user) for user in others} == others
    await gives_nothing_away(it)
    assert await receipts(it, EVERYBODY) == [
        "For Chen: Thank you, your wish is recorded. It will be weighed in the next version.",
        "Thank you for telling us. You are out once this round ends.",
    ]

    await it.clicks(BO, ACCEPT)

    state = await it.stands(Status.FAILED, round=1)
    assert state.outcome == "low_acceptance"
    closed = (await it.thread())[-2]
    assert "1 of 3 in favour" in text_of(closed)
    whole = (await it.clicks(EVE, SHOW_ALL, card=closed)).modal
    assert whole is not None
    card = json.dumps(whole.blocks, ensure_ascii=False)
    assert "👋 *Aya* withdraws – because I am away" in card
    assert "✅ *Bo* accepts" in card
    assert f"💬 *Chen* asks for a change (by <@{YOU}>, for them) – because of the beamer" in card
    [evaluated] = await it.happened(FeedbackEvaluated)
    assert evaluated.votes == {"user_agent_aya": "withdraw", "user_agent_bo": "accept", "user_agent_chen": "negotiate"}


async def receipts(it: Driver, users: Sequence[str]) -> list[str]:
    """Return what voters were told privately: that their vote, which the thread does not show, is recorded."""
    told = [each for user in users for each in await it.told(user) if "Thank you" in each]
    return [each.removesuffix(" You can change your mind until the round closes.") for each in told]


async def test_a_vote_that_closes_the_round_is_shown_and_not_told(given: Given) -> None:
    it = await given(linked=["aya"], policy=BLIND)

    await it.clicks(AYA, ACCEPT)

    await it.stands(Status.FINALIZED)
    assert await it.told(AYA) == []
    assert "1 of 1 in favour" in text_of((await it.thread())[-2])
    assert "✅ *Aya* agreed" in await it.root()


async def test_whoever_stops_it_does_not_learn_what_was_voted(given: Given) -> None:
    it = await given(twins={("aya", 1): "negotiate"}, policy=BLIND)
    await it.clicks(BO, ACCEPT)

    await it.stops(YOU)

    await it.stands(Status.CANCELLED)
    assert "2 of 2 have voted. Stopped before this round was over." in text_of((await it.thread())[-2])
    for user in (YOU, ADMIN, EVE):
        text = await seen(it, user)
        assert not any(each in text for each in MARKS)


async def test_the_very_same_vote_once_more_is_told_to_the_voter_alone(given: Given) -> None:
    it = await given(policy=BLIND)
    await it.clicks(AYA, ACCEPT)

    await it.clicks(AYA, ACCEPT)

    told = await it.told(AYA)
    assert told[0].startswith("Thank you, your yes is recorded.")
    assert told[1].startswith("We have that already")


async def test_in_the_direct_messages_the_card_itself_says_it(given: Given) -> None:
    it = await given(policy=BLIND)

    await clicks(it, AYA, ACCEPT)

    assert "✅ You accept" in text_of(await part(it, AYA))
    assert await it.told(AYA) == []
    assert [each for each in await direct(it, AYA) if each.visible_to] == []
