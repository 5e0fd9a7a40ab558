"""Who may do what, as a table: everybody who can reach a button or a form, times everything that can be done with it.
What is refused changes nothing, and is told to nobody but the person who tried."""

import json
from pathlib import Path

import pytest

from bot.views.negotiation import button_values
from bot.views.negotiation.action_forms import HOW
from bot.views.negotiation.button_values import CORRECT, DELEGATE, EDIT, PROCEED, REOPEN
from bot.views.negotiation.demand.demand_form import DEMAND
from bot.views.negotiation.offers.offer_form import CONTRIBUTION, DECISION, WHOM
from bot.views.negotiation.voting.vote_forms import read_opened
from engine.negotiation.events import (
    DemandEdited,
    NegotiationReopened,
    OfferOverridden,
    PlanProceeded,
    SeatDelegated,
)
from engine.negotiation.state import Status
from engine.negotiation.terms import Source
from engine.negotiation.voting.kinds import FeedbackType
from engine.projections.audit import acts, acts_by
from engine.store.port import Store
from engine.store.sqlite import SqliteStore

from .conftest import Given
from .driver import (
    ACCEPT,
    ADMIN,
    AYA,
    NEGOTIATE,
    STOP,
    WITHDRAW,
    YOU,
    nothing_changed,
    presses,
    shows,
    text_of,
)
from .roles import (
    ANNOUNCE,
    FIELDS,
    FORMS,
    LINKED,
    NO_OFFER,
    NO_SEAT,
    NOT_FOUND,
    NOT_YOURS,
    NOTHING_TO_DELEGATE,
    REQUESTER,
    SEATED,
    STEERED,
    STRANGER,
    TO,
    UNLINKED,
    Role,
    arrives,
    clicks,
    collecting,
    forges,
    forms,
    on_record,
    playing_with,
    roles,
    sends,
    votes_since,
)
from .script import AGENT


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """What a refusal must not change is what is on disk."""
    return SqliteStore(tmp_path / "towow.db")


@roles(SEATED, STRANGER)
@pytest.mark.parametrize("action", [ACCEPT, NEGOTIATE, WITHDRAW])
async def test_a_click_votes_for_the_seat_of_whoever_clicks_and_for_no_other(
    given: Given, role: Role, action: str
) -> None:
    it = await playing_with(given, role)
    card = await it.card()
    before = await it.events()

    if not role.votes_for:
        async with nothing_changed(it, by=role.user, told=NOT_FOUND if role.tenant else NO_SEAT):
            await clicks(it, role, card, action)
        assert await forms(it) == []
        assert await on_record(it) == ([] if role.tenant else ["NotAllowed"])
        return

    await clicks(it, role, card, action)
    if action == ACCEPT:
        assert await votes_since(before, it) == [(role.votes_for, FeedbackType.ACCEPT, role.user)]
        assert await forms(it) == []
    else:
        assert await it.events() == before
        [form] = await forms(it)
        assert form.user == role.user
        assert read_opened(form.model_dump()).agent_id == AGENT + role.votes_for
    assert await it.told(role.user) == []
    assert await on_record(it) == []


@roles(REQUESTER, SEATED)
@pytest.mark.parametrize("action", FIELDS)
@pytest.mark.parametrize("seat", [pytest.param("aya", id="a linked seat"), pytest.param("chen", id="an unlinked seat")])
async def test_a_form_counts_only_from_the_hand_of_its_seat(given: Given, role: Role, action: str, seat: str) -> None:
    it = await given(linked=LINKED, alone=UNLINKED)
    form = (await it.clicks(FORMS[seat], action)).modal
    assert form is not None
    await arrives(it, role)
    before, thread = await it.events(), await it.thread()
    field, vote = FIELDS[action]

    answer = await sends(it, role, form, {field: "Only until ten"})

    if role.votes_for == seat:
        assert answer == {}
        assert await votes_since(before, it) == [(seat, vote, role.user)]
        assert await on_record(it) == []
    else:
        # What stands beside a field is read by whoever sent the form, and by nobody else.
        assert answer["response_action"] == "errors"
        assert (NOT_FOUND if role.tenant else NOT_YOURS) in answer["errors"][field]
        assert await it.events() == before
        assert await it.thread() == thread
        assert await on_record(it) == ([] if role.tenant else ["NotAllowed"])
    assert not any((await it.whispers()).values())


