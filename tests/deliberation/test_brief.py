"""A brief is taken as it was said, and read into data once, beside the first drafts."""

from typing import Any, Final

import pytest
from msgspec.structs import replace

from engine.deliberation.answers import BriefAnswer, FactRead, OptionRead, PlannerAnswer
from engine.deliberation.asks import DeliberationAsks
from engine.deliberation.commands import RecordBrief, RecordPosition
from engine.deliberation.events import BriefRead, Finding, PlanChecked, PositionTaken
from engine.deliberation.opening.briefs import brief_of, written_brief
from engine.deliberation.rounds.reading import Known, held
from engine.deliberation.terms import Action, Reason
from engine.directory.profile import Profiles
from engine.facts.circumstances import Money
from engine.facts.data import Days, Deadline, Effort
from engine.kernel import Ask, FactKind, HandedFact, Handover, Place
from engine.llm.port import Answer

from .good_answers import GOOD
from .prompts import PROMPTS
from .scenario import BRIEF, CRITIC, PLANNER, Scenario, drafted, in_round, opened, plan, planned, task

TODAY: Final = "2026-11-23"
AWAY: Final = FactRead(
    fact_id="limit-1", person_id="ann", demands=(Days(first="2027-03-01", last="2027-03-05", allowed=False),)
)


# ── as it is written ──────────────────────────────────────────────────────────────────────────────────────────────


def test_all_of_it_stays_as_it_was_said() -> None:
    found = written_brief("Which town: Lisbon or Vienna?\nAnn cannot in May.", today=TODAY, time_zone="Asia/Shanghai")
    assert found.goal == "Which town: Lisbon or Vienna?\nAnn cannot in May."
    assert (found.title, found.facts, found.options, found.ends) == ("Which town: Lisbon or Vienna?", (), (), "")


def test_lines_with_a_bullet_are_facts_where_none_are_given() -> None:
    found = written_brief("Summer party\n- the hall holds 40\n• 预算五千", today=TODAY)
    assert (found.goal, [each.text for each in found.facts]) == ("Summer party", ["the hall holds 40", "预算五千"])
    given = written_brief("Summer party\n- the hall holds 40", today=TODAY, facts=["it rains"])
    assert [each.text for each in given.facts] == ["it rains"]
    assert "the hall" in given.goal


def test_bullets_alone_are_the_goal() -> None:
    assert written_brief("- a party", today=TODAY).goal == "- a party"


def test_one_option_is_no_choice() -> None:
    assert written_brief("Where?", today=TODAY, options=["here"]).options == ()
    assert written_brief("Where?", today=TODAY, options=["here", "there"]).options == ("here", "there")


def test_the_language_comes_with_what_was_agreed_and_else_from_the_reader() -> None:
    handed = Handover(origin="ch-1", requester_id="U", title="T", goal="G", place=Place(), language="ja")
    assert brief_of(handed, now=0, time_zone="UTC", locale="en").language == "ja"
    state = opened(brief=replace(BRIEF, locale="zh-CN")).state
    assert (state.said_language, state.language) == ("", "zh-CN")
    read = opened(brief=replace(BRIEF, locale="zh-CN")).does(RecordBrief, answer=BriefAnswer(language="de"))
    assert read.state.language == "de"


# ── read into data ────────────────────────────────────────────────────────────────────────────────────────────────


def asks() -> DeliberationAsks:
    return DeliberationAsks(PROMPTS, Profiles({}))


def test_it_is_read_beside_the_drafts_and_nobody_waits_for_it() -> None:
    scenario = opened().does(RecordBrief, answer=BriefAnswer(language="en", facts=(AWAY,))).then(BriefRead).owing()
    scenario.says(PLANNER, planned()).says(CRITIC, None).does(RecordBrief, answer=BriefAnswer()).then()


def test_without_an_answer_all_stays_as_it_was_said() -> None:
    scenario = opened().does(RecordBrief, answer=None).then()
    assert scenario.state.read is None


