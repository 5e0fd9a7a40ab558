"""Somebody lets a colleague decide for their seat: the whole way, from the button to both their direct messages."""

from typing import Any

import pytest

from bot.local_slack import Message, User, View
from bot.views.negotiation.button_values import CORRECT, DELEGATE
from bot.views.negotiation.offers.offer_form import CONTRIBUTION, DECISION
from engine.negotiation.events import OfferOverridden, ProposalFeedback, SeatDelegated
from engine.negotiation.state import Status
from engine.negotiation.terms import Source
from engine.projections.audit import acts

from .conftest import Given
from .driver import ACCEPT, ADMIN, AYA, BO, EVE, NEGOTIATE, QUIET, YOU, Driver, nothing_changed, presses, shows, text_of
from .script import AGENT

NOT_A_COLLEAGUE = "Choose a colleague of this workspace"


async def direct(it: Driver, user: str) -> list[Message]:
    person = it.demo.person(user)
    return [each for each in await person.messages((await person.dm()).id) if each.metadata]


async def part(it: Driver, user: str) -> Message:
    """Return the newest direct message."""
    return [each for each in await direct(it, user) if "part-" in str(each.metadata)][-1]


async def keys(it: Driver, user: str) -> list[str]:
    return [
        each.metadata["event_payload"]["key"].replace(AGENT, "") for each in await direct(it, user) if each.metadata
    ]


async def form(it: Driver, user: str = AYA) -> View:
    """Open the form from the direct message."""
    card = await part(it, user)
    outcome = await presses(it.demo.person(user), card, DELEGATE)
    assert outcome.modal is not None, outcome
    return outcome.modal


async def chooses(it: Driver, to: str | None, *, user: str = AYA, opened: View | None = None) -> dict[str, str]:
    """Send the form, and return what stands beside the field afterwards."""
    outcome = await it.demo.person(user).submit(opened or await form(it, user), {"to": {"to": to}})
    await it.settles()
    return outcome.errors


async def clicks(it: Driver, user: str, action: str, card: Message | None = None) -> None:
    card = card or await part(it, user)
    assert (await presses(it.demo.person(user), card, action)).acked
    await it.demo.settle(QUIET)


async def test_the_delegate_decides_in_their_own_messages_and_everybody_sees_whose_hand_it_was(given: Given) -> None:
    it = await given()

    assert await chooses(it, EVE) == {}

    [named] = await it.happened(SeatDelegated)
    assert (named.agent_id, named.by, named.to) == (f"{AGENT}aya", AYA, EVE)
    assert await keys(it, EVE) == [f"part-1/aya/{EVE}"]
    assert f"<@{EVE}> may decide for you as well" in text_of(await part(it, AYA))
    await clicks(it, EVE, ACCEPT)
    [vote] = [each for each in await it.happened(ProposalFeedback) if each.source is Source.HUMAN]
    assert (vote.agent_id, vote.by) == (f"{AGENT}aya", EVE)
    assert f"✅ *Aya* accepts (by <@{EVE}>)" in text_of(await it.card())
    for card in (await part(it, AYA), await part(it, EVE)):
        assert f"✅ <@{AYA}> accepts (by <@{EVE}>)" in text_of(card)
    trail = await acts(it.demo.towow.store, it.key.tenant, it.key.stream)
    assert [(each.act, each.by, each.agent_id, each.choice) for each in trail] == [
        ("demand", YOU, "", ""),
        ("delegate", AYA, f"{AGENT}aya", EVE),
        ("vote", EVE, f"{AGENT}aya", "accept"),
    ]


async def test_the_thread_serves_the_delegate_too_and_who_has_two_seats_says_which(given: Given) -> None:
    it = await given()
    await chooses(it, BO)

    await it.says(BO, NEGOTIATE, "Only until ten", seat="aya")
    await it.clicks(AYA, ACCEPT)

    votes = [(each.agent_id, each.by) for each in await it.happened(ProposalFeedback) if each.by]
    assert votes == [(f"{AGENT}aya", BO), (f"{AGENT}aya", AYA)]


async def test_the_delegate_corrects_the_offer_and_was_named_where_the_offers_are(given: Given) -> None:
    it = await given(held=("aggregate",))
    offers = (await it.thread())[2]
    opened = (await it.clicks(AYA, DELEGATE, card=offers)).modal
    assert opened is not None
    assert await chooses(it, EVE, opened=opened) == {}

    correction = (await it.clicks(EVE, CORRECT, card=offers)).modal
    assert correction is not None
    said = {DECISION: {DECISION: "participate"}, CONTRIBUTION: {CONTRIBUTION: "a room and cake"}}
    await it.demo.person(EVE).submit(correction, said)
    await it.settles()

    [corrected] = await it.happened(OfferOverridden)
    assert (corrected.agent_id, corrected.by) == (f"{AGENT}aya", EVE)


