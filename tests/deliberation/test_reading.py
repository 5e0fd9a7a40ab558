"""What a model names is held to what exists; nothing is made up in its place."""

import logging
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.deliberation.answers import (
    LONGEST_OUTPUT,
    MOST_TASKS,
    CriticAnswer,
    CriticReply,
    HostAnswer,
    Plan,
    PlannerAnswer,
    PlanPhase,
    PlanTask,
)
from engine.deliberation.rounds.reading import Known, chosen, faults, held, iso_date, person
from engine.deliberation.terms import Brief

from .good_answers import GOOD, PLAN, task

KNOWN: Final = Known(
    people={"aya": "Aya Tanaka", "bo": "薄波"},
    arguments={"need-1": "fact", "r1-risk-1": "risk", "r1-suggestion-1": "suggestion"},
    options=("The small hall", "The large hall"),
    tasks=frozenset({"task-1", "task-9"}),
)
BRIEF: Final = Brief(title="An evening", goal="Fifty people", today="2026-11-23", ends="2026-12-12")


def planned(*tasks: dict[str, Any], **fields: Any) -> PlannerAnswer:
    phases = [{"phase_name": "Preparing", "tasks": [*tasks]}]
    return PlannerAnswer.checked({**GOOD["revise"], "plan": {**PLAN, "phases": phases}, **fields})


def read(*tasks: dict[str, Any], **fields: Any) -> PlannerAnswer:
    return held(planned(*tasks, **fields), KNOWN)


def criticised(**fields: Any) -> CriticAnswer:
    critique = {**GOOD["criticise"]["critique"], **fields}
    return held(CriticAnswer.checked({**GOOD["criticise"], "critique": critique}), KNOWN)


def one(task: dict[str, Any]) -> PlanTask:
    (read_task,) = read(task).plan.tasks
    return read_task


AYA: Final = task("task-1", "Book the room", "aya", 4, "2026-12-07")


def test_what_exists_stays_as_it_is() -> None:
    answer = planned(AYA)
    assert held(answer, KNOWN) == answer


@pytest.mark.parametrize(
    ("field", "said", "kept"),
    [
        pytest.param("owner", "eve", "", id="a stranger"),
        pytest.param("owner", "Aya Tanaka", "aya", id="a name for an id"),
        pytest.param("owner", "薄波", "bo", id="a Chinese name"),
        pytest.param("deadline", "soon", "", id="no date"),
        pytest.param("deadline", "2026-02-30", "", id="a day that no month has"),
        pytest.param("deadline", "2026-12-07T10:00:00Z", "2026-12-07", id="a time of day behind it"),
        pytest.param("starts", "20261207", "", id="another form of date"),
        pytest.param("estimated_hours", 5_000, 0, id="more hours than a year of work"),
        pytest.param("estimated_hours", -3, 0, id="less than nothing"),
        pytest.param("because", ["need-1", "need-7", "need-1"], ("need-1",), id="arguments"),
        pytest.param("title", "x" * 500, None, id="a long title"),
    ],
)
def test_what_a_task_names_exists(field: str, said: Any, kept: Any) -> None:
    found = getattr(one({**AYA, field: said}), field)
    assert found == kept if kept is not None else len(found) <= 160


def test_tasks_have_ids_of_their_own_and_depend_on_tasks_of_the_plan() -> None:
    plan = read(
        {**AYA, "task_id": "任务一"},
        {**AYA, "task_id": "task-2", "depends_on": ["任务一", "task-2", "task-99"]},
        {**AYA, "task_id": "task-2"},
    ).plan
    ids = [each.task_id for each in plan.tasks]
    assert len({*ids}) == 3
    assert ids[1] == "task-2"
    assert not {ids[0], ids[2]} & KNOWN.tasks
    assert plan.tasks[1].depends_on == (ids[0],)


def test_a_plan_has_no_more_tasks_than_there_may_be() -> None:
    phases = [
        {"phase_name": f"Phase {phase}", "tasks": [{**AYA, "task_id": f"task-{phase}-{each}"} for each in range(10)]}
        for phase in range(4)
    ]
    answer = PlannerAnswer.checked({**GOOD["revise"], "plan": {**PLAN, "phases": phases}})
    plan = held(answer, KNOWN).plan
    assert len(plan.tasks) == MOST_TASKS
    assert len(plan.phases) == 3


