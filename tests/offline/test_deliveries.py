"""The Manager by rules: it passes on what is there, makes nothing up, and leaves every judgement to people."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.delivery.given import (
    BriefGiven,
    OutcomeGiven,
    PersonGiven,
    ProofGiven,
    ProposalGiven,
    ReportGiven,
    ResultGiven,
    TaskGiven,
    TroubleGiven,
)
from engine.facts.language import Language
from engine.offline.delivery.managing import (
    advise,
    clarify,
    discuss,
    instruct,
    make_plan,
    propose,
    report,
    review,
    work,
)
from engine.offline.model import phrases

ANN = PersonGiven(person_id="ann", name="Ann Lee")
LIN = PersonGiven(person_id="lin", name="林晓")
TASK = TaskGiven(
    ticket_id="T-1",
    title="Book the hall",
    worker_kind="person",
    expected_outputs=("Result",),
    files=("result.md",),
)


def brief(goal: str, language: str = "en") -> BriefGiven:
    return BriefGiven(title="x", goal=goal, today="2026-11-27", language=language)


def planned(goal: str) -> list[tuple[str, str, tuple[str, ...], str]]:
    plan = make_plan(brief(goal), (ANN, LIN))
    return [(each.title, each.owner, each.depends_on, each.deadline) for each in plan.tasks]


@pytest.mark.parametrize(
    ("goal", "tasks"),
    [
        pytest.param("Hold an open day", [("Hold an open day", "", (), "")], id="a goal"),
        pytest.param(
            "Move the office:\n- Ann Lee books a van by 2026-12-07\n- pack",
            [("Ann Lee books a van by 2026-12-07", "ann", (), "2026-12-07"), ("pack", "", (), "")],
            id="a list",
        ),
        pytest.param(
            "林晓订场地；然后打印海报。",
            [("林晓订场地", "lin", (), ""), ("打印海报", "", ("task-1",), "")],
            id="one after the other, in Chinese",
        ),
        pytest.param(
            "Ask Ann Lee; then Ann Leeds prints",
            [("Ask Ann Lee", "", (), ""), ("Ann Leeds prints", "", ("task-1",), "")],
            id="a name inside, and half a name",
        ),
        pytest.param(
            "Pay 2025-01-01 or 2026-12-01 or 2027-01-01",
            [("Pay 2025-01-01 or 2026-12-01 or 2027-01-01", "", (), "")],
            id="many days",
        ),
        pytest.param("Done 2025-01-01", [("Done 2025-01-01", "", (), "")], id="a day that is over"),
        pytest.param("一行\n另一行", [("一行 另一行", "", (), "")], id="two lines that are no list"),
    ],
)
def test_there_is_a_ticket_for_each_task_that_is_listed(goal: str, tasks: list[object]) -> None:
    assert planned(goal) == tasks


@given(st.text(min_size=1, max_size=300).filter(str.strip))
def test_a_plan_says_nothing_that_is_not_in_the_goal(goal: str) -> None:
    plan = make_plan(brief(goal), (ANN,))
    said = re.sub(r"\s+", " ", goal)
    assert len(plan.tasks) <= 40
    for task in plan.tasks:
        assert re.sub(r"\s+", " ", task.title.rstrip("…")) in said
        assert all(each in goal for each in task.expected_outputs)
        assert (task.risks, task.risk, task.acceptance_criteria, task.checked_by, task.starts) == (
            (),
            "low",
            (),
            "",
            "",
        )


def test_a_file_that_is_named_is_what_is_expected() -> None:
    [task] = make_plan(brief("Write the list into checklist.md"), ()).tasks
    assert task.expected_outputs == ("checklist.md",)


def test_nothing_is_asked_before_it_is_planned() -> None:
    assert clarify(brief("Hold an open day")).questions == ()


def test_it_approves_nothing_and_leaves_it_to_whoever_asked() -> None:
    proof = ProofGiven(output="Result", file="r.md", size_bytes=9, content_type="text/plain", excerpt="It is booked.")
    answer = review(brief("x"), ReportGiven(summary="Done. Approve it.", proof=(proof,)))
    assert (answer.decision, answer.requested_changes) == ("unsure", ())


def test_a_check_that_failed_is_no_matter_of_judgement() -> None:
    answer = review(brief("x"), ReportGiven(summary="", proof=(), checks=("lint: failed", "unit: passed")))
    assert answer.decision == "changes_requested"
    assert [("lint" in each, "unit" in each) for each in answer.requested_changes] == [(True, False)]


def test_it_writes_nothing_and_says_so() -> None:
    answer = work(brief("x"))
    assert answer.outputs == ()
    assert answer.issues == (phrases()["delivery.cannot_write"]["en"],)


def test_it_names_no_risk_that_nobody_has_named() -> None:
    assert propose(brief("x"), TASK, ()).risks == ()
    risky = TaskGiven(ticket_id="T-1", title="Delete it", risk="high", risk_reason="It is public.")
    assert propose(brief("x"), risky, ()).risks == ("It is public.",)
    assert propose(brief("x"), risky, ()).draft_steps == ()


def test_the_instruction_is_what_is_known() -> None:
    result = ResultGiven(ticket_id="T-0", title="List", results=("Inventory: artifacts/T-0/inventory.md",))
    answer = instruct(brief("x"), TASK, (result,), ())
    assert answer.summary == "Book the hall"
    assert len(answer.steps) == 2
    assert answer.resources == ("What is there: Inventory: artifacts/T-0/inventory.md",)


def test_whatever_does_not_go_on_is_put_to_whoever_asked() -> None:
    blocked = advise(brief("x"), TASK, TroubleGiven(is_blocked=True, issues=("No key",)))
    failed = advise(brief("x"), TASK, TroubleGiven(is_blocked=False, attempts=("timeout",)))
    assert (blocked.action, failed.action) == ("ask", "ask")
    assert "No key" in blocked.text


def test_it_counts_what_is_there_and_names_what_is_not() -> None:
    outcomes = (
        OutcomeGiven(ticket_id="T-1", title="Pack", worker="Ann", status="done", next_actions=("Return the boxes",)),
        OutcomeGiven(
            ticket_id="T-2", title="Move", worker="Ann", status="error", troubles=("timeout", "exit: no van there")
        ),
        OutcomeGiven(ticket_id="T-3", title="Eat", worker="Ann", status="dropped", troubles=("blocked",)),
    )
    answer = report(brief("x"), outcomes)
    assert answer.summary == "1 of 2 tickets are done. Not done: Move."
    assert answer.next_steps == ("Return the boxes",)


@pytest.mark.parametrize(("tag", "said"), [("zh-TW", "zh"), ("en", "en"), ("ja", "en"), ("", "en")])
def test_it_speaks_the_language_of_the_tag_where_there_are_words(tag: str, said: Language) -> None:
    answer = discuss(brief("会议", tag), ProposalGiven(summary="x", open_questions=("?",)))
    assert answer.answers == (phrases()["delivery.no_word"][said],)
