"""Who may do what: everybody who could click, and forged clicks and forms of theirs."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import pytest
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import Message, User, View
from bot.slack.bolt import bolt_app
from bot.views.kit.menu import buttons_in
from bot.views.negotiation import button_values
from bot.views.negotiation.button_values import CLOSE, DELEGATE
from bot.views.negotiation.offers.offer_form import DECISION, WHOM
from bot.views.negotiation.voting.vote_forms import WHY
from bot.views.negotiation.voting.wish_fields import CHANGE
from engine.kernel import Event
from engine.negotiation.events import (
    ProposalFeedback,
)
from engine.negotiation.state import Status
from engine.negotiation.terms import Source
from engine.negotiation.voting.kinds import FeedbackType

from .conftest import Given
from .driver import (
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
    elements_of,
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

TO, ANNOUNCE = "to", "announce"
"""Fields of the forms of *Delegate* and *Proceed*."""

NO_SEAT: Final = "You have no part in this proposal."
NOT_YOURS: Final = "That is for somebody else to decide, so nothing was changed."
NO_OFFER: Final = "None of these offers is yours to correct"
NOTHING_TO_DELEGATE: Final = "You have no part here that you could let somebody else decide for"
NOT_FOUND: Final = "We cannot find this negotiation any more. If it still matters, ask anew."

REQUESTER: Final = "the requester"
SEATED: Final = "the linked person of a seat"
STRANGER: Final = "a stranger in the channel"


def roles(*always: str, among: Iterable[Role] = TABLE) -> pytest.MarkDecorator:
    """Let everybody try an act through the product. All but some do so in the exhaustive suite only; what the checks
    themselves say of every role is in tests/negotiation and tests/delivery.

    Args:
        always: the names of those who try it whenever tests run: whoever may, and somebody who may not.
    """
    return pytest.mark.parametrize(
        "role",
        [
            pytest.param(each, id=each.name, marks=() if each.name in always else pytest.mark.exhaustive)
            for each in among
        ],
    )


everybody = roles(REQUESTER, SEATED, STRANGER)


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


async def forges(
    it: Driver,
    role: Role,
    card: Message,
    action: str,
    *,
    as_action: str = "",
    written: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Click on a card that may be somebody else's, as no client would.

    Args:
        as_action: what is forged, with the value of a button that is there.
        written: what was entered on the card.
    """
    found = buttons_in(elements_of(card))
    button = {**next(each for each in found if each.get("action_id") == action), "action_id": as_action or action}
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
            "state": {"values": written},
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
