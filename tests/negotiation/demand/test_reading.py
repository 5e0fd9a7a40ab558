"""What a model says of time is data that is held against the day of asking; words stay as they were said."""

from typing import Any

import pytest
from msgspec.structs import replace

from engine.errors import ModelUnavailable
from engine.facts.asked import Asked
from engine.facts.circumstances import Money, When
from engine.kernel import Ask
from engine.llm.asker import checked_answer
from engine.llm.port import Answer, Question, Returns
from engine.negotiation.answers import (
    Assignment,
    Circumstances,
    Milestone,
    Need,
    ProposalDraft,
    Timeline,
    Understanding,
)
from engine.negotiation.asks import NegotiationAsks
from engine.negotiation.commands import EditDemand, RecordProposal, RecordUnderstanding
from engine.negotiation.demand.reading import asked, asked_on, today, without_wrong_dates
from engine.negotiation.plan.marks import marks_of
from engine.negotiation.state import Negotiation
from tests.llm.prompt_cases import CHEN, PROFILES
from tests.negotiation.prompts import PROMPTS
from tests.negotiation.scenario import REQUESTER, Scenario

ASKS = NegotiationAsks(PROMPTS, PROFILES)
UNDERSTAND = Ask(name="understand", scope="understand", prompt="understand")
DEMAND = "30 colleagues meet in Berlin on 3 May, from 6pm, with a budget of 2,000 euros"
SUNDAY_NOON = 1_795_348_800_000  # 22 November 2026, in UTC
SUNDAY = Asked.at(SUNDAY_NOON, "Asia/Shanghai")
LATER = "2099-05-01"


def answered(value: Understanding, text: str = DEMAND) -> Circumstances:
    state = Scenario().demand(text).state
    prompt = PROMPTS["negotiation/understand"]
    command = ASKS.read(state, UNDERSTAND, prompt, Answer(value, "any"), command_id="c", at=state.asked_at)
    assert isinstance(command, RecordUnderstanding)
    return command.understanding.context


def test_a_demand_that_no_model_understood_is_its_own_only_need() -> None:
    state = Scenario().demand(DEMAND).state
    command = ASKS.fallback(state, UNDERSTAND, ModelUnavailable("it is down"), command_id="c", at=state.asked_at)

    assert isinstance(command, RecordUnderstanding)
    said = command.understanding
    assert [(each.need_id, each.what, each.essential) for each in said.needs] == [("need_1", DEMAND, True)]
    assert (said.capability_tags, said.context, said.confidence, said.language) == ((), Circumstances(), "low", "")


def test_what_a_model_left_out_stays_out() -> None:
    assert answered(Understanding(surface_demand="a meeting")) == Circumstances()


def test_what_a_model_said_stands() -> None:
    when = When(said="3 May", first="2028-05-03", last="2028-05-03", time_zone="Asia/Tokyo", exact="day")
    told = Circumstances(location="Tokyo", expected_attendees=25, when=when, money=Money(amount=1000))

    context = answered(Understanding(surface_demand="a meeting", context=told))
    assert (context.location, context.expected_attendees, context.when) == ("Tokyo", 25, when)
    assert context.money == Money(amount=1000)


def test_a_day_that_is_over_is_taken_out_and_its_words_stay() -> None:
    over = When(said="3 May", first="2023-05-03", last="2023-05-03", exact="day")
    needs = (Need(need_id="x", what="a room", deadline="2023-05-01"), Need(need_id="y", what="tea", deadline=LATER))
    context = Circumstances(when=over, deadline="2023-05-02")
    state = Scenario().demand(DEMAND).state
    answer = Answer(Understanding(surface_demand="a meeting", context=context, needs=needs), "any")
    command = ASKS.read(state, UNDERSTAND, PROMPTS["negotiation/understand"], answer, command_id="c", at=0)

    assert isinstance(command, RecordUnderstanding)
    said = command.understanding
    assert (said.context.when, said.context.deadline) == (When(said="3 May"), "")
    assert [(each.need_id, each.deadline) for each in said.needs] == [("need_1", ""), ("need_2", LATER)]