@pytest.mark.parametrize(
    ("said", "option"),
    [
        pytest.param("the large hall.", "The large hall", id="another spelling"),
        pytest.param("Take the small hall on Friday", "The small hall", id="in a sentence"),
        pytest.param("The small hall or the large hall", "", id="both"),
        pytest.param("hall", "", id="a part of both"),
        pytest.param("The cellar", "", id="another one"),
        pytest.param("", "", id="none"),
    ],
)
def test_a_choice_is_one_of_the_options(said: str, option: str) -> None:
    assert chosen(said, KNOWN.options) == option
    position = {**GOOD["revise"]["position"], "choice": said}
    assert read(AYA, position=position).position.choice == option


def test_a_name_that_two_people_have_is_nobodys() -> None:
    assert person("Kim", {"a": "Kim", "b": "Kim"}) == ""


def test_a_move_names_an_argument_and_a_task_that_exist() -> None:
    moves = [
        {"slot": "deadline", "task_id": "task-1", "argument": "r1-risk-1", "why": ""},
        {"slot": "task", "task_id": "task-9", "argument": "need-1", "why": "it is gone"},
        {"slot": "decision", "task_id": "", "argument": "need-1", "why": ""},
        {"slot": "deadline", "task_id": "task-1", "argument": "r9-risk-1", "why": ""},
        {"slot": "deadline", "task_id": "task-77", "argument": "need-1", "why": ""},
    ]
    assert len(read(AYA, moves=moves).moves) == 3


@pytest.mark.parametrize(
    ("change", "value"),
    [
        pytest.param({"slot": "deadline", "task_id": "task-1", "value": "2026-11-30"}, "2026-11-30", id="a date"),
        pytest.param({"slot": "deadline", "task_id": "task-1", "value": "next week"}, None, id="no date"),
        pytest.param({"slot": "deadline", "task_id": "task-5", "value": "2026-11-30"}, None, id="no such task"),
        pytest.param({"slot": "hours", "task_id": "task-1", "value": "6.5"}, "6.5", id="hours"),
        pytest.param({"slot": "hours", "task_id": "task-1", "value": "six"}, None, id="no number"),
        pytest.param({"slot": "owner", "task_id": "task-1", "value": "Aya Tanaka"}, "aya", id="an owner by name"),
        pytest.param({"slot": "owner", "task_id": "task-1", "value": "eve"}, None, id="a stranger"),
        pytest.param({"slot": "owner", "task_id": "task-1", "value": ""}, "", id="nobody any more"),
        pytest.param(
            {"slot": "task", "task_id": "task-new", "value": "Ask the house"}, "Ask the house", id="a new task"
        ),
        pytest.param({"slot": "task", "task_id": "task-1", "value": ""}, "", id="a task taken away"),
        pytest.param({"slot": "decision", "task_id": "", "value": "No_Go"}, "no_go", id="a decision"),
        pytest.param({"slot": "decision", "task_id": "", "value": "wait"}, None, id="no decision"),
        pytest.param({"slot": "choice", "task_id": "", "value": "the large hall"}, "The large hall", id="an option"),
    ],
)
def test_a_suggested_change_can_be_made(change: dict[str, str], value: str | None) -> None:
    suggestion = {**GOOD["criticise"]["critique"]["suggestions"][0], "changes": [change]}
    (kept,) = criticised(suggestions=[suggestion]).critique.suggestions
    assert [each.value for each in kept.changes] == ([] if value is None else [value])
    assert kept.solution


@pytest.mark.parametrize(("said", "kept"), [("r1-risk-1", "r1-risk-1"), ("r1-suggestion-1", ""), ("r7-risk-1", "")])
def test_a_risk_repeats_a_risk(said: str, kept: str) -> None:
    risk = {**GOOD["criticise"]["critique"]["risks"][0], "repeats": said}
    assert criticised(risks=[risk]).critique.risks[0].repeats == kept