@roles(REQUESTER, STRANGER)
@pytest.mark.parametrize("action", STEERED)
async def test_whoever_asked_steers_and_nobody_else_does(given: Given, role: Role, action: str) -> None:
    it = await playing_with(given, role)
    root = (await it.thread())[1]

    if role.steers:
        await clicks(it, role, root, action)
        await it.stands(STEERED[action])
        assert await it.told(role.user) == []
        return

    async with nothing_changed(it, by=role.user, told=NOT_FOUND if role.tenant else NOT_YOURS):
        await clicks(it, role, root, action)
    await it.stands(Status.NEGOTIATING, round=1)
    assert await on_record(it) == ([] if role.tenant else ["NotAllowed"])


@roles(SEATED, STRANGER)
async def test_a_click_corrects_the_offer_of_whoever_clicks_and_no_other(given: Given, role: Role) -> None:
    it = await collecting(given)
    await arrives(it, role)

    if not role.votes_for:
        async with nothing_changed(it, by=role.user, told=NOT_FOUND if role.tenant else NO_OFFER):
            await clicks(it, role, (await it.thread())[2], CORRECT)
        assert await forms(it) == []
        return

    await clicks(it, role, (await it.thread())[2], CORRECT)
    [form] = await forms(it)
    assert form.user == role.user
    assert json.loads(form.private_metadata)["agent_id"] == AGENT + role.votes_for
    assert await it.told(role.user) == []


@roles(REQUESTER, SEATED)
@pytest.mark.parametrize("seat", [pytest.param("aya", id="a linked seat"), pytest.param("chen", id="an unlinked seat")])
async def test_an_offer_is_corrected_only_by_the_hand_of_its_seat(given: Given, role: Role, seat: str) -> None:
    it = await collecting(given)
    form = (await it.clicks(FORMS[seat], CORRECT, card=(await it.thread())[2])).modal
    assert form is not None
    await arrives(it, role)
    before, thread = await it.events(), await it.thread()

    answer = await sends(it, role, form, {DECISION: "participate", CONTRIBUTION: "Only until ten"})

    if role.votes_for == seat:
        assert answer == {}
        [corrected] = await it.happened(OfferOverridden)
        assert (corrected.agent_id, corrected.by) == (AGENT + seat, role.user)
        assert "Only until ten" in text_of((await it.thread())[2])
        assert await on_record(it) == []
    else:
        assert answer["response_action"] == "errors"
        assert (NOT_FOUND if role.tenant else NO_OFFER) in answer["errors"][DECISION]
        assert await it.events() == before
        assert await it.thread() == thread
        assert await on_record(it) == ([] if role.tenant else ["NotAllowed"])


@roles(REQUESTER, STRANGER)
async def test_whoever_may_answer_for_several_chooses_among_those_and_no_others(given: Given, role: Role) -> None:
    it = await collecting(given, alone=("chen", "dee"))
    form = (await it.clicks(YOU, CORRECT, card=(await it.thread())[2])).modal
    assert form is not None
    assert [each["value"] for each in form.blocks[0]["element"]["options"]] == [f"{AGENT}chen", f"{AGENT}dee"]
    await arrives(it, role)
    before = await it.events()

    answer = await sends(it, role, form, {WHOM: f"{AGENT}dee"})

    if role.user == YOU and role.votes_for:
        assert answer["response_action"] == "update"
        assert json.loads(answer["view"]["private_metadata"])["agent_id"] == f"{AGENT}dee"
    else:
        assert answer["response_action"] == "errors"
        assert (NOT_FOUND if role.tenant else NO_OFFER) in answer["errors"][WHOM]
    assert await it.events() == before


