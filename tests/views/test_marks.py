"""What is checked, said, doubted and broken is beside what it is about, and what does not fit is a line of its own."""

import json

import pytest

from bot.texts import texts_in
from bot.views.kit.mrkdwn import Fit
from bot.views.negotiation.export.file import as_json
from bot.views.negotiation.export.steps import EndedNegotiation
from bot.views.negotiation.names import asked_time
from bot.views.negotiation.plan.marks import Marks, both_data, mark_of, marked, trouble_lines
from engine.facts.circumstances import Money, People, When
from engine.facts.data import Datum, Days, Deadline, Hours
from engine.negotiation.answers import (
    AdjustmentSummary,
    Assignment,
    Circumstances,
    FeedbackAnswer,
    Milestone,
    Need,
    ProposalDraft,
    RequestAddressed,
    Timeline,
)
from engine.negotiation.commands import RecordFeedback
from engine.negotiation.plan.marks import About, Mark, MarkKind
from engine.negotiation.policy import PRESETS
from engine.negotiation.public.build import Times
from engine.negotiation.terms import HeldCondition
from engine.negotiation.voting.kinds import FeedbackType
from tests.views.message_contents import shown, whole
from tests.views.stories import Story, post_of

ENGLISH, CHINESE, GERMAN = texts_in("en"), texts_in("zh"), texts_in("de-DE")
TODAY = "2026-11-27"
LATE, WANTED = Hours(start="19:00"), Hours(end="18:00")


def line(text: str, most: int) -> str:
    return Fit().line(text, most)


def broken(about: About, wanted: Datum, found: Datum, **fields: object) -> Mark:
    return Mark(about=about, kind=MarkKind.BROKEN, wanted=wanted, found=found, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("mark", "told"),
    [
        (broken("condition", WANTED, LATE), "19:00, and no later than 18:00 was asked"),
        (
            broken("condition", Days(weekdays=("fri",), allowed=False), Days(first="2026-12-04", last="2026-12-04")),
            "Friday, December 4, and not on Fridays was asked",
        ),
        (broken("budget", Money(amount=300, currency="EUR"), Money(amount=450, currency="EUR")),
         "€450, and at most €300 was asked"),
        (broken("deadline", Deadline(day="2026-12-01"), Deadline(day="2026-12-03")),
         "Thursday, December 3, and by Tuesday, December 1 was asked"),
        (broken("capacity", People(at_least=40), People(at_most=30)),
         "up to 30 people, and at least 40 people was asked"),
    ],
)  # fmt: skip
def test_what_is_broken_shows_both_data(mark: Mark, told: str) -> None:
    assert both_data(mark, ENGLISH, TODAY) == told
    assert both_data(mark, CHINESE, TODAY)


def test_both_data_are_in_the_form_of_the_readers_country() -> None:
    mark = broken("deadline", Deadline(day="2026-12-01"), Deadline(day="2026-12-03"))
    assert both_data(mark, GERMAN, TODAY) == "Donnerstag, 3. Dezember, and by Dienstag, 1. Dezember was asked"


def test_the_worst_sign_of_something_is_shown() -> None:
    marks = Marks(
        [
            Mark(about="need", kind=MarkKind.SAID, agent_id="aya", need_id="need_1"),
            Mark(about="need", kind=MarkKind.DOUBTED, agent_id="bo", need_id="need_1"),
            Mark(about="milestone", kind=MarkKind.CHECKED, number=2),
        ]
    )
    assert marks.sign("need", "aya", need_id="need_1") == "○"
    assert marks.sign("need", "bo", need_id="need_1") == "?"
    assert marks.sign("need", need_id="need_1") == "?"
    assert marks.sign("milestone", number=2) == "✓"
    assert marks.sign("milestone", number=1) == marks.sign("budget") == ""


def test_a_condition_says_why_it_has_its_sign() -> None:
    held = HeldCondition(
        agent_id="aya", condition="home by six", met=False, status="broken", wanted=WANTED, found=LATE, reason="sorry"
    )
    assert marked("Aya: home by six", held, line, ENGLISH) == (
        "✗ Aya: home by six – 19:00, and no later than 18:00 was asked"
    )
    said = HeldCondition(agent_id="aya", condition="a key", met=True, status="unknown")
    doubt = Mark(about="condition", kind=MarkKind.DOUBTED, agent_id="aya", quote="a key", why="nobody has one")
    assert marked("a key", said, line, ENGLISH) == "○ a key – promised; the plan cannot show it"
    assert marked("a key", said, line, ENGLISH, mark=doubt) == "? a key – “a key” – nobody has one"


def late() -> Story:
    """The room is to be there on December 1; the step that brings it is on December 3, and costs more than there is."""
    needs = (Need(need_id="need_1", what="a room", deadline="2027-12-01"),)
    context = Circumstances(budget="300 euros", money=Money(amount=300, currency="EUR"))
    story = Story().demand().understood(needs=needs, context=context).shortlisted("aya", "bo")
    story.offers("aya", covers=("need_1",)).offers("bo")
    seats = (
        Assignment(agent_id="aya", display_name="Aya", role="Host", covers=("need_1",), cost=450),
        Assignment(agent_id="bo", display_name="Bo", role="Music"),
    )
    steps = (Milestone(name="Room booked", day="2027-12-03", need_id="need_1", agent_id="aya"),)
    when = When(first="2027-12-10", last="2027-12-10", exact="day")
    return story.proposed(
        ProposalDraft(summary="An evening", assignments=seats, timeline=Timeline(milestones=steps), when=when)
    )


