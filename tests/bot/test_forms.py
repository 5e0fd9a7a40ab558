"""The forms behind *Negotiate*, *Withdraw* and, where there is a choice of seats, *Accept*."""

import json
from typing import Any

import pytest
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import NotPossible, View
from bot.registry import PROTOCOLS
from bot.slack.bolt import bolt_app
from bot.views.negotiation.voting.vote_forms import SEAT, WHY
from bot.views.negotiation.voting.wish_fields import CHANGE
from engine.negotiation.events import AgentWithdrawn, ProposalFeedback
from engine.negotiation.state import Status
from engine.negotiation.terms import Source

from .conftest import Given
from .driver import ACCEPT, AYA, BO, EVE, NEGOTIATE, PATIENT, WITHDRAW, YOU, Driver, text_of

TOO_OLD = "That button is from a round that is over, so nothing was changed."
NOT_YOURS = "That is for somebody else to decide, so nothing was changed."


async def human_votes(it: Driver) -> list[tuple[str, str, str]]:
    """Return what people voted, in the order in which it came: whose seat, how, and in what words."""
    return [
        (each.agent_id.removeprefix("user_agent_"), str(each.feedback_type), each.reasoning)
        for each in await it.happened(ProposalFeedback)
        if each.source is Source.HUMAN
    ]


async def test_a_wish_is_recorded_in_the_persons_words(given: Given) -> None:
    it = await given()
    form = await it.clicks(AYA, NEGOTIATE)
    assert form.modal is not None

    outcome = await it.demo.person(AYA).submit(
        form.modal, {CHANGE: {CHANGE: "Start at six & not later"}, WHY: {WHY: "<!channel> My last train"}}
    )
    await it.demo.settle()

    assert outcome.acked
    assert outcome.modal is None
    assert await human_votes(it) == [("aya", "negotiate", "<!channel> My last train")]
    [vote] = [each for each in await it.happened(ProposalFeedback) if each.source is Source.HUMAN]
    assert vote.adjustment_request == "Start at six & not later"
    assert "Start at six &amp; not later" in text_of(await it.card())
    assert "<!channel>" not in text_of(await it.card())


async def test_whoever_withdraws_is_out_of_the_next_round(given: Given) -> None:
    it = await given(linked=["aya", "bo"], alone=["chen", "dee"])

    await it.says(BO, WITHDRAW, "I am away that week")
    await it.clicks(AYA, ACCEPT)
    await it.time_is_up()

    assert [(each.agent_id, each.reason) for each in await it.happened(AgentWithdrawn)] == [
        ("user_agent_bo", "I am away that week")
    ]
    state = await it.stands(Status.NEGOTIATING, round=2)
    assert "user_agent_bo" not in state.rounds[-1].seats
    assert "❌ Missing: Role of bo" in await it.root()


@pytest.mark.parametrize(("action", "field"), [(NEGOTIATE, CHANGE), (WITHDRAW, WHY)], ids=["negotiate", "withdraw"])
async def test_blanks_are_no_answer_and_words_after_them_are(given: Given, action: str, field: str) -> None:
    it = await given()
    form = await it.clicks(AYA, action)

    blank = await it.fills_in(AYA, form, "  \n ")

    assert blank.errors == {field: "Please say in a few words what should change, or why you are leaving."}
    assert await human_votes(it) == []
    said = await it.fills_in(AYA, blank, "I have no time")
    assert said.errors == {}
    assert said.modal is None
    assert [words for _, _, words in await human_votes(it)] == ["I have no time"]


async def test_a_form_that_is_sent_after_its_round_says_so_and_moves_nothing(given: Given) -> None:
    it = await given()
    form = await it.clicks(AYA, NEGOTIATE)
    await it.time_is_up()
    await it.stands(Status.FINALIZED)
    before = await it.events()

    late = await it.fills_in(AYA, form, "Only until ten")

    assert TOO_OLD in late.errors[CHANGE]
    assert late.modal is not None
    assert await it.events() == before


async def test_a_form_of_an_earlier_proposal_says_so_and_moves_nothing(given: Given) -> None:
    it = await given()
    form = await it.clicks(BO, WITHDRAW)
    await it.says(AYA, NEGOTIATE, "Only until ten")
    await it.time_is_up()
    await it.stands(Status.NEGOTIATING, round=2)

    late = await it.fills_in(BO, form, "I am away")

    assert TOO_OLD in late.errors[WHY]
    assert await human_votes(it) == [("aya", "negotiate", "Only until ten")]


