"""Records histories of deliberations once: ``python -m tests.deliberation.record_histories``.

What is recorded is never written again: a history must stay readable, whatever the code becomes.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.deliberation.answers import CriticReply, Move, Risk, SlotChange, Suggestion
from engine.deliberation.closing.closing import hand_over
from engine.deliberation.commands import AskCritic, RecordReply
from engine.deliberation.policy import Policy
from engine.deliberation.rounds.plans import final_plan
from engine.deliberation.state import Deliberation
from tests.recorded import HISTORIES, record

from .scenario import ANN, CRITIC, PLANNER, Scenario, answering, criticised, drafted, in_round, opened, plan, planned
from .scenario import task as one_task

FOLDER: Final = HISTORIES / "deliberation"
BO_DOES_IT: Final = Suggestion(
    solution="换成 Bo 来做。", changes=(SlotChange(slot="owner", task_id="room", value="bo"),), priority="high"
)


def _agreed() -> Scenario:
    """An objection is answered, a risk moves the Planner, and the Critic is asked."""
    scenario = opened().both(planned(confidence=0.7), drafted(plan("hall"))).compared(0.75)
    scenario.objects("What about the children?").says(PLANNER, planned(answers=answering("point-1")))
    scenario.says(CRITIC, criticised(Risk(risk="It rains.", severity="high"), answers=answering("point-1")))
    scenario.compared(0.85)
    moved = [Move(slot="owner", task_id="room", argument="r2-risk-1", why="Bo has a tent.")]
    scenario.round(0.95, planned(plan(one_task("room", owner="bo")), moves=moved))
    scenario.states(PLANNER, "the weather").states(CRITIC, "the budget", worst="nobody comes").reports()
    scenario.does(AskCritic, by=ANN, text="Why a tent?")
    return scenario.does(RecordReply, question_id="question-1", answer=CriticReply(content="It may rain."))


def _decided() -> Scenario:
    """It has diverged, and whoever asked chooses afterwards."""
    scenario = in_round(2).both(planned(plan("room")), criticised(suggestions=[BO_DOES_IT])).compared(0.5)
    scenario.round(0.5, planned(plan("room")), criticised(suggestions=[BO_DOES_IT])).closes().reports()
    return scenario.chooses(CRITIC, why="Bo 有时间").reports("# 计划")


def _skipped() -> Scenario:
    """In turn, the Critic does not answer; it is stopped."""
    policy = Policy(name="sequential", start="sequential", host_speaks=False)
    return opened(policy).says(PLANNER, planned()).turn_is_over().stops().reports()


def _objected_while_reported() -> Scenario:
    """A report that is being written is given up for an objection, and a question reopens the plan once more."""
    answered: dict[str, Any] = {"answers": answering("point-1")}
    scenario = in_round(2).round(0.95).closes().objects("Where do children play?")
    scenario.round(0.95, planned(**answered), criticised(**answered)).reports("# Again")
    scenario.does(AskCritic, by=ANN, text="Why a tent?")
    scenario.does(RecordReply, question_id="question-1", answer=CriticReply(content="It may rain."))
    return scenario.round(0.95).reports("# At last")


def _arguing() -> Scenario:
    """The second round goes on: the Critic is asked."""
    return in_round(2).says(PLANNER, planned())


RECORDED: Final[Mapping[str, Callable[[], Scenario]]] = {
    "agreed": _agreed,
    "decided": _decided,
    "skipped_and_stopped": _skipped,
    "objected_while_reported": _objected_while_reported,
    "arguing": _arguing,
}


def ending(state: Deliberation) -> dict[str, Any]:
    final, handed = final_plan(state), hand_over(state)
    return {
        "status": state.status.value,
        "reason": state.reason.value if state.reason else None,
        "rounds": len(state.rounds),
        "actions": [each.decision.action.value for each in state.rounds if each.decision],
        "trend": list(state.trend),
        "arguments": {name: each.severity for name, each in state.arguments.items()},
        "answers": [dict(each.answers) for each in state.points],
        "replies": [each.reply for each in state.questions],
        "choice": state.choice.chosen.value if state.choice else None,
        "best": state.best,
        "owners": {each.task_id: each.owner for each in final.plan.tasks} if final else {},
        "reports": state.report.number if state.report else 0,
        "handed": [each.task_id for each in handed.tasks] if handed else None,
    }


if __name__ == "__main__":
    record(FOLDER, RECORDED, ending)
