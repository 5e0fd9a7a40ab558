"""Whoever asked says which seats the plan falls with: in a form behind the root card."""

from bot.views.negotiation.button_values import CORE
from engine.negotiation.events import CoreChosen

from .conftest import Given
from .driver import ACCEPT, ADMIN, AYA, BO, YOU, Driver, nothing_changed, text_of
from .script import AGENT


async def chooses(it: Driver, user: str, *names: str) -> dict[str, str]:
    form = (await it.clicks(user, CORE, card=(await it.thread())[1])).modal
    assert form is not None
    outcome = await it.demo.person(user).submit(form, {"agent_ids": {"agent_ids": [AGENT + each for each in names]}})
    await it.settles()
    return outcome.errors


async def test_the_choice_is_in_the_card_and_in_the_next_form(given: Given) -> None:
    it = await given(alone=("chen",))

    assert await chooses(it, YOU, "bo", "chen") == {}

    [chosen] = await it.happened(CoreChosen)
    assert (chosen.by, chosen.agent_ids) == (YOU, (f"{AGENT}bo", f"{AGENT}chen"))
    assert (await it.root()).count(" · ⭐ ") == 2
    form = (await it.clicks(YOU, CORE, card=(await it.thread())[1])).modal
    assert form is not None
    [element] = [block["element"] for block in form.blocks if block["type"] == "input"]
    assert [each["value"] for each in element["initial_options"]] == [f"{AGENT}bo", f"{AGENT}chen"]


async def test_nobody_has_to_vote_again(given: Given) -> None:
    it = await given()
    card = await it.card()

    await chooses(it, ADMIN, "aya")
    await it.clicks(AYA, ACCEPT, card=card)

    assert await it.votes() == {"aya": "accept", "bo": "accept"}
    assert await it.told(AYA) == []


async def test_there_may_be_none(given: Given) -> None:
    it = await given()
    await chooses(it, YOU, "aya")

    assert await chooses(it, YOU) == {}

    assert "⭐ core" not in text_of(await it.card())


async def test_somebody_else_is_refused_in_private(given: Given) -> None:
    it = await given()
    async with nothing_changed(it, by=BO, told="That is for somebody else to decide"):
        outcome = await it.clicks(BO, CORE, card=(await it.thread())[1])
    assert outcome.modal is None


async def test_a_form_that_is_sent_after_the_round_changes_nothing(given: Given) -> None:
    it = await given()
    form = (await it.clicks(YOU, CORE, card=(await it.thread())[1])).modal
    assert form is not None
    await it.time_is_up()
    before = await it.events()

    late = await it.demo.person(YOU).submit(form, {"agent_ids": {"agent_ids": [f"{AGENT}bo"]}})
    await it.settles()

    assert "not possible at this point" in late.errors["agent_ids"]
    assert await it.events() == before
