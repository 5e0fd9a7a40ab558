"""What the Manager and a writing model are told, and how far their answers are taken."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from engine.delivery import commands as asked
from engine.delivery.answers import (
    AdviseAnswer,
    ClarifyAnswer,
    PlanAnswer,
    PlannedTask,
    ReviewAnswer,
    WorkAnswer,
)
from engine.delivery.asks import RETURNS, DeliveryAsks
from engine.delivery.given import RoleGiven
from engine.delivery.terms import Brief
from engine.directory.profile import Profiles
from engine.errors import ModelTimeout
from engine.kernel import Ask, Command, FactKind, HandedFact, HandedPerson
from engine.kernel.encoding import texts_in
from engine.llm.port import Answer

from .prompts import PROMPTS
from .scenario import ANN, FOR_WRITER, NOON, REQUESTER, Scenario, instructed, opened, reported, task

ASKS = DeliveryAsks(PROMPTS, Profiles({}))


def the_ask(scenario: Scenario, prompt: str) -> Ask:
    return next(each for each in scenario.last.effects if isinstance(each, Ask) and each.prompt == prompt)


def read(scenario: Scenario, prompt: str, value: Any) -> Any:
    return ASKS.read(
        scenario.state, the_ask(scenario, prompt), PROMPTS[f"delivery/{prompt}"], Answer(value, "claude"),
        command_id="c", at=NOON,
    )  # fmt: skip


def given(scenario: Scenario, prompt: str) -> Any:
    return ASKS.compose(scenario.state, the_ask(scenario, prompt)).given


CASES: Mapping[str, Callable[[], Scenario]] = {
    "clarify": lambda: Scenario().opens(),
    "plan": lambda: Scenario().opens().clarifies(),
    "instruct": opened,
    "propose": lambda: opened(task(needs_proposal=True)),
    "discuss": lambda: opened(task(owner=FOR_WRITER, needs_proposal=True)).proposes(),
    "work": lambda: instructed(task(owner=FOR_WRITER)),
    "review": reported,
    "advise": lambda: instructed(task(owner=FOR_WRITER)).does(
        asked.RecordWords, ticket_id="T-1", number=1, answer=WorkAnswer(issues=("the date",))
    ),
    "report": lambda: reported().reviews(),
}


@pytest.mark.parametrize("prompt", RETURNS)
def test_each_question_is_composed_and_each_failure_is_a_command_of_its_own(prompt: str) -> None:
    scenario = CASES[prompt]()
    ask = the_ask(scenario, prompt)
    question = ASKS.compose(scenario.state, ask)

    assert set(question.given) == set(question.prompt.given)
    failed = ASKS.fallback(scenario.state, ask, ModelTimeout("late"), command_id="c", at=NOON)
    assert isinstance(failed, Command)
    assert (failed.answer, failed.error) == (None, "ModelTimeout")  # type: ignore[attr-defined]
    assert scenario.obeys(failed).last.events, "a failure moves it on"


@pytest.mark.parametrize("prompt", RETURNS)
def test_no_model_is_told_the_id_of_a_user(prompt: str) -> None:
    told = " ".join(text for each in given(CASES[prompt](), prompt).values() for text in _texts(each))
    assert REQUESTER not in told
    assert ANN not in told


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, tuple):
        return [text for each in value for text in _texts(each)]
    return [str(value), *texts_in(value)] if value is not None else []


def test_the_manager_is_told_who_can_work_and_no_manager() -> None:
    scenario = Scenario().opens().clarifies()
    told = given(scenario, "plan")
    assert [each.name for each in told["people"]] == ["Ann", "Bo"]
    assert RoleGiven(role_id="writer", name="Writer", kind="model", capabilities=("writing",)) in told["roles"]
    assert "manager" not in {each.role_id for each in told["roles"]}


def test_nobody_without_an_account_can_be_given_a_ticket() -> None:
    brief = Brief(title="x", goal="Do it well, please, all of you.", people=(HandedPerson(person_id="cy", name="Cy"),))
    assert given(Scenario(brief=brief).opens().clarifies(), "plan")["people"] == ()


def test_owners_dates_and_capabilities_that_do_not_exist_are_left_out() -> None:
    scenario = Scenario().opens().clarifies()
    made = PlannedTask(
        task_id="a b!", title="Do", owner="nobody-there", deadline="soon", capabilities=("coding", "magic"), check="rm"
    )
    other = PlannedTask(task_id="t2", title="Then", depends_on=("a b!",), owner="ann", deadline="2027-03-01")
    scenario.obeys(read(scenario, "plan", PlanAnswer(tasks=(made, other))))
    first, second = (each.task for each in scenario.state.tickets.values())
    assert (first.task_id, first.deadline, first.capabilities, first.check) == ("task-1", "", ("coding",), "")
    assert (second.depends_on, second.owner.user_id, second.deadline) == (("task-1",), ANN, "2027-03-01")
    assert scenario.ticket().owner.role_id == "worker_agent", "its capability chose"


def test_a_plan_in_a_circle_is_asked_for_once_more() -> None:
    scenario = Scenario().opens().clarifies()
    question = ASKS.compose(scenario.state, the_ask(scenario, "plan"))
    circle = PlanAnswer(
        tasks=(
            PlannedTask(task_id="a", title="A", depends_on=("b",)),
            PlannedTask(task_id="b", title="B", depends_on=("a",)),
        )
    )
    assert question.check is not None
    assert "wait for each other" in question.check(circle)
    assert question.check(PlanAnswer(tasks=(PlannedTask(task_id="a", title="A"),))) == ""
    assert "no task" in question.check(PlanAnswer())


def test_what_nobody_said_is_withheld_from_questions_that_people_read() -> None:
    scenario = Scenario().opens()
    said = ClarifyAnswer(questions=("See https://evil.example <!channel> sk-ant-api03-abcdefghijklmnop ?",))
    (question,) = read(scenario, "clarify", said).answer.questions
    assert not {"evil", "<!channel>", "sk-ant"} & {
        word for word in ("evil", "<!channel>", "sk-ant") if word in question
    }


def test_the_review_is_told_what_was_shown_and_that_nobody_opened_a_link() -> None:
    proof = given(reported(), "review")["report"].proof[0]
    assert (proof.excerpt, proof.is_link) == ("It is booked, see the mail of today.", False)


def test_a_role_that_is_not_there_gets_nothing() -> None:
    scenario = CASES["advise"]()
    read_answer = read(scenario, "advise", AdviseAnswer(action="reassign", role_id="somebody")).answer
    assert read_answer.role_id == ""


def test_a_reviewers_words_are_cut_and_its_decision_stays() -> None:
    scenario = reported()
    answer = read(scenario, "review", ReviewAnswer(decision="changes_requested", notes="x" * 9_000)).answer
    assert answer.decision == "changes_requested"
    assert len(answer.notes) <= 2_000


def test_facts_are_told_by_name() -> None:
    fact = HandedFact(fact_id="f", kind=FactKind.LIMIT, text="not before six", by=ANN)
    brief = Brief(
        title="x", goal="Do it all.", people=(HandedPerson(person_id="ann", user_id=ANN, name="Ann"),), facts=(fact,)
    )
    assert given(Scenario(brief=brief).opens(), "clarify")["brief"].facts[0].by == "Ann"