def test_it_is_read_in_a_later_round_too_and_not_after_the_end() -> None:
    in_round(2).does(RecordBrief, answer=BriefAnswer()).then(BriefRead)
    ended = in_round(2).stops().reports()
    ended.does(RecordBrief, answer=BriefAnswer()).then()


def test_from_then_on_plans_are_held_against_it() -> None:
    def found(scenario: Scenario) -> list[str]:
        made = plan(task("task-1", starts="2027-03-02", deadline="2027-03-03"))
        said = PlannerAnswer.checked({**GOOD["revise"], "plan": made, "moves": []})
        ask = Ask(name="planner-2", scope="any", prompt="revise", about="planner")
        prompt = PROMPTS["deliberation/revise"]
        command = asks().read(scenario.state, ask, prompt, Answer(said, "m"), command_id="c", at=0)
        assert isinstance(command, RecordPosition)
        return [each.code for each in command.findings]

    assert not found(in_round(2))
    assert found(in_round(2).does(RecordBrief, answer=BriefAnswer(facts=(AWAY,)))) == ["date_owner"]


IN_HER_WEEK_AWAY: Final = plan(task("task-1", starts="2027-03-02", deadline="2027-03-03"))


def test_drafts_that_came_in_before_are_held_against_it_too() -> None:
    scenario = opened().both(planned(IN_HER_WEEK_AWAY), drafted(IN_HER_WEEK_AWAY))
    scenario.does(RecordBrief, answer=BriefAnswer(facts=(AWAY,))).then(BriefRead, PlanChecked, PlanChecked)
    outputs = scenario.state.current.outputs
    assert [[each.code for each in outputs[agent].findings] for agent in (PLANNER, CRITIC)] == [["date_owner"]] * 2
    assert outputs[PLANNER].finding_ids == ("r1-finding-1",)
    scenario.compared(1.0).decided(Action.CONTINUE, Reason.OPEN_RISK)


def test_a_draft_that_was_asked_for_before_and_comes_in_after_it_is_held_against_it() -> None:
    scenario = opened().does(RecordBrief, answer=BriefAnswer(facts=(AWAY,)))
    scenario.says(PLANNER, planned(IN_HER_WEEK_AWAY)).then(PositionTaken, PlanChecked)
    scenario.says(CRITIC, drafted(plan(task("task-1", deadline="2027-03-08")))).then(PositionTaken)


def test_what_was_found_already_is_found_once() -> None:
    scenario = opened().does(RecordBrief, answer=BriefAnswer(facts=(AWAY,)))
    scenario.says(PLANNER, planned(IN_HER_WEEK_AWAY))
    found = scenario.event(PlanChecked).findings
    late = Finding(code="load", severity="high", text="Too much.")
    scenario.says(CRITIC, drafted(IN_HER_WEEK_AWAY), findings=(late, *found)).then(PositionTaken)
    again = opened().says(PLANNER, planned(IN_HER_WEEK_AWAY), findings=(late,))
    again.does(RecordBrief, answer=BriefAnswer(facts=(AWAY,)))
    assert again.state.current.outputs[PLANNER].finding_ids == ("r1-finding-1", "r1-finding-2")


def test_the_options_that_were_read_are_those_that_can_be_chosen() -> None:
    options = (OptionRead(option_id="option-1", label="Lisbon"), OptionRead(option_id="option-2", label="Vienna"))
    scenario = opened().does(RecordBrief, answer=BriefAnswer(options=options))
    assert scenario.state.options == ("Lisbon", "Vienna")
    given = opened(brief=replace(BRIEF, options=("Rome", "Oslo"))).does(
        RecordBrief, answer=BriefAnswer(options=options)
    )
    assert given.state.options == ("Rome", "Oslo")


KNOWN: Final = Known(
    people={"ann": "Ann"},
    arguments={"limit-1": "fact", "r1-risk-1": "risk"},
    tasks=frozenset({"task-7"}),
    texts=("Lisbon, Vienna or nothing?",),
)


