"""Whoever asked says the demand otherwise, or answers what was not clear, while the offers are open."""

import pytest

from bot.local_slack import Message, Outcome
from bot.views.negotiation.button_values import CLARIFY, CORRECT, EDIT, STOP
from bot.views.negotiation.demand.demand_form import DEMAND, REST
from engine.negotiation.answers import Understanding
from engine.negotiation.events import DemandEdited
from engine.negotiation.policy import Policy
from engine.negotiation.state import Status
from engine.projections.audit import acts

from .conftest import Begin, Given
from .driver import ADMIN, AYA, EVE, YOU, Driver, nothing_changed, shows, text_of
from .driver import DEMAND as OLD

NEW = "I need a venue for 80 people in Hamburg"


async def collecting(given: Given, demand: str = OLD) -> Driver:
    """Begin a demand where everybody is being asked and nobody has answered yet."""
    it = await given(demand, held=("respond",))
    await it.stands(Status.COLLECTING)
    return it


async def form_of(it: Driver, user: str = YOU, action: str = EDIT) -> Outcome:
    return await it.clicks(user, action, card=(await it.thread())[1])


async def sends(it: Driver, form: Outcome, user: str = YOU, **answers: str) -> Outcome:
    assert form.modal is not None
    outcome = await it.demo.person(user).submit(form.modal, {name: {name: said} for name, said in answers.items()})
    await it.settles()
    return outcome


async def answers_come(it: Driver) -> None:
    for each in it.script.held.values():
        each.set()
    it.script.held.clear()
    await it.settles()


@pytest.mark.parametrize("user", [YOU, ADMIN], ids=["who asked", "an admin"])
async def test_everybody_is_asked_anew_with_the_new_words(given: Given, user: str) -> None:
    it = await collecting(given)

    sent = await sends(it, await form_of(it, user), user, **{DEMAND: NEW})

    assert sent.errors == {}
    assert [each.by for each in await it.happened(DemandEdited)] == [user]
    assert it.script.asked.count("understand") == 2
    assert NEW in await it.root()
    await answers_come(it)
    state = await it.stands(Status.NEGOTIATING, round=1)
    assert state.raw_input == NEW
    assert it.script.asked.count("aggregate") == 1
    trail = await acts(it.demo.towow.store, it.key.tenant, it.key.stream)
    assert [(each.act, each.by, each.as_admin) for each in trail] == [
        ("demand", YOU, False),
        ("edit_demand", user, user == ADMIN),
    ]


async def test_the_form_starts_from_what_was_said(given: Given) -> None:
    form = (await form_of(await collecting(given))).modal
    assert form is not None
    assert form.values[DEMAND][DEMAND]["value"] == OLD
    assert REST not in form.values


async def test_a_long_demand_has_room(given: Given) -> None:
    long = "A venue. " * 440
    it = await collecting(given, long)

    form = await form_of(it)
    assert form.modal is not None
    first, rest = (form.modal.values[name][name]["value"] for name in (DEMAND, REST))
    await sends(it, form, **{DEMAND: first, REST: f"{rest} And speakers."})

    assert (await it.state()).raw_input.split() == [*long.split(), "And", "speakers."]


async def test_what_was_not_clear_is_answered(driver: Begin) -> None:
    it = await driver(held=("respond",))
    it.script.says["understand"] = Understanding(surface_demand="A venue", uncertainties=("Which date?", "Indoors?"))
    it = await it.asks()
    assert shows((await it.thread())[1], CLARIFY)

    form = await form_of(it, action=CLARIFY)
    assert form.modal is not None
    assert [block["label"]["text"] for block in form.modal.blocks if block["type"] == "input"] == [
        "Which date?",
        "Indoors?",
    ]
    del it.script.says["understand"]
    await sends(it, form, **{"question-0": "In May"})

    assert (await it.state()).raw_input == f"{OLD}\nWhich date? – In May"
    assert not shows((await it.thread())[1], CLARIFY)


async def test_where_everything_is_clear_nothing_is_asked(given: Given) -> None:
    root = (await (await collecting(given)).thread())[1]
    assert shows(root, EDIT)
    assert not shows(root, CLARIFY)


@pytest.mark.parametrize("user", [AYA, EVE], ids=["a participant", "somebody who only reads along"])
async def test_nobody_else_says_it_otherwise(given: Given, user: str) -> None:
    it = await collecting(given)
    async with nothing_changed(it, by=user, told="That is for somebody else to decide"):
        assert (await form_of(it, user)).modal is None


async def test_what_is_no_demand_stays_in_the_form(given: Given) -> None:
    it = await collecting(given)
    before = await it.events()

    sent = await sends(it, await form_of(it), **{DEMAND: "\U0001f389"})

    assert "Tell me what you need" in sent.errors[DEMAND]
    assert await it.events() == before


async def test_once_a_proposal_is_out_it_stands(given: Given) -> None:
    it = await collecting(given)
    form = await form_of(it)
    root = (await it.thread())[1]
    await it.keeps_old_cards()
    await answers_come(it)
    await it.stands(Status.NEGOTIATING)

    late = await sends(it, form, **{DEMAND: NEW})
    assert "A proposal is out" in late.errors[DEMAND]
    async with nothing_changed(it, by=YOU, told="A proposal is out"):
        await it.clicks(YOU, EDIT, card=root)


async def test_a_late_answer_speaks_of_no_proposal_where_there_is_none(given: Given) -> None:
    it = await collecting(given)
    form = await form_of(it)
    await it.clicks(YOU, STOP, card=(await it.thread())[1])
    await it.stands(Status.CANCELLED)

    late = await sends(it, form, **{DEMAND: NEW})
    assert "This has ended" in late.errors[DEMAND]


async def test_the_offers_of_the_old_words_are_not_shown_as_offers_of_the_new(given: Given) -> None:
    it = await collecting(given)
    assert shows((await it.thread())[2], CORRECT)
    it.script.held["understand"] = it.script.held["respond"]

    await sends(it, await form_of(it), **{DEMAND: NEW})

    await it.stands(Status.CREATED)
    offers = (await it.thread())[2]
    assert "The demand was edited: everybody is asked anew" in text_of(offers)
    assert not shows(offers, CORRECT)


async def test_what_a_twin_had_promised_for_the_old_words_is_not_to_be_corrected_any_more(given: Given) -> None:
    it = await given(policy=Policy(first_window=600, human_window=3600, override_window=600))
    [promised] = [each for each in await written_to(it, AYA) if shows(each, CORRECT)]

    await sends(it, await form_of(it), **{DEMAND: NEW})

    cards = {each.ts: each for each in await written_to(it, AYA)}
    assert not shows(cards[promised.ts], CORRECT)
    assert "edited" in text_of(cards[promised.ts])
    assert [each.ts for each in cards.values() if shows(each, CORRECT)] == [max(cards)]


async def written_to(it: Driver, user: str) -> list[Message]:
    person = it.demo.person(user)
    return await person.messages((await person.dm()).id)