async def test_a_quote_that_the_demand_does_not_have_is_asked_for_once_more() -> None:
    question = ASKS.compose(Scenario().demand(DEMAND).state, UNDERSTAND)
    assert question.check is not None

    def said(quote: str) -> Understanding:
        return Understanding(surface_demand="x", needs=(Need(need_id="need_1", what="a room", quote=quote),))

    assert question.check(said("MEET in  Berlin")) == ""
    assert "meet in Bonn" in question.check(said("meet in Bonn"))


DRAFT = ProposalDraft(summary="A plan", assignments=(Assignment(agent_id=CHEN),))
DATES = {
    "2023-05-01": "[TBD]",
    "2026-11-20 (Fri)": "[TBD]",
    "2027-04-31": "[TBD]",
    "2028-05-01": "2028-05-01",
    "2027-04-20": "2027-04-20",
    "May 2023": "May 2023",
    "31 April": "31 April",
    "2023年5月1日": "2023年5月1日",
    "2023-05-01 – 2023-05-02": "2023-05-01 – 2023-05-02",
    "活动前两周": "活动前两周",
    "": "",
}


@pytest.mark.parametrize(("said", "kept"), DATES.items(), ids=[said or "nothing" for said in DATES])
def test_a_date_that_is_over_or_does_not_exist_stands_in_no_plan_and_words_stay(said: str, kept: str) -> None:
    timeline = Timeline(start_date=said, milestones=(Milestone(name="It", date=said),))

    checked = without_wrong_dates(replace(DRAFT, timeline=timeline), SUNDAY)
    assert (checked.timeline.start_date, checked.timeline.milestones[0].date) == (kept, kept)


@pytest.mark.parametrize(("day", "kept"), [("2026-11-21", ""), ("2026-11-22", "2026-11-22"), ("", "")])
def test_the_day_of_a_step_is_not_before_the_day_of_asking(day: str, kept: str) -> None:
    draft = replace(DRAFT, timeline=Timeline(milestones=(Milestone(name="It", day=day),)))
    assert without_wrong_dates(draft, SUNDAY).timeline.milestones[0].day == kept


def test_a_plan_that_a_model_dates_2023_has_no_date() -> None:
    scenario = Scenario().demand(DEMAND).understood().shortlisted(CHEN).offers(CHEN)
    over = When(said="May", first="2023-05-01", last="2023-05-31", exact="span")
    draft = ProposalDraft(summary="A plan", assignments=(Assignment(agent_id=CHEN, when=over),), when=over)
    ask = Ask(name="aggregate", scope="any", prompt="aggregate")

    prompt = PROMPTS["negotiation/aggregate"]
    command = ASKS.read(scenario.state, ask, prompt, Answer(draft, "any"), command_id="c", at=0)
    assert isinstance(command, RecordProposal)
    assert command.draft is not None
    assert command.draft.when == command.draft.assignments[0].when == When(said="May")


AGGREGATE = Ask(name="aggregate", scope="any", prompt="aggregate")
MAY = When(said="3 May", first="2027-05-03", last="2027-05-03", exact="day")


