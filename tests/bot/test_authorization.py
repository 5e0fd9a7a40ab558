"""Who may do what, as a table: everybody who can reach a button or a form, times everything that can be done with it.
What is refused changes nothing, and is told to nobody but the person who tried."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import Message, User, View
from bot.slack.bolt import bolt_app
from bot.views.negotiation import button_values
from bot.views.negotiation.button_values import CLOSE, CORRECT, DELEGATE, EDIT, PROCEED, REOPEN
from bot.views.negotiation.delegate_form import TO
from bot.views.negotiation.edit_form import DEMAND
from bot.views.negotiation.offer_form import CONTRIBUTION, DECISION, WHOM
from bot.views.negotiation.proceed_form import ANNOUNCE
from bot.views.negotiation.vote_forms import CHANGE, WHY, read_opened
from engine.kernel import Event
from engine.negotiation.answers import FeedbackType
from engine.negotiation.events import (
    DemandEdited,
    NegotiationReopened,
    OfferOverridden,
    PlanProceeded,
    ProposalFeedback,
    SeatDelegated,
)
from engine.negotiation.state import Status
from engine.negotiation.terms import Source
from engine.projections.audit import acts, acts_by
from engine.store.port import Store
from engine.store.sqlite import SqliteStore

from .conftest import Given
from .driver import (
    ACCEPT,
    ADMIN,
    AYA,
    BO,
    EVE,
    EVERYBODY,
    NEGOTIATE,
    STOP,
    WITHDRAW,
    YOU,
    Driver,
    nothing_changed,
    shows,
    text_of,
)
from .script import AGENT


@dataclass(frozen=True)
class Role:
    name: str
    user: str
    votes_for: str = ""
    """The one seat this person may vote for, by short name."""
    steers: bool = False
    """Whether they may stop the negotiation and close a round: who asked, and admins."""
    delegate: bool = False
    """Whether the linked person of their seat lets them decide for it."""
    home: str = ""
    """The team of somebody from outside, who reads along in a shared channel."""
    tenant: str = ""
    """The team that the payload names, where it is not ours."""


TABLE: Final = (
    Role("the requester", YOU, votes_for="chen", steers=True),
    Role("the linked person of a seat", AYA, votes_for="aya"),
    Role("another linked participant", BO, votes_for="bo"),
    Role("an admin", ADMIN, steers=True),
    Role("a delegate", EVE, votes_for="aya", delegate=True),
    Role("a stranger in the channel", EVE),
    Role("an external user of another team", EVE, home="T_PARTNER"),
    Role("an external user under the id of the requester", YOU, home="T_PARTNER"),
    Role("an external user under the id of a linked person", AYA, home="T_PARTNER"),
    Role("an external user under the id of an admin", ADMIN, home="T_PARTNER"),
    Role("another tenant under the id of an admin", ADMIN, tenant="T_ELSEWHERE"),
    Role("another tenant under the id of the requester", YOU, tenant="T_ELSEWHERE"),
    Role("another tenant under the id of the linked person", AYA, tenant="T_ELSEWHERE"),
)
LINKED: Final = ("aya", "bo")
UNLINKED: Final = ("chen",)
FORMS: Final = {"aya": AYA, "chen": YOU}
"""A linked seat, and one that belongs to no one here: for each, who can open its form."""

STEERED: Final = {STOP: Status.CANCELLED, CLOSE: Status.FINALIZED}
FIELDS: Final = {NEGOTIATE: (CHANGE, FeedbackType.NEGOTIATE), WITHDRAW: (WHY, FeedbackType.WITHDRAW)}

NO_SEAT: Final = "You have no seat in this proposal."
NOT_YOURS: Final = "That is for somebody else to decide, so nothing was changed."
NO_OFFER: Final = "None of these offers is yours to correct"
NOTHING_TO_DELEGATE: Final = "You have no seat here that you could let somebody else decide for"
NOT_FOUND: Final = "We cannot find this negotiation any more."

REPRESENTATIVES: Final = ("the requester", "the linked person of a seat", "a stranger in the channel")
"""Who tries every act through the product whenever tests run: whoever may, and somebody who may not. All the others
try it in the exhaustive suite; what the checks themselves say of every role is in tests/negotiation."""

everybody = pytest.mark.parametrize(
    "role",
    [
        pytest.param(each, id=each.name, marks=() if each.name in REPRESENTATIVES else pytest.mark.exhaustive)
        for each in TABLE
    ],
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """What a refusal must not change is what is on disk."""
    return SqliteStore(tmp_path / "towow.db")


@everybody
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


@everybody
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
    assert [await it.told(each) for each in EVERYBODY] == [[]] * len(EVERYBODY)


@everybody
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


@everybody
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


@everybody
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


@everybody
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


@everybody
@pytest.mark.parametrize("when", ["click", "form"])
async def test_whoever_asked_or_an_admin_says_the_demand_otherwise_and_nobody_else(
    given: Given, role: Role, when: str
) -> None:
    it = await given(linked=LINKED, alone=UNLINKED, held=("respond",))
    root = (await it.thread())[1]
    form = (await it.clicks(YOU, EDIT, card=root)).modal
    assert form is not None
    await arrives(it, role)
    before, thread = await it.events(), await it.thread()

    if when == "form":
        answer = await sends(it, role, form, {DEMAND: "A venue in Hamburg"})
        if role.steers:
            assert answer == {}
            assert [each.by for each in await it.happened(DemandEdited)] == [role.user]
            return
        assert (NOT_FOUND if role.tenant else NOT_YOURS) in answer["errors"][DEMAND]
        assert await on_record(it) == ([] if role.tenant else ["NotAllowed"])
    elif role.steers:
        await clicks(it, role, root, EDIT)
        assert role.user in {each.user for each in await forms(it)}
    else:
        async with nothing_changed(it, by=role.user, told=NOT_FOUND if role.tenant else NOT_YOURS):
            await clicks(it, role, root, EDIT)
        assert {each.user for each in await forms(it)} == {YOU}
    assert await it.events() == before
    assert await it.thread() == thread


@everybody
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


@everybody
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


@everybody
async def test_why_somebody_was_asked_is_for_them_and_their_delegate(given: Given, role: Role) -> None:
    it = await playing_with(given, role)
    is_theirs = role.votes_for == "aya"
    person = it.demo.person(role.user if is_theirs else AYA)
    card = next(each for each in await person.messages((await person.dm()).id) if "part-1/" in str(each.metadata))
    before = await it.events()

    if is_theirs:
        assert (await person.click(card.channel, card.ts, button_values.WHY)).acked
        assert [each.user for each in await forms(it)] == [role.user]
    else:
        await forges(it, role, card, button_values.WHY)
        assert await forms(it) == []
    assert await it.events() == before


@everybody
@pytest.mark.parametrize("when", ["click", "form"])
async def test_whoever_asked_or_an_admin_has_the_plan_carried_out_and_nobody_else(
    given: Given, role: Role, when: str
) -> None:
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

    if when == "form":
        answer = await sends(it, role, form, {ANNOUNCE: ANNOUNCE})
        if role.steers:
            assert answer == {}
            assert [(each.by, each.announce) for each in await it.happened(PlanProceeded)] == [(role.user, True)]
            return
        assert (NOT_FOUND if role.tenant else NOT_YOURS) in answer["errors"][ANNOUNCE]
        assert await on_record(it) == ([] if role.tenant else ["NotAllowed"])
    elif role.steers:
        await clicks(it, role, card, PROCEED)
        assert role.user in {each.user for each in await forms(it)}
    else:
        async with nothing_changed(it, by=role.user, told=NOT_FOUND if role.tenant else NOT_YOURS):
            await clicks(it, role, card, PROCEED)
        assert {each.user for each in await forms(it)} == {YOU}
    assert await it.events() == before
    assert await it.thread() == thread


@everybody
@pytest.mark.parametrize("when", ["click", "form"])
async def test_whoever_asked_or_an_admin_takes_up_again_what_has_failed_and_nobody_else(
    given: Given, role: Role, when: str
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

    if when == "form":
        answer = await sends(it, role, form, {DEMAND: "We need a smaller room"})
        if role.steers:
            assert answer == {}
            assert [(each.by, each.raw_input) for each in await it.happened(NegotiationReopened)] == [
                (role.user, "We need a smaller room")
            ]
            await it.settles()
            assert await it.begun() == 2
            return
        assert (NOT_FOUND if role.tenant else NOT_YOURS) in answer["errors"][DEMAND]
        assert await on_record(it) == ([] if role.tenant else ["NotAllowed"])
    elif role.steers:
        await clicks(it, role, card, REOPEN)
        assert role.user in {each.user for each in await forms(it)}
    else:
        async with nothing_changed(it, by=role.user, told=NOT_FOUND if role.tenant else NOT_YOURS):
            await clicks(it, role, card, REOPEN)
        assert {each.user for each in await forms(it)} == {YOU}
    assert await it.events() == before
    assert await it.thread() == thread


@everybody
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


async def collecting(given: Given, alone: Sequence[str] = UNLINKED) -> Driver:
    """Wait until every twin has offered and the first proposal is in the making."""
    it = await given(linked=LINKED, alone=alone, held=("aggregate",))
    await it.stands(Status.AGGREGATING)
    return it


async def playing_with(given: Given, role: Role) -> Driver:
    it = await given(linked=LINKED, alone=UNLINKED)
    await arrives(it, role)
    return it


async def arrives(it: Driver, role: Role) -> None:
    """Return the workspace that a role comes from."""
    if role.home:
        guest = User(id=role.user, name="guest", real_name="A Guest", team_id=role.home)
        await it.demo.workspace.admin.put_user(guest)
    if role.delegate:
        named = Role("who names them", AYA)
        view = {
            "id": "V_NAMED",
            "hash": "1",
            "type": "modal",
            "callback_id": DELEGATE,
            "private_metadata": button_values.SeatButton(stream=it.key.stream, agent_id=AGENT + role.votes_for).value(),
            "state": {"values": {TO: {TO: _entered(TO, role.user)}}},
        }
        assert await dispatched(it, named, {"type": "view_submission", "view": view, "response_urls": []}) == {}


async def forms(it: Driver) -> list[View]:
    """Return all open forms, whoever looks at them."""
    return [form for each in EVERYBODY for form in await it.demo.person(each).modals()]


async def on_record(it: Driver) -> list[str]:
    """Return the kinds of refusals, and check that nothing has begun for anybody else meanwhile."""
    assert await it.begun() == 1
    return await it.refusals()


async def votes_since(before: Sequence[Event], it: Driver) -> list[tuple[str, FeedbackType, str]]:
    """Return what people voted after these events: whose seat, how, and by whom."""
    events = await it.events()
    assert events[: len(before)] == before
    votes = [each for each in events[len(before) :] if isinstance(each, ProposalFeedback)]
    assert all(each.source is Source.HUMAN for each in votes)
    return [(each.agent_id.removeprefix(AGENT), each.feedback_type, each.by or "") for each in votes]


async def clicks(it: Driver, role: Role, card: Message, action: str) -> None:
    """Act in their own client; another tenant has none here, so its payload is written out."""
    if not role.tenant:
        assert (await it.clicks(role.user, action, card=card)).acked
        return
    await forges(it, role, card, action)


async def forges(it: Driver, role: Role, card: Message, action: str) -> None:
    """Click on a card that may be somebody else's, as no client would."""
    elements = (each for block in card.blocks for each in block.get("elements", ()))
    button = next(each for each in elements if each.get("action_id") == action)
    where = {"channel_id": card.channel, "message_ts": card.ts, "thread_ts": card.thread_ts, "is_ephemeral": False}
    await dispatched(
        it,
        role,
        {
            "type": "block_actions",
            "container": {"type": "message", **where},
            "channel": {"id": card.channel, "name": "general"},
            "message": {"ts": card.ts, "thread_ts": card.thread_ts, "text": card.text},
            "actions": [button | {"action_ts": "1.1"}],
        },
    )


