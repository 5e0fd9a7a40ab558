"""Somebody who was not asked offers their help with a form; whoever asked decides with a button."""

from collections.abc import Sequence
from typing import Any

from bot.demo.demo import CHANNEL
from bot.local_slack import Message, Outcome
from bot.views.negotiation.button_values import ASK_HELPER, DECLINE_HELPER, OFFER_HELP
from bot.views.negotiation.offers.help_form import COVERS, WHAT
from engine.negotiation.answers import Need, Understanding
from engine.negotiation.events import HelpAnswered, HelpOffered
from engine.negotiation.policy import Policy
from engine.negotiation.state import Status
from engine.negotiation.terms import Source
from engine.projections.audit import acts

from .conftest import Given
from .driver import AYA, EVE, YOU, Driver, shows, text_of
from .roles import Role, arrives, everybody, forges, on_record
from .test_delegates import direct

HELD = Policy(first_window=600, human_window=3600, override_window=600)
"""Offers stay open for a while."""
WORDS = "I can help with the photos"


async def writes(it: Driver, user: str, text: str = "How does it stand?") -> list[Message]:
    """Mention ToWow in the thread; return what only they are told."""
    [demand, *_] = await it.thread()
    await it.demo.person(user).say(CHANNEL, f"<@U_TOWOW> {text}", thread_ts=demand.ts)
    await it.settles()
    return [each for each in await it.everything(user) if each.visible_to == user]


async def offers(it: Driver, user: str = EVE, text: str = WORDS, covers: Sequence[str] = ()) -> Outcome:
    """Write in the thread, and offer help with the form behind the button that only they are shown."""
    line = next(each for each in await writes(it, user) if shows(each, OFFER_HELP))
    opened = await it.demo.person(user).click(CHANNEL, line.ts, OFFER_HELP)
    assert opened.modal is not None, opened
    values: dict[str, dict[str, Any]] = {WHAT: {WHAT: text}}
    if covers:
        values[COVERS] = {COVERS: [*covers]}
    outcome = await it.demo.person(user).submit(opened.modal, values)
    await it.settles()
    return outcome


async def asked(it: Driver, user: str = YOU) -> Message:
    """The message in which they are asked about it."""
    return next(each for each in await direct(it, user) if "somebody offers to help" in each.text)


async def decides(it: Driver, button: str) -> None:
    card = await asked(it)
    await it.demo.person(YOU).click(card.channel, card.ts, button)
    await it.settles()


async def test_whoever_is_taken_has_offered_what_they_wrote(given: Given) -> None:
    it = await given(policy=HELD)
    assert (await offers(it)).acked
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
    await offers(it)
    await decides(it, DECLINE_HELPER)
    assert any("works out without you" in each.text for each in await direct(it, EVE))
    assert len((await it.state()).offers) == 2


async def test_the_button_is_shown_once_to_each_and_only_to_whom_it_may_be_of_use(given: Given) -> None:
    it = await given(policy=HELD)
    for user in (YOU, AYA):
        assert not any(shows(each, OFFER_HELP) for each in await writes(it, user)), user
    for _ in range(2):
        told = await writes(it, EVE)
        assert [shows(each, OFFER_HELP) for each in told].count(True) == 1
    assert "Nothing new begins in this thread" in told[-1].text
    assert await it.happened(HelpOffered) == []


async def test_whoever_helps_says_which_needs_that_covers(given: Given) -> None:
    needs = (Need(need_id="need_1", what="a venue"), Need(need_id="need_2", what="photos"))
    understood = Understanding(surface_demand="A party", confidence="high", language="en", needs=needs)
    it = await given(policy=HELD, says={"understand": understood})
    await offers(it, covers=["need_2"])
    assert [each.covers for each in await it.happened(HelpOffered)] == [("need_2",)]


async def test_it_is_said_in_the_language_of_its_readers(given: Given) -> None:
    it = await given("我们需要一个房间", policy=HELD)
    await offers(it, text="我可以帮忙拍照")
    assert any("请 TA 帮忙" in str(each.blocks) for each in await direct(it, YOU))


async def test_once_it_is_over_nobody_is_needed(given: Given) -> None:
    it = await given(policy=HELD)
    await it.stops(YOU)
    await it.stands(Status.CANCELLED)
    assert not any(shows(each, OFFER_HELP) for each in await writes(it, EVE))
    assert await it.happened(HelpOffered) == []


async def test_a_plan_under_vote_takes_nobody_without_a_twin(given: Given) -> None:
    it = await given()
    await offers(it)
    card = await asked(it)
    assert "A plan is being voted on" in text_of(card)
    assert ASK_HELPER not in card.model_dump_json()  # it would be refused
    await decides(it, DECLINE_HELPER)
    assert [each.way for each in await it.happened(HelpAnswered)] == ["declined"]


@everybody
async def test_only_whoever_asked_and_admins_decide(given: Given, role: Role) -> None:
    it = await given(policy=HELD)
    await offers(it)
    card = await asked(it)
    await arrives(it, role)
    await forges(it, role, card, ASK_HELPER)
    await it.settles()
    found = await it.happened(HelpAnswered)
    assert [each.by for each in found] == ([role.user] if role.steers and not role.tenant else [])
    if not role.steers:
        assert await on_record(it) == ([] if role.tenant else ["NotAllowed"])