def asking_for(when: When) -> Scenario:
    scenario = Scenario(now=SUNDAY_NOON).demand(DEMAND).understood(context=Circumstances(when=when))
    return scenario.shortlisted(CHEN).offers(CHEN)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        pytest.param({"timeline": Timeline(start_date="2023-05-01")}, "timeline.start_date says 2023-05-01", id="over"),
        pytest.param(
            {"timeline": Timeline(milestones=(Milestone(name="It", date="2027-04-31"),))},
            "timeline.milestones date says 2027-04-31",
            id="no such day",
        ),
        pytest.param(
            {"timeline": Timeline(milestones=(Milestone(name="It", day="2026-11-01"),))},
            "timeline.milestones day says 2026-11-01",
            id="a step that is over",
        ),
        pytest.param({"when": When(first="2023-05-03", last="2023-05-03")}, "when says 2023-05-03", id="an old year"),
        pytest.param(
            {"assignments": (Assignment(agent_id=CHEN, after=("b",)), Assignment(agent_id="b", after=(CHEN,)))},
            f"makes a circle of {CHEN}, b",
            id="a circle",
        ),
        pytest.param(
            {"when": When(first="2027-05-10", last="2027-05-10")},
            "when says 2027-05-10, and the demand asks for 2027-05-03",
            id="another day than was asked for",
        ),
        pytest.param(
            {"assignments": (Assignment(agent_id=CHEN, when=When(first="2023-05-03", last="2023-05-03")),)},
            "assignments.when says 2023-05-03",
            id="somebody's own time",
        ),
    ],
)
async def test_a_model_is_asked_again_once_where_its_dates_cannot_be(wrong: dict[str, object], says: str) -> None:
    question = ASKS.compose(asking_for(MAY).state, AGGREGATE)
    right = replace(DRAFT, timeline=Timeline(start_date="2027-04-20"), when=MAY)
    model = Drafting(replace(DRAFT, **wrong), right)

    assert (await checked_answer(model, question)).value is right
    first, second = model.asked
    assert first.fault is None
    assert second.fault is not None
    assert says in second.fault.what
    assert "today is 2026-11-22" in second.fault.what or "circle" in says
    model = Drafting(replace(DRAFT, **wrong), replace(DRAFT, **wrong), right)
    assert (await checked_answer(model, question)).value is not right


async def test_dates_that_can_be_are_not_asked_for_again() -> None:
    question = ASKS.compose(asking_for(MAY).state, AGGREGATE)
    model = Drafting(replace(DRAFT, timeline=Timeline(start_date="2027-04-20 (Tue)"), when=MAY))

    await checked_answer(model, question)
    assert len(model.asked) == 1


def test_a_day_that_nobody_asked_for_stays_and_is_marked() -> None:
    other = replace(DRAFT, when=When(first="2027-05-10", last="2027-05-10", exact="day"))
    version = asking_for(MAY).proposed(other)
    assert version.state.proposal is not None
    assert version.state.proposal.when == other.when
    [mark] = [each for each in marks_of(version.state, version.state.proposal) if each.about == "when"]
    assert (mark.kind, mark.wanted_when, mark.found_when) == ("broken", MAY, other.when)


class Drafting:
    """A model that gives these drafts in turn."""

    def __init__(self, *drafts: ProposalDraft) -> None:
        self.drafts = [*drafts]
        self.asked: list[Question[Any]] = []

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        self.asked.append(question)
        draft = self.drafts.pop(0)
        assert isinstance(draft, question.returns)
        return Answer(draft, "any")


def test_models_are_told_the_day_of_asking_where_the_requester_is() -> None:
    state = Negotiation(asked_at=1_795_392_000_000, time_zone="Asia/Tokyo")  # 23 November 2026, midnight in UTC
    assert today(state) == {"date": "2026-11-23", "weekday": "Monday", "time_zone": "Asia/Tokyo"}
    assert asked_on(today(state)) == asked(state)
    assert asked(Negotiation(asked_at=1_795_392_000_000, time_zone="America/New_York")).day.isoformat() == "2026-11-22"
    assert asked(Negotiation(asked_at=1_795_392_000_000, time_zone="No/Where")).time_zone == "UTC"


def test_the_day_of_asking_is_kept_and_begins_anew_with_another_wording() -> None:
    scenario = Scenario().demand("A meetup")
    before = scenario.state.asked_at
    scenario.does(EditDemand, by=REQUESTER, raw_input="A meetup tomorrow")
    assert scenario.state.asked_at >= before > 0