async def test_a_wish_can_be_said_anew_until_the_round_closes(given: Given) -> None:
    it = await given()
    await it.says(AYA, NEGOTIATE, "Only until ten")
    await it.says(AYA, NEGOTIATE, "Only until nine")

    assert [words for _, _, words in await human_votes(it)] == ["Only until ten", "Only until nine"]


async def submitted_by(it: Driver, user: str, view: View, text: str) -> dict[str, Any]:
    """Return the answer to a payload that no client would send, such as a form signed by somebody else."""
    workspace = it.demo.workspace
    values = {CHANGE: {CHANGE: {"type": "plain_text_input", "value": text}}}
    shape = view.model_dump(mode="json") | {"state": {"values": values}}
    body = {
        "type": "view_submission",
        "team": {"id": workspace.team_id, "domain": "local"},
        "user": {"id": user, "name": user.lower(), "team_id": workspace.team_id},
        "api_app_id": "A_TOWOW",
        "token": "none",
        "trigger_id": "1.1",
        "view": shape,
        "response_urls": [],
    }
    client = AsyncWebClient(workspace.bot_token, workspace.api_url)
    response = await bolt_app(client, it.demo.towow.services, PROTOCOLS).async_dispatch(
        AsyncBoltRequest(body=body, mode="socket_mode")
    )
    assert response.status == 200
    answer: dict[str, Any] = json.loads(response.body or "{}")
    return answer


async def test_a_form_that_is_delivered_twice_is_one_vote(given: Given) -> None:
    it = await given()
    form = await it.clicks(AYA, NEGOTIATE)
    assert form.modal is not None

    answers = [await submitted_by(it, AYA, form.modal, "Only until ten") for _ in range(2)]

    assert answers == [{}, {}]
    assert await human_votes(it) == [("aya", "negotiate", "Only until ten")]


@pytest.mark.parametrize("user", [BO, EVE, YOU])
async def test_who_may_vote_is_decided_anew_when_the_form_is_sent(given: Given, user: str) -> None:
    it = await given()
    form = await it.clicks(AYA, NEGOTIATE)
    assert form.modal is not None
    with pytest.raises(NotPossible):
        await it.demo.person(user).submit(form.modal)
    before = await it.events()

    answer = await submitted_by(it, user, form.modal, "Only until ten")

    assert answer["response_action"] == "errors"
    assert NOT_YOURS in answer["errors"][CHANGE]
    assert await it.events() == before
    assert "NotAllowed" in await it.refusals()


@pytest.mark.parametrize(
    ("action", "text", "vote"),
    [
        pytest.param(ACCEPT, "", ("dee", "accept", ""), id="accept"),
        pytest.param(NEGOTIATE, "Dee is slow", ("dee", "negotiate", "Dee is slow"), id="negotiate"),
        pytest.param(WITHDRAW, "Dee left", ("dee", "withdraw", "Dee left"), id="withdraw"),
    ],
)
async def test_the_requester_says_for_which_of_several_seats_it_is(
    given: Given, action: str, text: str, vote: tuple[str, str, str]
) -> None:
    it = await given(linked=["aya"], alone=["chen", "dee"])
    form = await it.clicks(YOU, action)
    assert form.modal is not None
    [seats] = [block for block in form.modal.blocks if block["block_id"] == SEAT]
    assert [each["text"]["text"] for each in seats["element"]["options"]] == ["Chen", "Dee"]

    outcome = await it.fills_in(YOU, form, text, seat="dee")

    assert outcome.modal is None
    assert await human_votes(it) == [vote]


async def test_there_may_be_more_seats_than_radio_buttons(given: Given) -> None:
    names = [f"n{number:02}" for number in range(20)]
    it = await given(linked=[], alone=names, policy=PATIENT.model_copy(update={"max_candidates": 20}))

    await it.says(YOU, WITHDRAW, "They left", seat=names[-1])

    assert await human_votes(it) == [(names[-1], "withdraw", "They left")]


async def test_a_seat_must_be_chosen_before_the_form_can_be_sent(given: Given) -> None:
    it = await given(linked=[], alone=["chen", "dee"])
    form = await it.clicks(YOU, ACCEPT)
    assert form.modal is not None

    outcome = await it.demo.person(YOU).submit(form.modal)

    assert not outcome.sent
    assert list(outcome.errors) == [SEAT]


async def test_a_form_that_could_not_be_opened_is_told(given: Given) -> None:
    it = await given()
    await it.demo.workspace.admin.fault("views.open", "error", error="expired_trigger_id")
    await it.expects_no_ack()

    outcome = await it.clicks(AYA, NEGOTIATE)

    assert not outcome.acked
    assert await it.told(AYA) == ["Something went wrong on our side. Nothing was lost; please try again in a moment."]
    assert (await it.clicks(AYA, NEGOTIATE)).modal is not None
