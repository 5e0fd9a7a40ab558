"""Somebody who was not asked says in the thread that they can help; whoever asked decides with a button."""

import pytest

from bot.demo.demo import CHANNEL
from bot.local_slack import Message
from bot.views.negotiation.button_values import ASK_HELPER, DECLINE_HELPER
from engine.negotiation.policy import Policy
from engine.negotiation.state import Status
from engine.negotiation.terms import Source
from engine.negotiation.volunteer_events import HelpAnswered, HelpOffered
from engine.projections.audit import acts

from .conftest import Given
from .driver import AYA, EVE, YOU, Driver, shows, text_of
from .roles import Role, arrives, everybody, forges, on_record
from .test_delegates import direct

HELD = Policy(first_window=600, human_window=3600, override_window=600)
"""Offers stay open for a while."""
WORDS = "I can help with the photos"


async def writes(it: Driver, user: str, text: str) -> list[str]:
    """Mention ToWow in the thread; return what only they are told."""
    [demand, *_] = await it.thread()
    await it.demo.person(user).say(CHANNEL, f"<@U_TOWOW> {text}", thread_ts=demand.ts)
    await it.settles()
    return await it.told(user)


async def asked(it: Driver, user: str = YOU) -> Message:
    """The message in which they are asked about it."""
    return next(each for each in await direct(it, user) if "somebody offers to help" in each.text)


async def decides(it: Driver, button: str) -> None:
    card = await asked(it)
    await it.demo.person(YOU).click(card.channel, card.ts, button)
    await it.settles()


async def test_whoever_is_taken_has_offered_what_they_wrote(given: Given) -> None:
    it = await given(policy=HELD)
    [told] = await writes(it, EVE, WORDS)
    assert f"Thank you! <@{YOU}> hears of it and decides." in told
    card = await asked(it)
    assert f"<@{EVE}> was not asked, and writes:\n{WORDS}" in text_of(card)
    assert all(WORDS not in text_of(each) for each in (await it.thread())[2:] if each.user != EVE)

    await decides(it, ASK_HELPER)
    [answered] = await it.happened(HelpAnswered)
    state = await it.state()
    offer = state.offers[answered.agent_id]
    assert (offer.source, offer.contribution, offer.display_name) == (Source.HUMAN, WORDS, "Eve")
    card = await asked(it)
    assert not shows(card, ASK_HELPER)
    assert "✅ You asked them" in text_of(card)
    assert any("your help is wanted" in each.text for each in await direct(it, EVE))
    assert any("Eve" in text_of(each) for each in await it.thread())
    trail = [(each.act, each.by, each.choice) for each in await acts(it.demo.towow.store, it.key.tenant, it.key.stream)]
    assert trail[-2:] == [("offer_help", EVE, ""), ("answer_help", YOU, "ask")]


async def test_whoever_is_not_taken_is_thanked(given: Given) -> None:
    it = await given(policy=HELD)
    await writes(it, EVE, WORDS)
    await decides(it, DECLINE_HELPER)
    assert any("works out without you" in each.text for each in await direct(it, EVE))
    assert len((await it.state()).offers) == 2
    told = await writes(it, EVE, "I can help with the chairs, too")
    assert "You have offered your help already" in told[-1]


async def test_it_is_said_in_the_language_of_its_readers(given: Given) -> None:
    it = await given("我们需要一个房间", policy=HELD)
    [told] = await writes(it, EVE, "我可以帮忙拍照")
    assert "谢谢" in told
    assert any("请 TA 帮忙" in str(each.blocks) for each in await direct(it, YOU))


@pytest.mark.parametrize(
    ("user", "text"),
    [
        pytest.param(EVE, "Can somebody help with the photos?", id="a question"),
        pytest.param(YOU, WORDS, id="whoever asked"),
        pytest.param(AYA, WORDS, id="who was asked"),
    ],
)
async def test_anything_else_is_a_question_as_before(given: Given, user: str, text: str) -> None:
    it = await given(policy=HELD)
    [told] = await writes(it, user, text)
    assert "Nothing new begins in this thread" in told
    assert await it.happened(HelpOffered) == []


async def test_once_it_is_over_nobody_is_needed(given: Given) -> None:
    it = await given(policy=HELD)
    await it.stops(YOU)
    await it.stands(Status.CANCELLED)
    [told] = await writes(it, EVE, WORDS)
    assert "Nobody else is needed here any more" in told
    assert await it.happened(HelpOffered) == []


async def test_a_plan_under_vote_takes_nobody_without_a_twin(given: Given) -> None:
    it = await given()
    await writes(it, EVE, WORDS)
    assert "A plan is being voted on" in text_of(await asked(it))
    await decides(it, ASK_HELPER)
    assert await it.happened(HelpAnswered) == []
    you = it.demo.person(YOU)
    assert "Nobody can join just now" in (await you.messages((await you.dm()).id))[-1].text


@everybody
async def test_only_whoever_asked_and_admins_decide(given: Given, role: Role) -> None:
    it = await given(policy=HELD)
    await writes(it, EVE, WORDS)
    card = await asked(it)
    await arrives(it, role)
    await forges(it, role, card, ASK_HELPER)
    await it.settles()
    found = await it.happened(HelpAnswered)
    assert [each.by for each in found] == ([role.user] if role.steers and not role.tenant else [])
    if not role.steers:
        assert await on_record(it) == ([] if role.tenant else ["NotAllowed"])
