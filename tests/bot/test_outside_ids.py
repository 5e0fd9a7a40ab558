"""What names something and comes from outside is short and plain, and so is refused before anything looks it up."""

import pytest

from engine.errors import InvalidInput, UnknownStream
from engine.kernel import StreamKey, Tenant, is_id
from engine.kernel.message import LONGEST_ID
from engine.negotiation.commands import Cancel, CastVote
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.voting.kinds import FeedbackType

from .conftest import Given
from .driver import YOU

STRANGE = [
    pytest.param("x" * (LONGEST_ID + 1), id="long"),
    pytest.param("U\x1b[31m", id="an escape sequence"),
    pytest.param("U\n", id="a newline"),
    pytest.param("U A", id="a blank"),
    pytest.param("U\x00", id="nothing that can be seen"),
    pytest.param("\ud83d", id="half of a character"),
]


@pytest.mark.parametrize("name", STRANGE)
def test_what_can_be_no_id(name: str) -> None:
    assert not is_id(name)
    assert not is_id("")
    assert not is_id(None)
    assert is_id("view:V1:156.hash@T_OTHER")


@pytest.mark.parametrize("name", STRANGE)
async def test_no_command_names_anything_by_what_can_be_no_id(given: Given, name: str) -> None:
    it = await given()
    gateway, now = it.demo.towow.services.gateway, it.demo.towow.services.now()
    before = await it.events()
    commands = [
        Cancel(command_id=name, at=now, by=YOU),
        Cancel(command_id="stop", at=now, by=name),
        CastVote(
            command_id="vote", at=now, by=YOU, agent_id=name, round=1, digest="", feedback_type=FeedbackType.ACCEPT
        ),
    ]

    for command in commands:
        with pytest.raises(InvalidInput, match="can be no name"):
            await gateway.send(it.key, RULEBOOK, command)
        with pytest.raises(InvalidInput, match="can be no name"):
            await gateway.begin(it.key, RULEBOOK, command)

    assert await it.events() == before


@pytest.mark.parametrize("name", STRANGE)
async def test_no_stream_and_no_workspace_has_such_a_name(given: Given, name: str) -> None:
    it = await given()
    gateway = it.demo.towow.services.gateway
    for key in (
        StreamKey(it.demo.tenant, name),
        StreamKey(Tenant(name), it.key.stream),
        StreamKey(Tenant("T", name), "s"),
    ):
        with pytest.raises(UnknownStream):
            await gateway.read(key, RULEBOOK)
        with pytest.raises(UnknownStream):
            await gateway.look_up(key)