async def test_what_is_taken_back_has_no_buttons_any_more_and_a_button_that_was_left_does_nothing(given: Given) -> None:
    it = await given()
    await chooses(it, EVE)
    await it.keeps_old_cards()
    stale = await part(it, EVE)

    assert await chooses(it, None) == {}

    assert shows(await part(it, EVE), ACCEPT)
    before = await it.events()
    await clicks(it, EVE, ACCEPT, stale)
    assert await it.events() == before
    assert (await it.refusals())[-1] == "NotAllowed"


async def test_the_card_says_that_it_was_taken_back(given: Given) -> None:
    it = await given()
    await chooses(it, EVE)

    await chooses(it, None)

    card = await part(it, EVE)
    assert not shows(card, ACCEPT)
    assert "decides without you again" in text_of(card)
    assert "may decide for you as well" not in text_of(await part(it, AYA))
    await it.time_is_up()
    assert await keys(it, EVE) == [f"part-1/aya/{EVE}"]


async def test_the_form_begins_with_who_it_is_so_far_and_the_same_again_changes_nothing(given: Given) -> None:
    it = await given()
    await chooses(it, EVE)
    before = await it.events()

    opened = await form(it)
    [field] = [block for block in opened.blocks if block["type"] == "input"]
    assert field["element"]["initial_user"] == EVE
    assert await chooses(it, EVE, opened=opened) == {}

    assert await it.events() == before


async def test_the_delegate_is_reminded_and_both_hear_how_it_ended(given: Given) -> None:
    it = await given()
    await chooses(it, EVE)

    await it.passes()
    assert await keys(it, EVE) == [f"part-1/aya/{EVE}", f"reminder-1/aya/{EVE}"]
    assert await keys(it, AYA) == ["part-1/aya"]
    await it.time_is_up()

    await it.stands(Status.FINALIZED)
    assert (await keys(it, EVE))[-1] == f"ending/aya/{EVE}"
    assert (await keys(it, AYA))[-1] == "ending/aya"


async def test_who_may_not_be_named_is_said_beside_the_field(given: Given) -> None:
    it = await given()
    admin = it.demo.workspace.admin
    await admin.put_user(User(id="U_BOT", name="helper", real_name="Helper", is_bot=True))
    await admin.put_user(User(id="U_OUT", name="guest", real_name="A Guest", team_id="T_PARTNER"))
    await admin.deactivate(ADMIN)
    opened = await form(it)
    before, thread = await it.events(), await it.thread()

    for to in ("U_BOT", it.demo.workspace.bot_user_id, "U_OUT", ADMIN, AYA, "U_NOBODY", "USLACKBOT"):
        assert NOT_A_COLLEAGUE in (await chooses(it, to, opened=opened))["to"], to

    assert (await it.events(), await it.thread()) == (before, thread)
    assert await chooses(it, EVE, opened=opened) == {}


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param({"do": "status", "status": 429, "retry_after": 3}, id="429"),
        pytest.param({"do": "status", "status": 500}, id="500"),
        pytest.param({"do": "drop_before"}, id="no answer"),
        pytest.param({"do": "error", "error": "missing_scope"}, id="missing_scope"),
    ],
)
async def test_where_slack_does_not_say_who_it_is_the_form_stays_open(given: Given, fault: dict[str, Any]) -> None:
    it = await given()
    opened = await form(it)
    before = await it.events()
    await it.demo.workspace.admin.fault("users.info", times=None, **fault)

    assert "please try again" in (await chooses(it, EVE, opened=opened))["to"]

    assert await it.events() == before
    await it.demo.workspace.admin.clear_faults()
    assert await chooses(it, EVE, opened=opened) == {}
    assert [each.to for each in await it.happened(SeatDelegated)] == [EVE]


async def test_whoever_has_no_seat_is_refused_in_private(given: Given) -> None:
    it = await given(held=("aggregate",))
    async with nothing_changed(it, by=EVE, told="You have no part here"):
        outcome = await it.clicks(EVE, DELEGATE, card=(await it.thread())[2])
    assert outcome.modal is None


async def test_a_form_that_is_sent_after_the_end_changes_nothing(given: Given) -> None:
    it = await given()
    opened = await form(it)
    await it.goes_on()
    before = await it.events()

    assert "not possible at this point" in (await chooses(it, EVE, opened=opened))["to"]

    assert await it.events() == before
