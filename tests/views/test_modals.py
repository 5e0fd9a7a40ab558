"""The forms behind the buttons, and what is read from them."""

from typing import Any

import pytest
from slack_sdk.models.views import View

from bot.local_slack.blocks import view_problems
from bot.texts import Texts, texts_in
from bot.views.kit.button_values import StreamButton
from bot.views.negotiation.button_values import VoteButton
from bot.views.negotiation.voting.vote_forms import OpenedVoteForm, read_opened, read_vote, vote_form
from bot.views.negotiation.voting.wish_fields import read_wish
from engine.negotiation.state import Seat
from engine.negotiation.voting.kinds import FeedbackType
from tests.negotiation.scenario import STREAM
from tests.views.message_contents import schema

BUTTON = VoteButton(stream=STREAM, round=2, digest="0123456789ab")


def opened(vote: str, agent_id: str | None = "bo") -> OpenedVoteForm:
    return OpenedVoteForm(
        **BUTTON.model_dump(exclude={"agent_id"}),
        channel="C_LOBBY",
        ts="1800000000.000200",
        vote=FeedbackType(vote),
        agent_id=agent_id,
    )


def seats(many: int) -> list[Seat]:
    return [Seat(f"user_agent_{number}", f"Bo <{number}> " * 20, None) for number in range(many)]


def every_form(words: Texts) -> list[dict[str, Any]]:
    return [
        vote_form(opened("accept", None), seats(3), words),
        vote_form(opened("accept", None), seats(40), words),
        vote_form(opened("negotiate"), [], words),
        vote_form(opened("negotiate", None), seats(10), words),
        vote_form(opened("withdraw"), [], words),
        vote_form(opened("withdraw", None), seats(11), words),
    ]


def submitted(form: dict[str, Any], **values: str) -> dict[str, Any]:
    """As Slack sends it."""
    fields: dict[str, Any] = {}
    for block in form["blocks"]:
        if block["type"] == "input":
            name, kind = block["block_id"], block["element"]["type"]
            typed = kind == "plain_text_input"
            chosen = {"value": values.get(name)} if typed else {"selected_option": {"value": values.get(name)}}
            fields[name] = {block["element"]["action_id"]: {"type": kind, **chosen}}
    return {**form, "id": "V1", "state": {"values": fields}}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_slack_takes_every_form(language: Any) -> None:
    for form in every_form(texts_in(language)):
        assert view_problems(form) == []
        View(**form).validate_json()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_form_is_as_slacks_types_say(language: Any) -> None:
    validator = schema("views.schema.json")
    for form in every_form(texts_in(language)):
        assert [error.message for error in validator.iter_errors(form)] == []


def test_a_wish_is_read_as_it_was_written() -> None:
    form = vote_form(opened("negotiate"), [], texts_in("en"))
    sent = submitted(form, change=" 45 minutes ", why="the demo takes long")
    vote = read_vote(sent)
    assert read_wish(sent["state"]["values"], texts_in("en"), "", "") == ("45 minutes", None)
    assert vote.vote_button == BUTTON
    assert (vote.vote, vote.agent_id) == (FeedbackType.NEGOTIATE, "bo")
    assert vote.why == "the demo takes long"
    assert (vote.channel, vote.ts) == ("C_LOBBY", "1800000000.000200")


def test_the_reason_of_a_wish_may_be_left_out() -> None:
    form = vote_form(opened("negotiate"), [], texts_in("en"))
    assert read_vote(submitted(form, change="45 minutes")).why == ""


def test_an_answer_of_blanks_is_empty() -> None:
    form = vote_form(opened("withdraw"), [], texts_in("en"))
    assert read_vote(submitted(form, why=" \n ")).why == ""


@pytest.mark.parametrize("many", [2, 10, 11, 40])
def test_whoever_speaks_for_several_chooses_one(many: int) -> None:
    form = vote_form(opened("accept", None), seats(many), texts_in("en"))
    assert read_vote(submitted(form, seat="user_agent_1")).agent_id == "user_agent_1"


def test_a_seat_that_is_known_is_not_asked_for() -> None:
    form = vote_form(opened("withdraw", "bo"), seats(3), texts_in("en"))
    assert "seat" not in {block.get("block_id") for block in form["blocks"]}
    assert read_vote(submitted(form, why="ill")).agent_id == "bo"


@pytest.mark.parametrize("view", [{}, {"private_metadata": ""}, {"private_metadata": '{"stream": "x"}'}])
def test_a_strangers_form_is_not_read(view: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="none of ours"):
        read_opened(view)


def test_a_button_carries_what_it_was_shown_with() -> None:
    assert VoteButton.read(BUTTON.value()) == BUTTON
    assert BUTTON.value() == '{"stream":"collab-00000001","round":2,"digest":"0123456789ab"}'
    assert StreamButton.read(StreamButton(stream=STREAM).value()) == StreamButton(stream=STREAM)


@pytest.mark.parametrize("value", ["", "x", "{}", '{"stream":1}', '{"stream":"s","round":1,"digest":"d","more":1}'])
def test_a_strangers_button_is_not_read(value: str) -> None:
    with pytest.raises(ValueError, match="validation error"):
        VoteButton.read(value)
