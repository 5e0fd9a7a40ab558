"""What is taken twice is said on every card of a plan, in its files and in its record, in both languages."""

import json

import pytest

from bot.texts import texts_in
from bot.views.negotiation.agreement.decision_record import as_text
from bot.views.negotiation.export.file import as_json
from bot.views.negotiation.export.markdown import markdown
from bot.views.negotiation.export.steps import EndedNegotiation
from engine.facts.circumstances import When
from engine.negotiation.answers import Circumstances
from engine.negotiation.commands import RecordBookings
from engine.negotiation.plan.clashes import clashes_now, room_digest
from engine.negotiation.policy import PRESETS
from engine.negotiation.public.build import Times
from engine.negotiation.terms import Booking
from tests.views.ended_negotiations import ended
from tests.views.message_contents import shown, whole
from tests.views.stories import Story, post_of

DAY = "2027-03-14"
EVENING = When(first=DAY, last=DAY, start="19:00", end="21:00", exact="day")
POLICY = PRESETS["balanced"].model_copy(update={"human_window": 60, "override_window": 60})


def taken_twice(demand: str = "A party in room 7", *, start: str = "20:00") -> Story:
    """Round 1 is open; another plan has Aya, and the room, at the same time."""
    story = Story(policy=POLICY, linked={"aya": "U0AYA"}).demand(demand)
    story.understood(surface_demand=demand, context=Circumstances(when=EVENING)).shortlisted("aya", "bo")
    story.offers("aya").offers("bo").rings("offers").drafted("aya", "bo", room="room 7").twins(
        {"aya": "accept", "bo": "accept"}
    )
    at = {"first": DAY, "last": DAY, "start": start, "end": "22:00" if start else "", "stream": "collab-00000002"}
    return story.does(RecordBookings, found=(Booking(agent_id="aya", **at), Booking(room=room_digest("room 7"), **at)))


@pytest.mark.parametrize(
    ("demand", "root", "line"),
    [
        (
            "A party in room 7",
            "⚠️ Also in another plan at that time: *Aya*, room 7",
            "also in d-00000002 on 2027-03-14, 20:00–22:00 (here 19:00–21:00)",
        ),
        (
            "在room 7办一场聚会",
            "⚠️ 同一时间还在别的方案里：*Aya*、room 7",
            "2027-03-14 还在 d-00000002 里，20:00–22:00（本方案 19:00–21:00）",
        ),
    ],
    ids=["in English", "in Chinese"],
)
def test_what_is_taken_twice_is_said_on_every_card(demand: str, root: str, line: str) -> None:
    story = taken_twice(demand)

    for key in ("root", "round-1"):
        assert root in shown(post_of(story, key))
    assert whole(post_of(story, "round-1")).count(line) == 2
    assert line in shown(post_of(story, "part-1/aya"))

    story.later(60).rings("close/1")
    assert line in shown(post_of(story, "outcome"))
    assert line not in whole(post_of(story, "round-1")), "a round that is over stays as it was"


def test_hours_that_are_open_are_called_so() -> None:
    assert "on 2027-03-14; the hours are not settled" in whole(post_of(taken_twice(start=""), "round-1"))


def test_the_files_and_the_record_have_it_too() -> None:
    story = taken_twice().later(60).rings("close/1")
    assert story.state.final is not None

    told = json.loads(as_json(ended(story)))["clashes"]
    assert [(each["agent_id"], each["room"], each["demand_id"]) for each in told] == [
        ("aya", "", "d-00000002"),
        ("", "room 7", "d-00000002"),
    ]
    assert told[0]["is_certain"]
    texts = texts_in("en")
    assert "also in d-00000002 on 2027-03-14" in markdown(
        EndedNegotiation(story.state, Times(ended_at=story.now)), texts
    )
    assert "Aya: also in d-00000002" in as_text(story.state, texts)
    assert len(clashes_now(story.state)) == 2


def test_a_plan_that_takes_nothing_twice_says_nothing_of_it() -> None:
    story = taken_twice().does(RecordBookings, found=())

    for key in ("root", "round-1", "part-1/aya"):
        assert "⚠️" not in shown(post_of(story, key))