def test_a_reply_names_arguments_that_exist() -> None:
    reply = CriticReply(content="It is.", arguments=("need-1", "need-2"))
    assert held(reply, KNOWN).arguments == ("need-1",)


def test_what_is_left_out_is_logged_by_kind_and_without_a_word_of_it(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    read({**AYA, "owner": "zorbling", "deadline": "marvonade"})
    assert "people (1)" in caplog.text
    assert "dates (1)" in caplog.text
    assert "zorbling" not in caplog.text
    assert "marvonade" not in caplog.text


def test_a_text_is_no_longer_than_an_output_may_be() -> None:
    assert len(held(HostAnswer(content="word " * 5_000), KNOWN).content) <= LONGEST_OUTPUT


@given(st.text())
def test_a_date_is_one_of_the_calendar_or_nothing(text: str) -> None:
    found = iso_date(text)
    assert found == "" or (len(found) == 10 and found == iso_date(found))


@given(st.lists(st.text(max_size=12), max_size=12), st.lists(st.text(max_size=12), max_size=4))
def test_whatever_ids_a_model_writes_each_task_has_one_of_its_own(ids: list[str], needed: list[str]) -> None:
    tasks = tuple(PlanTask(task_id=each, title="Do it", depends_on=tuple(needed)) for each in ids)
    plan = Plan(title="A plan", phases=(PlanPhase(phase_name="All of it", tasks=tasks),))
    said = replace(planned(AYA), plan=plan, moves=())
    found = held(said, KNOWN).plan.tasks
    kept = [each.task_id for each in found]
    assert len({*kept}) == len(kept) == len(ids)
    assert all(each in kept and each != one.task_id for one in found for each in one.depends_on)
    assert held(held(said, KNOWN), KNOWN) == held(said, KNOWN)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        pytest.param(planned(), "no task", id="no plan"),
        pytest.param(planned({**AYA, "deadline": "soon"}), "is no date", id="no date"),
        pytest.param(planned({**AYA, "deadline": ""}), "has no deadline", id="no deadline"),
        pytest.param(planned({**AYA, "deadline": "2026-11-01"}), "before today", id="a day that is over"),
        pytest.param(planned({**AYA, "deadline": "2026-12-24"}), "after the end", id="too late"),
        pytest.param(planned({**AYA, "owner": "eve"}), "nobody of the brief", id="a stranger"),
    ],
)
def test_what_a_plan_lacks_is_asked_for_again(answer: PlannerAnswer, said: str) -> None:
    known = Known(people=KNOWN.people, arguments=KNOWN.arguments)
    assert said in faults(answer, known, BRIEF)
    assert faults(planned(AYA), known, BRIEF) == ""


def test_a_choice_that_was_asked_for_is_asked_for_again() -> None:
    assert "none of the brief's options" in faults(planned(AYA), KNOWN, BRIEF)


def test_a_critique_without_a_reason_is_asked_for_again() -> None:
    empty = {**GOOD["criticise"]["critique"], "risks": [], "suggestions": []}
    answer = CriticAnswer.checked({**GOOD["criticise"], "critique": empty})
    assert "says why" in faults(answer, Known(arguments=KNOWN.arguments), BRIEF)


@pytest.mark.parametrize(("phases", "told"), [((14, 1), 15), ((1,) * 15, 15), ((30,), 30), ((20, 15), MOST_TASKS)])
def test_every_task_is_kept_up_to_the_most_there_may_be(phases: tuple[int, ...], told: int) -> None:
    """A plan that says it has fifteen tasks has fifteen."""
    said = [
        {
            "phase_name": f"Phase {place}",
            "tasks": [task(f"task-{place}{each:02}", "Do it", "aya", 1, "2026-12-07") for each in range(1, size + 1)],
        }
        for place, size in enumerate(phases, 1)
    ]
    answer = PlannerAnswer.checked({**GOOD["revise"], "plan": {**PLAN, "phases": said}})
    assert len(held(answer, KNOWN).plan.tasks) == told
    assert ("are the most" in faults(answer, KNOWN, BRIEF)) == (sum(phases) > MOST_TASKS)
