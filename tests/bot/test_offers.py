"""Somebody corrects what their twin offered, until a proposal is out; and the plan is made of that."""

import asyncio

from bot.local_slack import Outcome
from bot.views.kit.button_values import SHOW_ALL
from bot.views.negotiation.button_values import CORRECT
from bot.views.negotiation.offers.offer_form import CONDITIONS, CONTRIBUTION, DECISION, REASON, WHOM
from engine.negotiation.answers import OfferDecision
from engine.negotiation.events import OfferOverridden
from engine.negotiation.state import Status
from engine.negotiation.terms import Source
from engine.projections.audit import acts

from .conftest import Given
from .driver import ACCEPT, AYA, EVE, YOU, Driver, nothing_changed, shows, text_of
from .script import AGENT


async def collecting(given: Given, **circumstances: object) -> Driver:
    """Begin a demand where every twin has offered and the first proposal is in the making."""
    it = await given(held=("aggregate",), **circumstances)
    await it.stands(Status.AGGREGATING)
    return it


async def form_of(it: Driver, user: str) -> Outcome:
    return await it.clicks(user, CORRECT, card=(await it.thread())[2])


async def sends(it: Driver, user: str, form: Outcome, **answers: str) -> Outcome:
    assert form.modal is not None
    outcome = await it.demo.person(user).submit(form.modal, {name: {name: said} for name, said in answers.items()})
    await it.settles()
    return outcome


async def goes_on(it: Driver) -> None:
    """Let the model answer after all."""
    for each in it.script.held.values():
        each.set()
    it.script.held.clear()
    await it.settles()


async def test_the_form_starts_from_what_the_twin_said(given: Given) -> None:
    it = await collecting(given)

    form = (await form_of(it, AYA)).modal

    assert form is not None
    entered = {block: next(iter(state.values())) for block, state in form.values.items()}
    assert entered[CONTRIBUTION]["value"] == "aya helps"
    assert entered[DECISION]["selected_option"]["value"] == "participate"
    assert not entered[CONDITIONS]["value"]


async def test_what_a_person_says_takes_the_twins_place_and_the_plan_is_made_of_it(given: Given) -> None:
    it = await collecting(given)

    sent = await sends(
        it,
        AYA,
        await form_of(it, AYA),
        **{DECISION: "conditional", CONTRIBUTION: "The hall on Friday", CONDITIONS: "Out by ten\n\n  A deposit "},
    )

    assert sent.errors == {}
    [said] = await it.happened(OfferOverridden)
    assert (said.by, said.decision, said.contribution) == (AYA, OfferDecision.CONDITIONAL, "The hall on Friday")
    assert said.conditions == ("Out by ten", "A deposit")
    card = text_of((await it.thread())[2])
    assert "(in person)" in card
    assert "The hall on Friday" in card
    assert "aya helps" not in card
    assert it.script.asked.count("aggregate") == 2

    await goes_on(it)

    state = await it.stands(Status.NEGOTIATING, round=1)
    assert [each.condition for each in state.proposals[0].conditions] == ["Out by ten", "A deposit"]
    [_, correction] = await acts(it.demo.towow.store, it.key.tenant, it.key.stream)
    assert (correction.act, correction.by, correction.agent_id) == ("correct_offer", AYA, f"{AGENT}aya")
    assert correction.replaced is not None
    assert (correction.replaced.choice, correction.replaced.source) == ("participate", Source.AGENT)


async def test_who_cannot_after_all_is_not_in_the_plan(given: Given) -> None:
    it = await collecting(given)

    await sends(it, AYA, await form_of(it, AYA), **{DECISION: "decline", REASON: "I am away that week"})
    await goes_on(it)

    state = await it.stands(Status.NEGOTIATING, round=1)
    assert list(state.rounds[0].seats) == [f"{AGENT}bo"]
    offers = (await it.thread())[2]
    shown = (await it.clicks(EVE, SHOW_ALL, card=offers)).modal
    assert shown is not None
    assert "I am away that week" in str(shown.blocks)


async def test_where_nobody_is_left_it_ends_and_says_so(given: Given) -> None:
    it = await collecting(given, linked=("aya",))

    await sends(it, AYA, await form_of(it, AYA), **{DECISION: "decline"})

    await it.stands(Status.FAILED)
    assert "Nobody was able to take part" in text_of((await it.thread())[-1])


async def test_an_answer_without_the_words_it_needs_stays_open_and_says_what_is_missing(given: Given) -> None:
    it = await collecting(given)
    form = await form_of(it, AYA)
    before = await it.events()

    nothing = await sends(it, AYA, form, **{DECISION: "participate", CONTRIBUTION: "  "})
    unconditional = await sends(it, AYA, form, **{DECISION: "conditional", CONTRIBUTION: "A hall", CONDITIONS: " \n"})

    assert list(nothing.errors) == [CONTRIBUTION]
    assert list(unconditional.errors) == [CONDITIONS]
    assert "name at least one" in unconditional.errors[CONDITIONS]
    assert await it.events() == before


async def test_whoever_answers_for_several_chooses_first(given: Given) -> None:
    it = await collecting(given, alone=("chen", "dee"))

    chosen = await sends(it, YOU, await form_of(it, YOU), **{WHOM: f"{AGENT}dee"})
    assert chosen.modal is not None
    await sends(it, YOU, chosen, **{DECISION: "participate", CONTRIBUTION: "Dee can cook"})

    [said] = await it.happened(OfferOverridden)
    assert (said.agent_id, said.by, said.contribution) == (f"{AGENT}dee", YOU, "Dee can cook")


async def test_once_a_proposal_is_out_the_offers_stand(given: Given) -> None:
    it = await collecting(given)
    form = await form_of(it, AYA)
    old = (await it.thread())[2]
    await it.keeps_old_cards()
    await goes_on(it)
    assert shows(await it.card(), ACCEPT)
    before = await it.events()

    late = await sends(it, AYA, form, **{DECISION: "decline"})
    assert "The offers are closed" in late.errors[DECISION]
    async with nothing_changed(it, by=AYA, told="The offers are closed"):
        await it.clicks(AYA, CORRECT, card=old)

    assert await it.events() == before


async def test_the_button_goes_with_the_first_proposal(given: Given) -> None:
    it = await collecting(given)
    assert shows((await it.thread())[2], CORRECT)

    await goes_on(it)

    assert not shows((await it.thread())[2], CORRECT)


async def test_two_people_at_once_are_both_heard(given: Given) -> None:
    it = await collecting(given, alone=("chen",))
    aya, you = await form_of(it, AYA), await form_of(it, YOU)

    await asyncio.gather(
        sends(it, AYA, aya, **{DECISION: "participate", CONTRIBUTION: "Only mornings"}),
        sends(it, YOU, you, **{DECISION: "participate", CONTRIBUTION: "Only evenings"}),
    )
    await goes_on(it)

    said = {each.agent_id: each.contribution for each in (await it.state()).offers.values()}
    assert said == {f"{AGENT}aya": "Only mornings", f"{AGENT}bo": "bo helps", f"{AGENT}chen": "Only evenings"}