@pytest.mark.parametrize("key", ["root", "round-1"])
def test_what_does_not_fit_is_on_every_card(key: str) -> None:
    text = shown(post_of(late(), key))
    assert "*To look at*" in text
    assert "✗ Room booked – Friday, December 3, and by Wednesday, December 1 was asked" in text
    assert "✗ what it costs – €450, and at most €300 was asked" in text


def test_signs_stand_beside_steps_sums_and_needs() -> None:
    story = late()
    assert "• ✗ Friday, December 3: Room booked" in shown(post_of(story, "root"))
    assert "💰 300 euros ✗" in shown(post_of(story, "root"))
    assert "○ a room (essential): *Aya*" in whole(post_of(story, "round-1"))


def test_the_file_for_programs_has_the_marks() -> None:
    story = late().twin("aya", "accept").twin("bo", "accept").time_is_up()
    told = json.loads(as_json(EndedNegotiation(story.state, Times(ended_at=story.now))))
    [step] = [each for each in told["marks"] if each["about"] == "milestone"]
    assert (step["kind"], step["number"]) == ("broken", 1)
    assert step["wanted"] == {"kind": "deadline", "day": "2027-12-01"}


def test_a_doubt_shows_the_claim_its_words_and_why() -> None:
    story = late()
    proposal = story.state.proposals[0]
    doubt = Mark(about="need", kind=MarkKind.DOUBTED, agent_id="aya", need_id="need_1", quote="a garage", why="no room")
    lines = trouble_lines(story.state, proposal, Marks([doubt]), ENGLISH, line, lambda each: each.title())
    assert lines == ["? Aya: a room – “a garage” – no room"]


@pytest.mark.parametrize(
    ("condition", "sign"),
    [
        (HeldCondition(agent_id="aya", condition="a fee", reason="For the requester to decide"), "○"),
        (HeldCondition(agent_id="aya", condition="a fee", met=True, status="unknown"), "○"),
        (HeldCondition(agent_id="aya", condition="a fee", met=True, status="met"), "✓"),
        (HeldCondition(agent_id="aya", condition="a fee", status="broken"), "○"),
        (HeldCondition(agent_id="aya", condition="home by six", status="broken", wanted=WANTED, found=LATE), "✗"),
    ],
)
def test_a_condition_is_broken_only_by_two_data(condition: HeldCondition, sign: str) -> None:
    assert mark_of(condition) == sign


def test_a_need_is_as_sure_as_the_last_of_those_whom_it_takes() -> None:
    sure = Mark(about="need", kind=MarkKind.CHECKED, agent_id="aya", need_id="need_1")
    said = Mark(about="need", kind=MarkKind.SAID, agent_id="bo", need_id="need_1")
    marks = Marks([sure, said])
    assert [marks.covered("need_1", ("aya", "bo"), wanted) for wanted in (1, 2)] == ["✓", "○"]
    assert marks.covered("need_1", ("bo",)) == "○"
    assert marks.covered("need_2", ("aya",)) == ""


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (Circumstances(date="until the end of January"), "until the end of January"),
        (Circumstances(date="until the end of January", deadline="2027-01-31"), "by Sunday, January 31, 2027"),
        (
            Circumstances(date="on Friday", deadline="2026-12-03", when=When(first="2026-12-04", last="2026-12-04")),
            "on Friday, by Thursday, December 3",
        ),
        (Circumstances(), ""),
    ],
)
def test_a_deadline_is_told_as_a_day(said: Circumstances, told: str) -> None:
    assert asked_time(said, ENGLISH, TODAY) == told


def test_a_wish_that_the_plan_contradicts_is_not_taken_up_and_shows_both_data() -> None:
    evening = When(first="2027-12-10", last="2027-12-10", start="10:00", exact="day")
    seats = (Assignment(agent_id="aya", display_name="Aya"), Assignment(agent_id="bo", display_name="Bo"))
    story = Story(policy=PRESETS["balanced"], linked={"aya": "U_AYA"}).demand().understood().shortlisted("aya", "bo")
    story.offers("aya").offers("bo").proposed(ProposalDraft(summary="One", assignments=seats, when=evening))
    wish = FeedbackAnswer(
        feedback_type=FeedbackType.NEGOTIATE, adjustment_request="At one, please", change=Hours(start="13:00")
    )
    story.does(RecordFeedback, agent_id="aya", round=1, answer=wish).twin("bo", "accept").time_is_up()
    said = AdjustmentSummary(requests_addressed=(RequestAddressed(agent_id="aya", request="At one, please"),))
    story.proposed(ProposalDraft(summary="Two", assignments=seats, when=evening, adjustment_summary=said))

    text = shown(post_of(story, "round-2"))

    assert "*Taken up*" not in text
    assert "At one, please – 10:00, and no earlier than 13:00 was asked" in text