def fact(**fields: Any) -> FactRead:
    return FactRead(**{"fact_id": "limit-1", "demands": (Deadline(day="2027-03-01"),)} | fields)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        pytest.param(fact(), True, id="of a fact"),
        pytest.param(fact(fact_id="brief"), True, id="of the goal"),
        pytest.param(fact(fact_id="limit-9"), False, id="of no fact"),
        pytest.param(fact(fact_id="r1-risk-1"), False, id="of an argument that is none"),
        pytest.param(fact(person_id="ann"), True, id="of somebody"),
        pytest.param(fact(person_id="eve"), False, id="of nobody: it is not held against all"),
        pytest.param(fact(task_id="task-7"), True, id="of an agreed task"),
        pytest.param(fact(task_id="task-8"), False, id="of no task"),
        pytest.param(fact(option_id="option-2"), True, id="of an option"),
        pytest.param(fact(option_id="option-9"), False, id="of no option"),
        pytest.param(fact(demands=()), False, id="that demands nothing"),
        pytest.param(fact(demands=(), people=12), True, id="that counts"),
        pytest.param(fact(demands=(), cost=Money(amount=5, currency="EUR")), True, id="that costs"),
    ],
)
def test_only_what_names_something_that_is_there_is_kept(said: FactRead, kept: bool) -> None:
    options = tuple(OptionRead(option_id=f"o{place}", label=each) for place, each in enumerate(("Lisbon", "Vienna"), 1))
    read = held(BriefAnswer(options=options, facts=(said,)), KNOWN)
    assert bool(read.facts) is kept


def test_no_words_are_kept_in_data() -> None:
    data = (Money(amount=5, currency="as Ann said"),)
    read = held(BriefAnswer(language="as Ann speaks", facts=(fact(demands=data),)), KNOWN)
    assert read.language == ""
    assert read.facts[0].demands == (Money(amount=5),)


def test_what_no_task_has_is_not_kept_since_nobody_compares_it() -> None:
    others: list[dict[str, Any]] = [
        {"kind": "hours", "start": "18:00"},
        {"kind": "place", "city": "Oslo"},
        {"kind": "notice", "days": 3},
        {"kind": "weeks", "first": 2},
    ]
    compared: list[dict[str, Any]] = [{"kind": "deadline", "day": "2027-03-01"}, {"kind": "effort", "hours": 5}]

    def read(*demands: dict[str, Any]) -> BriefAnswer:
        return held(BriefAnswer.checked({"facts": [{"fact_id": "limit-1", "demands": demands}]}), KNOWN)

    assert read(*others, *compared).facts[0].demands == (Deadline(day="2027-03-01"), Effort(hours=5))
    assert not read(*others).facts


def test_an_option_stands_in_the_brief_letter_for_letter_and_has_our_own_id() -> None:
    options = [("a", "vienna"), ("b", "Lisbon"), ("c", "Rome")]
    said = tuple(OptionRead(option_id=one, label=label) for one, label in options)
    read = held(BriefAnswer(options=said, facts=(fact(option_id="b"),)), KNOWN)
    assert [(each.option_id, each.label) for each in read.options] == [("option-1", "vienna"), ("option-2", "Lisbon")]
    assert read.facts[0].option_id == "option-2"
    assert not held(BriefAnswer(options=said[:1]), KNOWN).options


def test_a_language_and_data_are_read_as_a_model_sends_them() -> None:
    facts = (HandedFact(fact_id="limit-1", kind=FactKind.LIMIT, text="Ann cannot before 18:00"),)
    scenario = opened(brief=replace(BRIEF, facts=facts))
    ask = Ask(name="brief", scope="brief", prompt="brief")
    said = BriefAnswer.checked(GOOD["brief"])
    command = asks().read(scenario.state, ask, PROMPTS["deliberation/brief"], Answer(said, "m"), command_id="c", at=0)
    assert isinstance(command, RecordBrief)
    assert command.answer is not None
    assert (command.answer.language, len(command.answer.facts)) == ("en", 1)