@roles(REQUESTER, STRANGER)
async def test_whoever_asked_or_an_admin_says_the_demand_otherwise_and_nobody_else(given: Given, role: Role) -> None:
    it = await given(linked=LINKED, alone=UNLINKED, held=("respond",))
    root = (await it.thread())[1]
    form = (await it.clicks(YOU, EDIT, card=root)).modal
    assert form is not None
    await arrives(it, role)
    before, thread = await it.events(), await it.thread()

    if role.steers:
        await clicks(it, role, root, EDIT)
        assert role.user in {each.user for each in await forms(it)}
        assert await it.events() == before
        answer = await sends(it, role, form, {DEMAND: "A venue in Hamburg"})
        assert answer == {}
        assert [each.by for each in await it.happened(DemandEdited)] == [role.user]
        return

    async with nothing_changed(it, by=role.user, told=NOT_FOUND if role.tenant else NOT_YOURS):
        await clicks(it, role, root, EDIT)
    assert {each.user for each in await forms(it)} == {YOU}
    answer = await sends(it, role, form, {DEMAND: "A venue in Hamburg"})
    assert (NOT_FOUND if role.tenant else NOT_YOURS) in answer["errors"][DEMAND]
    assert await on_record(it) == ([] if role.tenant else ["NotAllowed"])
    assert await it.events() == before
    assert await it.thread() == thread


@roles(REQUESTER, SEATED)
async def test_only_whose_seat_it_is_lets_somebody_else_decide_for_it(given: Given, role: Role) -> None:
    """Also not the delegate, nor whoever votes for a seat that belongs to nobody."""
    it = await collecting(given)
    await arrives(it, role)
    before, offers = await it.events(), (await it.thread())[2]
    own = role.votes_for in LINKED and not role.delegate

    if not own:
        async with nothing_changed(it, by=role.user, told=NOT_FOUND if role.tenant else NOTHING_TO_DELEGATE):
            await clicks(it, role, offers, DELEGATE)
        assert await forms(it) == []
    else:
        await clicks(it, role, offers, DELEGATE)
        [form] = await forms(it)
        assert (form.user, json.loads(form.private_metadata)["agent_id"]) == (role.user, AGENT + role.votes_for)
    assert await it.events() == before


@roles(SEATED, STRANGER)
async def test_a_delegate_is_named_only_by_the_hand_of_the_seat(given: Given, role: Role) -> None:
    it = await collecting(given)
    form = (await it.clicks(AYA, DELEGATE, card=(await it.thread())[2])).modal
    assert form is not None
    await arrives(it, role)
    before = await it.events()

    answer = await sends(it, role, form, {TO: ADMIN})

    if role.votes_for == "aya" and not role.delegate:
        assert answer == {}
        [named] = await it.happened(SeatDelegated)
        assert (named.agent_id, named.by, named.to) == (f"{AGENT}aya", AYA, ADMIN)
        assert await on_record(it) == []
    else:
        assert (NOT_FOUND if role.tenant else NOTHING_TO_DELEGATE) in answer["errors"][TO]
        assert await it.events() == before
        assert await on_record(it) == ([] if role.tenant else ["NotAllowed"])


@roles(SEATED, STRANGER)
async def test_why_somebody_was_asked_is_for_them_and_their_delegate(given: Given, role: Role) -> None:
    it = await playing_with(given, role)
    is_theirs = role.votes_for == "aya"
    person = it.demo.person(role.user if is_theirs else AYA)
    card = next(each for each in await person.messages((await person.dm()).id) if "part-1/" in str(each.metadata))
    before = await it.events()

    if is_theirs:
        assert (await presses(person, card, button_values.WHY)).acked
        assert [each.user for each in await forms(it)] == [role.user]
    else:
        await forges(it, role, card, button_values.WHY)
        assert await forms(it) == []
    assert await it.events() == before