async def sends(it: Driver, role: Role, form: View, filled_in: Mapping[str, str]) -> dict[str, Any]:
    """Send somebody's form signed by this person, as no client would; return what it is answered."""
    values = {name: {name: _entered(name, said)} for name, said in filled_in.items()}
    shape = form.model_dump(mode="json") | {"state": {"values": values}}
    return await dispatched(it, role, {"type": "view_submission", "view": shape, "response_urls": []})


def _entered(name: str, said: str) -> dict[str, Any]:
    match name:
        case str() if name in (DECISION, WHOM):
            return {"type": "radio_buttons", "selected_option": {"value": said}}
        case str() if name == TO:
            return {"type": "users_select", "selected_user": said}
        case str() if name == ANNOUNCE:
            return {"type": "checkboxes", "selected_options": [{"value": said}]}
        case _:
            return {"type": "plain_text_input", "value": said}


async def dispatched(it: Driver, role: Role, payload: dict[str, Any]) -> dict[str, Any]:
    workspace = it.demo.workspace
    team = role.tenant or workspace.team_id
    who = {
        "team": {"id": team, "domain": "somewhere"},
        "user": {"id": role.user, "name": role.user.lower(), "team_id": role.home or team},
        "api_app_id": "A_TOWOW",
        "token": "none",
        "trigger_id": "1.1",
    }
    client = AsyncWebClient(workspace.bot_token, workspace.api_url)
    app = bolt_app(client, it.demo.towow.services, protocols=it.protocols)
    response = await app.async_dispatch(AsyncBoltRequest(body=who | payload, mode="socket_mode"))
    assert response.status == 200
    await it.settles()
    answer: dict[str, Any] = json.loads(response.body or "{}")
    return answer
