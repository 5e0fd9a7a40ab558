"""Who may lead a delivery: everybody who could click, times every act, with forged clicks and forms of theirs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import pytest

from bot.local_slack import Message, User
from bot.views.delivery.button_values import (
    ADD,
    ALLOW_ONCE,
    ALLOW_TICKET,
    ANSWER,
    APPROVE,
    BUDGET,
    CHANGES,
    DROP,
    OWNER,
    REFUSE,
    RESET,
    STOP,
    TICKET,
    TICKETS,
    TicketButton,
)
from bot.views.delivery.forms_leading import PERSON, TEXT, TITLE, TOKENS
from bot.views.delivery.forms_owning import ACTION, WHICH
from bot.views.kit.button_values import StreamButton
from engine.delivery.commands import BlockTicket

from .conftest import Begin
from .driver import EVE, EVERYBODY, YOU
from .leading import AGENT, DIGEST, STRICT, Led, asking, led
from .roles import REQUESTER, STRANGER, TABLE, Role, dispatched, roles
from .ticketing import AYA, task

CLICKED: Final = (STOP, ALLOW_ONCE, ALLOW_TICKET, REFUSE, APPROVE, RESET)
"""What happens at the click."""
OPENED: Final = (ADD, TICKETS, BUDGET, OWNER, DROP, CHANGES, ANSWER)
"""What opens a form."""
SENT: Final[Mapping[str, Mapping[str, Any]]] = {
    ADD: {TITLE: {"value": "One more"}},
    BUDGET: {TOKENS: {"value": "100"}},
    OWNER: {PERSON: {"selected_user": EVE}},
    DROP: {TEXT: {"value": ""}},
    CHANGES: {TEXT: {"value": "A bigger one"}},
    ANSWER: {TEXT: {"value": "The big one"}},
    TICKET: {ACTION: {"selected_option": {"value": RESET}}},
}
"""What is filled in, by form."""
OF_THE_WHOLE: Final = (STOP, ADD, TICKETS, BUDGET)

LEADER: Final = Role("the requester", YOU)

IN_PERSON: Final = [each for each in TABLE if not each.delegate]
LEADERS: Final = [each for each in IN_PERSON if each.steers]
OTHERS: Final = [each for each in IN_PERSON if not each.steers]


async def standing(driver: Begin, action: str) -> Led:
    """A delivery in which a leader could do this."""
    if action in (ALLOW_ONCE, ALLOW_TICKET, REFUSE):
        return await led(driver, task(owner=AGENT), outcomes=[asking()])
    if action in (APPROVE, CHANGES):
        return await led(driver, task(owner=AGENT), task("guests"))
    if action in (RESET, TICKET):
        return await led(driver, task(owner=AGENT), task("guests"), outcomes=[{"failure": "timeout"}], policy=STRICT)
    it = await led(driver, task(), task("guests"))
    if action == ANSWER:
        await it.does(BlockTicket, by=AYA, ticket_id="T-1", why="Which room?")
    return it


def value_of(action: str) -> str:
    if action in OF_THE_WHOLE:
        return StreamButton(stream="deliver-1").value()
    return TicketButton(stream="deliver-1", ticket="T-1", digest=DIGEST).value()


def click(card: Message, action: str) -> dict[str, Any]:
    where = {"channel_id": card.channel, "message_ts": card.ts, "thread_ts": card.thread_ts, "is_ephemeral": False}
    return {
        "type": "block_actions",
        "container": {"type": "message", **where},
        "channel": {"id": card.channel, "name": "general"},
        "message": {"ts": card.ts, "thread_ts": card.thread_ts, "text": card.text},
        "actions": [{"type": "button", "action_id": action, "value": value_of(action), "action_ts": "1.1"}],
    }


def submission(action: str, values: Mapping[str, Any]) -> dict[str, Any]:
    view = {"id": "V_FORGED", "hash": "1", "type": "modal", "callback_id": action, "private_metadata": value_of(action)}
    state = {"values": {name: {name: each} for name, each in values.items()}}
    return {"type": "view_submission", "view": view | {"state": state}, "response_urls": []}


async def arrives(it: Led, role: Role) -> None:
    if role.home:
        guest = User(id=role.user, name="guest", real_name="A Guest", team_id=role.home)
        await it.it.demo.workspace.admin.put_user(guest)


async def is_unchanged(it: Led, before: Any, role: Role) -> None:
    """Nothing happened, and nobody but the person who tried was told anything."""
    assert await it.events() == before
    others = {*EVERYBODY} - {role.user}
    assert [await it.private(each) for each in others] == [[]] * len(others)
    assert [await it.it.demo.person(each).modals() for each in EVERYBODY] == [[]] * len(EVERYBODY)


@roles(REQUESTER, among=LEADERS)
@pytest.mark.parametrize("action", CLICKED)
async def test_whoever_asked_and_admins_decide_with_a_click(driver: Begin, role: Role, action: str) -> None:
    it = await standing(driver, action)
    before = await it.events()

    await dispatched(it.it, role, click((await it.posts())["board"], action))

    assert len(await it.events()) > len(before)


@roles(REQUESTER, among=LEADERS)
@pytest.mark.parametrize("action", SENT)
async def test_a_form_counts_from_the_hand_of_a_leader(driver: Begin, role: Role, action: str) -> None:
    it = await standing(driver, action)
    before = await it.events()

    assert await dispatched(it.it, role, submission(action, SENT[action])) == {}

    assert len(await it.events()) > len(before)


@roles(STRANGER, among=OTHERS)
@pytest.mark.parametrize("at", [ALLOW_ONCE, APPROVE, RESET, ANSWER])
async def test_nobody_else_decides_opens_a_form_or_has_one_counted(driver: Begin, role: Role, at: str) -> None:
    it = await standing(driver, at)
    await arrives(it, role)
    before, board = await it.events(), (await it.posts())["board"]

    for tried, action in enumerate((*CLICKED, *OPENED), 1):
        await dispatched(it.it, role, click(board, action))
        await is_unchanged(it, before, role)
        assert len(await it.private(role.user)) == tried
    for action, values in SENT.items():
        answer = await dispatched(it.it, role, submission(action, values))
        assert answer["response_action"] in ("errors", "update")
        await is_unchanged(it, before, role)
    assert {*await it.refusals()} == (set() if role.tenant else {"NotAllowed"})


@roles(REQUESTER, STRANGER, among=IN_PERSON)
async def test_a_ticket_is_looked_at_through_the_form_by_leaders_only(driver: Begin, role: Role) -> None:
    it = await standing(driver, TICKETS)
    await arrives(it, role)

    answer = await dispatched(it.it, role, submission(TICKETS, {WHICH: {"selected_option": {"value": "T-1"}}}))

    if role.steers:
        assert answer["response_action"] == "update"
        assert answer["view"]["callback_id"] == TICKET
    else:
        assert "Do room" not in str(answer)


async def test_a_delivery_that_is_none_is_said_to_be_none(driver: Begin) -> None:
    it = await standing(driver, STOP)
    board = (await it.posts())["board"]
    payload = click(board, STOP)
    payload["actions"][0]["value"] = StreamButton(stream="deliver-none").value()

    await dispatched(it.it, Role("the requester", "U_YOU"), payload)

    assert await it.private("U_YOU") == ["We cannot find this delivery any more. If it still matters, begin it anew."]


@pytest.mark.parametrize("action", [CHANGES, ANSWER, DROP])
async def test_ten_thousand_characters_are_refused_beside_the_field(driver: Begin, action: str) -> None:
    it = await standing(driver, action)
    before = await it.events()

    answer = await dispatched(it.it, LEADER, submission(action, {TEXT: {"value": "长" * 10_000}}))

    assert answer["errors"][TEXT].startswith("Say it in a few words")
    assert await it.events() == before


@pytest.mark.parametrize("said", ["🙂", "  x\u202e ", "<!channel> *all* `now`", "长" * 3_000], ids=str.__len__)
async def test_whatever_is_written_within_the_bounds_is_taken_as_it_is(driver: Begin, said: str) -> None:
    it = await standing(driver, ANSWER)

    assert await dispatched(it.it, LEADER, submission(ANSWER, {TEXT: {"value": said}})) == {}

    assert (await it.ticket()).answers == (said.strip(),)


@pytest.mark.parametrize("action", [CHANGES, ANSWER, ADD])
async def test_blanks_are_no_words(driver: Begin, action: str) -> None:
    it = await standing(driver, action)
    before = await it.events()
    field = TITLE if action == ADD else TEXT

    answer = await dispatched(it.it, LEADER, submission(action, {field: {"value": " \n "}}))

    assert list(answer["errors"]) == [field]
    assert await it.events() == before


@pytest.mark.parametrize("action", CLICKED)
async def test_a_click_that_is_delivered_twice_is_one_act(driver: Begin, action: str) -> None:
    it = await standing(driver, action)
    payload = click((await it.posts())["board"], action)
    await dispatched(it.it, LEADER, payload)
    after = await it.events()

    await dispatched(it.it, LEADER, payload)

    assert await it.events() == after


async def test_a_value_that_no_button_has_does_nothing(driver: Begin) -> None:
    it = await standing(driver, APPROVE)
    before = await it.events()
    for report, ticket in ((2, "T-1"), (1, "T-9"), (0, "")):
        payload = click((await it.posts())["board"], APPROVE)
        payload["actions"][0]["value"] = TicketButton(stream="deliver-1", ticket=ticket, report=report).value()
        payload["actions"][0]["action_ts"] = f"{report}.1"
        await dispatched(it.it, LEADER, payload)

    assert await it.events() == before
    assert len(await it.private(LEADER.user)) == 3
