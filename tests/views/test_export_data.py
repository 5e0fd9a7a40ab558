"""The export for programs: a shape that is written down and stays."""

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from jsonschema_rs import Draft202012Validator, meta

from bot.api.document import document
from bot.api.negotiation.part import ROUTES
from bot.views.negotiation.export.file import as_json
from bot.views.negotiation.export.steps import EndedNegotiation
from engine.kernel import Place
from engine.llm.port import OFFLINE
from engine.negotiation.answers import FeedbackAnswer, Milestone, OfferAnswer, OfferDecision
from engine.negotiation.commands import RecordFeedback, RecordOffer
from engine.negotiation.policy import PRESETS
from engine.negotiation.public.build import Times
from engine.negotiation.public.models import PublicNegotiation
from engine.negotiation.voting.kinds import FeedbackType
from tests.examples import examples
from tests.negotiation.scenario import REQUESTER, STREAM
from tests.views.ended_negotiations import agreed, ended, endings
from tests.views.stories import Story, voting

SCHEMA = PublicNegotiation.model_json_schema(mode="serialization")
SHAPE = Draft202012Validator(SCHEMA)


def read(over: EndedNegotiation) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(as_json(over).encode())
    assert [each.message for each in SHAPE.iter_errors(found)] == []
    return found


def test_the_schema_is_one_and_is_that_of_http() -> None:
    assert meta.is_valid(SCHEMA)
    over_http = document(ROUTES)["components"]["schemas"]["PublicNegotiation"]
    assert over_http["properties"].keys() == SCHEMA["properties"].keys()
    assert over_http["required"] == SCHEMA["required"]


@settings(
    max_examples=examples(13),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
@given(endings())
def test_whatever_was_said_it_has_its_shape_and_names_only_people_who_were_asked(over: EndedNegotiation) -> None:
    found = read(over)
    known = {each["agent_id"] for each in found["people"]}
    assert {each["agent_id"] for each in (*found["offers"], *found["disagreed"])} <= known
    assert {each["agent_id"] for voted in found["rounds"] for each in voted["votes"]} <= known
    assert {*found["confirmed_participants"], *found["optional_participants"]} <= known
    assert [each["version"] for each in found["proposals"]] == list(range(1, found["versions"] + 1))
    if over.state.final is not None:
        assert found["proposal"]["summary"] == over.state.final.final_proposal.summary


def test_what_was_said_is_there_as_it_was_said() -> None:
    found = read(ended(agreed(summary="<b> & \\ *two*\n多人 \U0001f389")))
    assert found["proposal"]["summary"] == "<b> & \\ *two*\n多人 \U0001f389"
    assert found["proposal"] == found["proposals"][1]
    assert (found["channel_id"], found["demand_id"]) == (STREAM, "d-00000001")
    assert (found["status"], found["channel_status"], found["outcome"]) == ("completed", "finalized", "consensus")
    assert found["ended_at"] == "2027-01-15T09:00:00.000Z"
    assert (found["requester_id"], found["requester_name"]) == (REQUESTER, "Dana")
    assert [(each["agent_id"], each["display_name"], each["user_id"]) for each in found["people"]] == [
        ("aya", "Aya", "U0AYA"),
        ("bo", "Bo", None),
    ]
    assert [each["tally"]["accepts"] for each in found["rounds"]] == [0, 2]


def test_days_are_told_as_said_and_where_the_plan_has_them_as_data() -> None:
    timeline = read(
        ended(
            agreed(
                Milestone(name="Fit", date="4 weeks before", day="2026-10-17"),
                Milestone(name="Talks", date="in good time"),
                Milestone(name="Doors", date="2026-11-14 (18:00)"),
            )
        )
    )["proposal"]["timeline"]
    assert [(each["date"], each["day"]) for each in timeline["milestones"]] == [
        ("4 weeks before", "2026-10-17"),
        ("in good time", ""),
        ("2026-11-14 (18:00)", ""),
    ]


def test_where_others_read_along_thoughts_and_reasons_are_left_out() -> None:
    shared = Place(channel="C_LOBBY", thread="1800000000.000100", shared=True)
    story = voting("aya", "bo", "chen", place=shared).twin("aya", "accept", "secretly glad")
    story.twin("bo", "negotiate", "secretly tired", "another week").twin("chen", "withdraw", "secretly ill")
    found = read(ended(story.time_is_up()))
    assert found["status"] == "failed"
    assert [each["request"] for each in found["open_requests"]] == ["another week"]
    assert "secretly" not in json.dumps(found)


def test_who_was_spoken_for_by_rules_or_by_nobody_is_told() -> None:
    story = Story(linked={"bo": "U0BO"}, policy=PRESETS["balanced"]).demand().understood()
    story.shortlisted("aya", "bo", "cy", "dee")
    for each in ("aya", "bo", "cy"):
        answer = OfferAnswer(decision=OfferDecision.PARTICIPATE, contribution=f"{each} helps")
        story.does(RecordOffer, agent_id=each, answer=answer, model=OFFLINE if each == "aya" else "claude")
    story.does_not_answer("dee").drafted("aya", "bo", "cy")
    accept = FeedbackAnswer(feedback_type=FeedbackType.ACCEPT)
    story.does(RecordFeedback, agent_id="aya", round=1, answer=accept, model=OFFLINE)
    story.does(RecordFeedback, agent_id="cy", round=1, answer=accept, model="claude")
    story.twin_fails("bo").clicks("U0BO", "bo", "accept").time_is_up()

    found = read(ended(story))

    assert {each["agent_id"] for each in found["people"]} == {"aya", "bo", "cy", "dee"}
    assert {each["agent_id"]: each["model"] for each in found["offers"]} == {
        "aya": OFFLINE,
        "bo": "claude",
        "cy": "claude",
    }
    votes = {each["agent_id"]: (each["hand"], each["model"]) for each in found["rounds"][0]["votes"]}
    assert votes == {"aya": ("twin", OFFLINE), "bo": ("person", ""), "cy": ("twin", "claude")}
    failed = {(each["prompt"], each["agent_id"], each["round"]) for each in found["degraded"]}
    assert failed == {("respond", "dee", 0), ("feedback", "bo", 1)}


def test_what_only_the_model_knows_is_not_in_it() -> None:
    """Why somebody was asked, and what a twin thought of its own offer, is in no thread as a whole."""
    story = voting("aya", "bo")
    story.twin("aya", "accept").twin("bo", "accept").time_is_up()
    offer = next(iter(story.state.offers.values()))
    found = json.dumps(read(EndedNegotiation(story.state, Times(ended_at=story.now))))
    assert offer.contribution in found
    for private in ("reasoning", "confidence", "motivation", "prompt_hash", "rationale", "objective", "risks"):
        assert private not in found
