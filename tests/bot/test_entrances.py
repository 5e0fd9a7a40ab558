"""Who may ask, as a table: every entrance times everybody who can reach it. Who may not is told why; nothing begins."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

import pytest
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.web.async_client import AsyncWebClient

from bot.demo.demo import CHANNEL
from bot.local_slack import Channel, User, View
from bot.registry import PROTOCOLS
from bot.slack.bolt import bolt_app
from bot.views.negotiation.demand.demand_form import FROM_MESSAGE, NEW, WHAT, WHERE

from .conftest import Begin
from .driver import ALONE, AYA, BO, QUIET, YOU, Driver
from .test_direct_demands import told as told_directly

TEXT: Final = "A venue for 50 people"
OUTSIDER: Final = "I only take demands from people of this workspace"


@dataclass(frozen=True)
class Role:
    name: str
    home: str = ""
    """The company of somebody from outside."""
    tenant: str = ""
    """The team that the payload names, where it is not ours."""
    is_told: bool = True
    """Whether the payload says whose company they are of; of a command it always does."""

    @property
    def may_ask(self) -> bool:
        return not (self.home or self.tenant)


ROLES: Final = (
    Role("one of us"),
    Role("somebody of another company", home="T_PARTNER"),
    Role("somebody of another company in a payload of their own", home="T_PARTNER", tenant="T_PARTNER"),
    Role("somebody of another company of whom Slack says nothing", home="T_PARTNER", is_told=False),
    Role("one of us of whom Slack says nothing", is_told=False),
    Role("another tenant under one of our ids", tenant="T_ELSEWHERE"),
)

Entrance = Callable[[Driver, Role], Awaitable[str]]
"""Ask, and return what is answered, if it is in the answer itself."""


async def by_mention(it: Driver, role: Role) -> str:
    event = {"type": "app_mention", "channel": CHANNEL, "text": f"<@U_TOWOW> {TEXT}", "thread_ts": await thread(it)}
    return await happened(it, role, event)


async def by_direct_message(it: Driver, role: Role) -> str:
    dm = await it.demo.person(AYA).dm()
    return await happened(it, role, {"type": "message", "channel": dm.id, "channel_type": "im", "text": TEXT})


async def by_command(it: Driver, role: Role) -> str:
    return await commanded(it, role, TEXT)


async def by_form(it: Driver, role: Role) -> str:
    form = (await it.demo.person(AYA).shortcut(NEW)).modal
    return await sent(it, role, form)


async def by_form_of_a_message(it: Driver, role: Role) -> str:
    message = await it.demo.person(YOU).say(CHANNEL, TEXT)
    form = (await it.demo.person(AYA).shortcut(FROM_MESSAGE, message)).modal
    return await sent(it, role, form)


@pytest.mark.parametrize("role", [pytest.param(each, id=each.name) for each in ROLES])
@pytest.mark.parametrize("enter", [by_mention, by_direct_message, by_command, by_form, by_form_of_a_message])
async def test_only_one_of_us_may_ask(driver: Begin, enter: Entrance, role: Role) -> None:
    it = await driver(policy=ALONE)

    answer = await enter(it, role)

    assert await it.begun() == int(role.may_ask)
    said = [answer, *await it.told(AYA), *await told_directly(it, AYA)]
    assert any(OUTSIDER in each for each in said) is not role.may_ask


@pytest.mark.parametrize("role", [pytest.param(each, id=each.name) for each in ROLES if not each.tenant])
@pytest.mark.parametrize("callback", [NEW, FROM_MESSAGE])
async def test_only_one_of_us_is_given_a_form(driver: Begin, callback: str, role: Role) -> None:
    it = await driver()
    message = await it.demo.person(YOU).say(CHANNEL, TEXT)
    if role.home:
        await it.demo.workspace.admin.put_user(User(id=AYA, name="guest", real_name="A Guest", team_id=role.home))

    form = (await it.demo.person(AYA).shortcut(callback, message if callback == FROM_MESSAGE else None)).modal

    assert form is not None
    assert (form.submit is not None) is role.may_ask
    assert (OUTSIDER in json.dumps(form.blocks)) is not role.may_ask


@pytest.mark.parametrize("role", [pytest.param(each, id=each.name) for each in ROLES])
async def test_only_one_of_us_is_told_of_votes_and_demands(driver: Begin, role: Role) -> None:
    it = await driver()

    answer = await commanded(it, role, "status")

    assert ("Your open votes" in answer) is role.may_ask
    assert (OUTSIDER in answer) is not role.may_ask


async def thread(it: Driver) -> str:
    """What is said to one person alone is seen only in a thread that has begun."""
    start = await it.demo.person(YOU).say(CHANNEL, "Who knows a room?")
    await it.demo.person(AYA).say(CHANNEL, "I may", thread_ts=start.ts)
    return start.ts


async def happened(it: Driver, role: Role, event: dict[str, Any]) -> str:
    by = {"user": AYA, "ts": "1800000000.000900", "event_ts": "1800000000.000900"}
    by |= {"team": home(it, role)} if role.is_told else {"subtype": "file_share"}
    is_shared = bool(role.home) or not role.is_told
    body = {"type": "event_callback", "event_id": "Ev1", "is_ext_shared_channel": is_shared}
    return await dispatched(it, role, body | {"team_id": team(it, role), "event": event | by})


async def commanded(it: Driver, role: Role, text: str) -> str:
    # Slack names the team of whoever types, and no other.
    whose = {"team_id": home(it, role), "user_id": AYA, "channel_id": CHANNEL, "trigger_id": "1.1"}
    return await dispatched(it, role, {"command": "/towow", "text": text, **whose})


async def sent(it: Driver, role: Role, form: View | None) -> str:
    assert form is not None
    values = {
        WHAT: {WHAT: {"type": "plain_text_input", "value": TEXT}},
        WHERE: {WHERE: {"type": "conversations_select", "selected_conversation": CHANNEL}},
    }
    view = form.model_dump(mode="json") | {"state": {"values": values}}
    # A form names the team of whoever sends it, too.
    user, told = {"id": AYA, "name": "aya"}, {"team_id": home(it, role)} if role.is_told else {}
    who = {"user": user | told, "team": {"id": team(it, role) if role.is_told else home(it, role)}}
    return await dispatched(it, role, {"type": "view_submission", "view": view, "response_urls": []} | who)


def team(it: Driver, role: Role) -> str:
    return role.tenant or it.demo.workspace.team_id


def home(it: Driver, role: Role) -> str:
    return role.home or team(it, role)


async def dispatched(it: Driver, role: Role, payload: dict[str, Any]) -> str:
    if role.home and not role.is_told:
        await it.demo.workspace.admin.put_user(User(id=AYA, name="guest", real_name="A Guest", team_id=role.home))
    client = AsyncWebClient(it.demo.workspace.bot_token, it.demo.workspace.api_url)
    app = bolt_app(client, it.demo.towow.services, PROTOCOLS)
    named = {"api_app_id": "A_TOWOW", "token": "none", "trigger_id": "1.1"}
    response = await app.async_dispatch(AsyncBoltRequest(body=named | payload, mode="socket_mode"))
    assert response.status == 200
    await it.demo.settle(QUIET)
    return response.body or ""


async def test_a_command_between_two_people_says_where_it_may_be_typed(driver: Begin) -> None:
    """Nobody can invite an app there."""
    it = await driver(policy=ALONE)
    between = Channel(id="D_TWO", name="", is_im=True, user=BO, members=[YOU, BO], has_bot=False)
    await it.demo.workspace.admin.put_channel(between)

    outcome = await it.demo.person(YOU).slash("D_TWO", "/towow", TEXT)

    assert outcome.message is not None
    assert "Ask in a channel, or write to me." in outcome.message.text
    assert await it.begun() == 0