@roles(REQUESTER, STRANGER)
async def test_whoever_asked_or_an_admin_has_the_plan_carried_out_and_nobody_else(given: Given, role: Role) -> None:
    it = await given(linked=LINKED, alone=UNLINKED)
    if role.delegate:
        await arrives(it, role)
    await it.goes_on()
    card = next(each for each in await it.thread() if shows(each, PROCEED))
    form = (await it.clicks(YOU, PROCEED, card=card)).modal
    assert form is not None
    if not role.delegate:
        await arrives(it, role)
    before, thread = await it.events(), await it.thread()

    if role.steers:
        await clicks(it, role, card, PROCEED)
        assert role.user in {each.user for each in await forms(it)}
        assert await it.events() == before
        answer = await sends(it, role, form, {ANNOUNCE: ANNOUNCE})
        assert answer == {}
        assert [(each.by, each.announce) for each in await it.happened(PlanProceeded)] == [(role.user, True)]
        return

    async with nothing_changed(it, by=role.user, told=NOT_FOUND if role.tenant else NOT_YOURS):
        await clicks(it, role, card, PROCEED)
    assert {each.user for each in await forms(it)} == {YOU}
    answer = await sends(it, role, form, {ANNOUNCE: ANNOUNCE})
    assert (NOT_FOUND if role.tenant else NOT_YOURS) in answer["errors"][HOW]
    assert await on_record(it) == ([] if role.tenant else ["NotAllowed"])
    assert await it.events() == before
    assert await it.thread() == thread


@roles(REQUESTER, STRANGER)
async def test_whoever_asked_or_an_admin_takes_up_again_what_has_failed_and_nobody_else(
    given: Given, role: Role
) -> None:
    it = await given(linked=LINKED, alone=UNLINKED, twins={(each, 1): "reject" for each in (*LINKED, *UNLINKED)})
    if role.delegate:
        await arrives(it, role)
    await it.goes_on()
    card = next(each for each in await it.thread() if shows(each, REOPEN))
    form = (await it.clicks(YOU, REOPEN, card=card)).modal
    assert form is not None
    if not role.delegate:
        await arrives(it, role)
    before, thread = await it.events(), await it.thread()

    if role.steers:
        await clicks(it, role, card, REOPEN)
        assert role.user in {each.user for each in await forms(it)}
        assert await it.events() == before
        answer = await sends(it, role, form, {DEMAND: "We need a smaller room"})
        assert answer == {}
        assert [(each.by, each.raw_input) for each in await it.happened(NegotiationReopened)] == [
            (role.user, "We need a smaller room")
        ]
        await it.settles()
        assert await it.begun() == 2
        return

    async with nothing_changed(it, by=role.user, told=NOT_FOUND if role.tenant else NOT_YOURS):
        await clicks(it, role, card, REOPEN)
    assert {each.user for each in await forms(it)} == {YOU}
    answer = await sends(it, role, form, {DEMAND: "We need a smaller room"})
    assert (NOT_FOUND if role.tenant else NOT_YOURS) in answer["errors"][DEMAND]
    assert await on_record(it) == ([] if role.tenant else ["NotAllowed"])
    assert await it.events() == before
    assert await it.thread() == thread


@roles(REQUESTER, SEATED, STRANGER)
async def test_every_act_is_in_the_trail_with_who_it_was(given: Given, role: Role) -> None:
    """Also the refused ones; and what somebody of another tenant did is nothing of ours."""
    it = await playing_with(given, role)
    card, root = await it.card(), (await it.thread())[1]

    await clicks(it, role, card, ACCEPT)
    await clicks(it, role, root, STOP)

    who = f"{role.user}@{role.home}" if role.home else role.user
    trail = await acts(it.demo.towow.store, it.key.tenant, it.key.stream)
    assert [(each.act, each.by) for each in trail] == [
        ("demand", YOU),
        *([("delegate", AYA)] if role.delegate else []),
        *([] if role.tenant else [("vote", who), ("stop", who)]),
    ]
    if not role.tenant:
        [*_, vote, stop] = trail
        assert vote.refused == ("" if role.votes_for else "NotAllowed")
        assert stop.refused == ("" if role.steers else "NotAllowed")
        assert stop.as_admin is (who == ADMIN)
        if role.votes_for:
            assert vote.agent_id == AGENT + role.votes_for
            assert vote.replaced is not None
            assert vote.replaced.source == Source.AGENT
            assert await acts_by(it.demo.towow.store, it.key.tenant, who) == [each for each in trail if each.by == who]
