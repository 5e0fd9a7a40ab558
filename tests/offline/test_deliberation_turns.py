"""What the offline model does when the Host wants more than an answer: opposing, moving, closing, telling."""

from typing import Any

import pytest
from msgspec.structs import replace

from engine.deliberation.answers import CriticAnswer, Critique, Plan, PlanPhase, PlanTask, Position, Risk
from engine.deliberation.given import (
    ArgumentGiven,
    BriefGiven,
    CriticiseGiven,
    FactGiven,
    Instructions,
    OwnOutput,
    PersonGiven,
    ReplyGiven,
    ReportBasis,
    ReviseGiven,
)
from engine.kernel import FactKind
from engine.offline.deliberation.answerers import ANSWERERS

BRIEF = BriefGiven(
    title="Winter party",
    goal="Hold a winter party.",
    today="2026-11-23",
    ends="2026-12-18",
    people=(PersonGiven(person_id="bo", name="Bo", brings="the venue"),),
)
PLAN = Plan(
    title="Winter party",
    phases=(
        PlanPhase(
            phase_name="All of it",
            tasks=(
                PlanTask(
                    task_id="task-1", title="Book the venue", owner="bo", deadline="2026-12-04", estimated_hours=4
                ),
                PlanTask(task_id="task-2", title="Hold the party", deadline="2026-12-18", tags=("event",)),
            ),
        ),
    ),
)
AWAY = FactGiven(fact_id="fact-1", kind=FactKind.LIMIT, text="I'm away from 3 to 7 December.", by="Bo")
PLANNER = OwnOutput(round=2, content="A plan.", position=Position(conclusion="It works.", confidence=0.8), plan=PLAN)


def criticised(*facts: FactGiven, **given: Any) -> CriticAnswer:
    values: dict[str, Any] = {
        "brief": BRIEF, "facts": facts, "own": None, "other": PLANNER, "arguments": (), "findings": (),
        "instructions": Instructions(), "round": 2, "max_rounds": 5,
    }  # fmt: skip
    answer = ANSWERERS["criticise"](**CriticiseGiven(**values | given).values())
    assert isinstance(answer, CriticAnswer)
    return answer


def test_a_critic_without_an_objection_says_what_the_planner_says() -> None:
    answer = criticised()
    assert answer.position == PLANNER.position
    assert answer.critique == Critique()


def test_whoever_argues_the_opposite_side_finds_what_the_plan_rests_on() -> None:
    answer = criticised(instructions=Instructions(opposes=True))
    assert [each.severity for each in answer.critique.risks] == ["medium"] * len(answer.critique.risks)
    assert any("14 d after" in each.risk for each in answer.critique.risks)
    assert any("Bo has 1 of 2 tasks" in each.risk for each in answer.critique.risks)
    first = answer.critique.risks[0].risk
    avoided = criticised(instructions=Instructions(opposes=True, avoid=(first,)))
    assert first not in [each.risk for each in avoided.critique.risks]


def test_a_risk_that_is_still_there_names_the_one_before() -> None:
    first = criticised(AWAY)
    (risk,) = first.critique.risks
    assert (risk.severity, risk.repeats, first.position.decision) == ("high", "", "go_with_changes")
    assert not first.critique.validity_check.feasible
    (suggestion,) = first.critique.suggestions
    assert [(each.slot, each.value) for each in suggestion.changes] == [("deadline", "2026-12-02")]

    known = ArgumentGiven(argument_id="r2-critic-1", kind="risk", text=risk.risk, by="critic", round=2, severity="high")
    again = criticised(AWAY, arguments=(known,), round=3)
    assert again.critique.risks[0].repeats == "r2-critic-1"


def test_whoever_is_told_to_move_is_less_sure_and_names_a_flaw() -> None:
    other = replace(PLANNER, risk_ids=("r2-1",))
    answer = criticised(AWAY, other=other, instructions=Instructions(must_move=True))
    assert answer.position.confidence < criticised(AWAY, other=other).position.confidence
    assert [each.argument for each in answer.flaws] == ["r2-1"]

    revised = ANSWERERS["revise"](
        **ReviseGiven(
            brief=BRIEF, facts=(), own=PLANNER, other=other, arguments=(), findings=(),
            instructions=Instructions(must_move=True), round=3, max_rounds=5,
        ).values()
    )  # fmt: skip
    assert revised.position.confidence < 0.85  # type: ignore[attr-defined]
    assert [each.argument for each in revised.flaws] == ["r2-1"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("title", "action", "said"),
    [
        ("Party", "converge", "Both sides agree (93%)."),
        ("Party", "force_opposition", "the opposite side is argued now"),
        ("聚会", "continue", "还没有达成一致（93%）"),
        ("聚会", "terminate", "讨论到此结束（93%）"),
    ],
)
def test_the_host_words_each_decision_in_the_language_of_the_title(title: str, action: str, said: str) -> None:
    answer = ANSWERERS["host"](
        title=title, action=action, reason="X", level=93, must_address=("the date",), differences=()
    )
    assert said in answer.content  # type: ignore[attr-defined]
    assert "the date" in answer.content  # type: ignore[attr-defined]


def test_closing_tells_what_is_open_and_the_worst_case() -> None:
    own = replace(PLANNER, position=replace(PLANNER.position, worst_case="It rains."))
    critique = replace(own, critique=Critique(risks=(Risk(risk="Too loud"),)))
    answer = ANSWERERS["close"](brief=BRIEF, role="critic", own=critique, plan=PLAN, arguments=())
    assert answer.uncertainties == ("Who takes “Hold the party” is open.", "Too loud")  # type: ignore[attr-defined]
    assert answer.worst_case == "It rains."  # type: ignore[attr-defined]


def test_the_report_tells_tasks_owners_and_days_and_what_is_open() -> None:
    basis = ReportBasis(
        is_divergent=True, reason="-", rounds=5, open_disagreements=("The day",), dissent=("Critic: no",)
    )
    content = ANSWERERS["report"](brief=BRIEF, plan=PLAN, basis=basis).content  # type: ignore[attr-defined]
    assert "Planner and Critic do not agree after 5 rounds." in content
    assert "- Book the venue – Bo, by Fri 4 Dec, 4 h" in content
    assert "nobody yet" in content
    assert "## Where they differ\n- The day" in content
    assert "## Dissent\n- Critic: no" in content


def test_a_question_is_answered_with_what_was_said_about_it() -> None:
    risk = ArgumentGiven(argument_id="r1", kind="risk", text="The venue may be too small.", by="critic", round=1)
    values = ReplyGiven(
        brief=BRIEF, facts=(AWAY,), plan=PLAN, critique=None, arguments=(risk,), question="Is the venue large enough?"
    ).values()
    answer = ANSWERERS["reply"](**values)
    assert "The venue may be too small." in answer.content  # type: ignore[attr-defined]
    assert answer.arguments == ("r1",)  # type: ignore[attr-defined]
    nothing = ANSWERERS["reply"](**{**values, "question": "Why purple?"})
    assert nothing.content == "Nothing that was said speaks against that."  # type: ignore[attr-defined]
