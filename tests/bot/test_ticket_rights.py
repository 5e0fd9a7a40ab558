"""Who may act on a person's ticket: everybody who could click, and forged clicks and forms of theirs."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

from bot.local_slack import Message, User
from bot.views.delivery.button_values import (
    AGREE,
    BLOCK,
    DECLINE,
    FINISH,
    HAND_OVER,
    START,
    SUGGEST,
    TAKE,
    OwnTicketButton,
)

from .conftest import Begin
from .driver import ADMIN, EVE, EVERYBODY, YOU
from .roles import SEATED, STRANGER, TABLE, Role, dispatched, roles
from .ticketing import AYA, BO, Delivering, delivering, task

OWNERS_ACTS: Final = (START, BLOCK, FINISH, HAND_OVER)
PROPOSALS_ACTS: Final = (AGREE, SUGGEST)
TAKERS_ACTS: Final = (TAKE, DECLINE)
SAID: Final = {
    BLOCK: {"text": "No key"},
    FINISH: {"shown-1": "Here it is"},
    HAND_OVER: {"to": EVE},
    SUGGEST: {"text": "Otherwise"},
}
"""What is filled in where a form follows."""

IN_PERSON: Final = [each for each in TABLE if not each.delegate]


def is_from_here(role: Role) -> bool:
    return not role.home and not role.tenant


def may_work(role: Role) -> bool:
    return is_from_here(role) and role.user in (AYA, YOU, ADMIN)


async def arrives(it: Delivering, role: Role) -> None:
    if role.home:
        guest = User(id=role.user, name="guest", real_name="A Guest", team_id=role.home)
        await it.it.demo.workspace.admin.put_user(guest)


async def forges(it: Delivering, role: Role, card: Message, action: str, *, may: bool) -> None:
    """Click a button of somebody's direct message, and send the form that follows, as no client would.

    Where somebody may not, no form opens: one would be refused by Slack, for its trigger is none.
    """
    value = OwnTicketButton(stream=it.key.stream, ticket="T-1", number=1).value()
    if action not in SAID or not may:
        await dispatched(it.it, role, click(card, action, value))
    if action in SAID:
        await dispatched(it.it, role, submission(action, value, SAID[action]))


def click(card: Message, action: str, value: str) -> dict[str, Any]:
    where = {"channel_id": card.channel, "message_ts": card.ts, "is_ephemeral": False}
    return {
        "type": "block_actions",
        "container": {"type": "message", **where},
        "channel": {"id": card.channel, "name": "directmessage"},
        "message": {"ts": card.ts, "text": card.text},
        "actions": [{"type": "button", "action_id": action, "value": value, "action_ts": "1.1"}],
    }


def submission(action: str, value: str, said: dict[str, str]) -> dict[str, Any]:
    values = {name: {name: _entered(name, text)} for name, text in said.items()}
    view = {"id": "V_FORGED", "hash": "1", "type": "modal", "callback_id": action, "private_metadata": value}
    return {"type": "view_submission", "view": view | {"state": {"values": values}}, "response_urls": []}


def _entered(name: str, text: str) -> dict[str, str]:
    if name == "to":
        return {"type": "users_select", "selected_user": text}
    return {"type": "plain_text_input", "value": text}


@roles(SEATED, STRANGER, among=IN_PERSON)
@pytest.mark.parametrize("action", OWNERS_ACTS)
async def test_only_whoever_has_a_ticket_or_leads_works_on_it(driver: Begin, role: Role, action: str) -> None:
    it = await delivering(driver)
    await arrives(it, role)
    before = await it.events()

    await forges(it, role, (await it.direct(AYA))["ticket-T-1-1"], action, may=may_work(role))

    assert (len(await it.events()) > len(before)) == may_work(role)


@roles(SEATED, STRANGER, among=IN_PERSON)
@pytest.mark.parametrize("action", PROPOSALS_ACTS)
async def test_only_whoever_has_a_ticket_or_leads_answers_its_proposal(driver: Begin, role: Role, action: str) -> None:
    it = await delivering(driver, task(needs_proposal=True))
    await arrives(it, role)
    before = await it.events()

    await forges(it, role, (await it.direct(AYA))["proposal-T-1-1/U_AYA"], action, may=may_work(role))

    assert (len(await it.events()) > len(before)) == may_work(role)


@roles(SEATED, STRANGER, among=IN_PERSON)
@pytest.mark.parametrize("action", TAKERS_ACTS)
async def test_only_whoever_is_asked_takes_or_declines(driver: Begin, role: Role, action: str) -> None:
    it = await delivering(driver)
    await it.sends(AYA, await it.form(AYA, HAND_OVER), to=BO)
    await arrives(it, role)
    before = await it.events()

    await forges(it, role, (await it.direct(BO))["take-T-1-1"], action, may=False)

    assert (len(await it.events()) > len(before)) == (is_from_here(role) and role.user == BO)


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({"ticket": "T-9"}, id="no such ticket"),
        pytest.param({"stream": "deliver-9"}, id="no such delivery"),
        pytest.param({"stream": "../deliver-1"}, id="no name of a stream"),
        pytest.param({"ticket": "x" * 500}, id="a long name"),
    ],
)
async def test_a_value_that_we_never_gave_changes_nothing(driver: Begin, value: dict[str, Any]) -> None:
    it = await delivering(driver)
    card, before = (await it.direct(AYA))["ticket-T-1-1"], await it.events()
    forged = json.dumps({"stream": it.key.stream, "ticket": "T-1", "number": 1} | value)
    aya = Role("whoever has it", AYA)

    for action in (*OWNERS_ACTS, *PROPOSALS_ACTS, *TAKERS_ACTS):
        await dispatched(it.it, aya, click(card, action, forged))
        if action in SAID:
            await dispatched(it.it, aya, submission(action, forged, SAID[action]))

        assert await it.events() == before


async def test_what_somebody_else_tries_is_on_record_and_told_to_nobody_else(driver: Begin) -> None:
    it = await delivering(driver)
    await forges(it, Role("a stranger", EVE), (await it.direct(AYA))["ticket-T-1-1"], START, may=False)
    assert len(await it.refusals()) == 1
    assert [[*await it.direct(each)] for each in EVERYBODY if each != AYA] == [[]] * (len(EVERYBODY) - 1)


@pytest.mark.parametrize("action", [BLOCK, FINISH, SUGGEST])
@pytest.mark.parametrize(
    "text", [pytest.param("x" * 10_000, id="10,000 characters"), pytest.param(" \n\u3000", id="blanks")]
)
async def test_a_text_that_no_client_sends_stays_in_its_form_and_changes_nothing(
    driver: Begin, action: str, text: str
) -> None:
    it = await delivering(driver, task(needs_proposal=action == SUGGEST))
    before = await it.events()
    [field] = SAID[action]
    value = OwnTicketButton(stream=it.key.stream, ticket="T-1", number=1).value()

    answer = await dispatched(it.it, Role("whoever has it", AYA), submission(action, value, {field: text}))

    assert answer["response_action"] == "errors"
    assert [*answer["errors"]] == [field]
    assert await it.events() == before
