"""The gateway sends commands to streams of the protocol that the caller names, and to no others."""

import json

import pytest

from bot.views.kit.button_values import SHOW_ALL
from bot.views.negotiation.button_values import EDIT
from bot.workspace_settings import directory_key
from engine.directory.messages import PauseTwin
from engine.directory.rules import RULEBOOK as DIRECTORY
from engine.errors import NothingToHandOver, UnknownStream, WrongProtocol
from engine.kernel import FactKind, StreamKey
from engine.negotiation.commands import Cancel
from engine.negotiation.rules import RULEBOOK as NEGOTIATION

from .conftest import Given
from .driver import ACCEPT, AYA, BO, QUIET, STOP, YOU, YOUR_TIME_ZONE, nothing_changed
from .test_forged import a_click, an_action, sent

NOT_FOUND = "We cannot find this negotiation any more. If it still matters, ask anew."


async def test_a_command_for_a_stream_of_another_protocol_is_refused(given: Given) -> None:
    it = await given()
    services, directory = it.demo.towow.services, directory_key(it.demo.tenant)
    stop = Cancel(command_id="stop", at=services.now(), by=YOU)
    pause = PauseTwin(command_id="pause", at=services.now(), by=AYA, agent_id="user_agent_aya", paused=True)
    before = await it.demo.towow.store.load(directory)

    with pytest.raises(WrongProtocol, match="is a stream of the protocol 'directory'; a stream of 'negotiation' is"):
        await services.gateway.send(directory, NEGOTIATION, stop)
    with pytest.raises(WrongProtocol):
        await services.gateway.begin(directory, NEGOTIATION, stop)
    with pytest.raises(WrongProtocol):
        await services.gateway.send(it.key, DIRECTORY, pause)
    with pytest.raises(WrongProtocol):
        await services.gateway.read(it.key, DIRECTORY)

    assert await it.demo.towow.store.load(directory) == before
    assert (await it.state()).is_open


async def test_a_command_begins_no_stream_unless_it_is_meant_to(given: Given) -> None:
    it = await given()
    services = it.demo.towow.services
    nowhere = StreamKey(it.demo.tenant, "collab-nowhere0")

    with pytest.raises(UnknownStream):
        await services.gateway.send(nowhere, NEGOTIATION, Cancel(command_id="stop", at=services.now(), by=YOU))

    assert await it.demo.towow.store.load(nowhere) is None


async def test_what_never_began_or_never_ends_hands_nothing_over(given: Given) -> None:
    it = await given()
    gateway = it.demo.towow.services.gateway
    for unknown in ("collab-nowhere0", "no name at all"):
        with pytest.raises(UnknownStream):
            await gateway.hand_over(StreamKey(it.demo.tenant, unknown))
    for key in (it.key, directory_key(it.demo.tenant)):
        with pytest.raises(NothingToHandOver, match=key.stream):
            await gateway.hand_over(key)


async def test_a_negotiation_that_ended_with_a_plan_hands_it_over_for_whoever_asked(given: Given) -> None:
    it = await (await given()).goes_on()

    handed = await it.demo.towow.services.gateway.hand_over(it.key)

    state = await it.state()
    assert (handed.origin, handed.requester_id, handed.place) == (it.key.stream, YOU, state.place)
    assert handed.time_zone == YOUR_TIME_ZONE
    assert {each.user_id for each in handed.people} == {AYA, BO}
    assert {each.kind for each in handed.facts} >= {FactKind.OFFER}


@pytest.mark.parametrize("action", [STOP, EDIT, ACCEPT, SHOW_ALL])
async def test_a_button_that_names_a_stream_of_another_protocol_changes_nothing(given: Given, action: str) -> None:
    it = await given()
    directory = directory_key(it.demo.tenant)
    before = await it.demo.towow.store.load(directory)
    value: dict[str, object] = {"stream": directory.stream}
    value |= {"round": 1, "digest": ""} if action == ACCEPT else {"post": "root"} if action == SHOW_ALL else {}

    async with nothing_changed(it, by=AYA, told=NOT_FOUND):
        status, _ = await sent(it, await a_click(it, actions=[an_action(json.dumps(value), action)]))
        await it.demo.settle(QUIET)

    assert status == 200
    assert await it.demo.towow.store.load(directory) == before
